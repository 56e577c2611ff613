import { Text } from '@mantine/core';
import { useText } from '@/i18n/useText';
import type { ParkedPerson } from '@/session/parkedPeople';
import UnlockPanel from './UnlockPanel';

/** Let people with a locked session on this device come back without signing in. */
export default function ParkedPeople({ people }: { people: ParkedPerson[] }) {
  const t = useText();
  return (
    <section aria-labelledby="parked-title">
      <Text id="parked-title" mb="xs">
        {t('unlock.whoHint')}
      </Text>
      <UnlockPanel people={people} first={null} />
    </section>
  );
}
