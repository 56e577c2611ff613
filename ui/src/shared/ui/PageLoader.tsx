import { Center, Loader } from '@mantine/core';
import { useText } from '@/i18n/useText';

export function PageLoader() {
  const t = useText();
  return (
    <Center mih="40vh">
      <Loader role="status" aria-label={t('loading')} />
    </Center>
  );
}
