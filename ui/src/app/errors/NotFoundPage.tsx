import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useText } from '@/i18n/useText';
import { EmptyState } from '@/shared/ui/EmptyState';

export default function NotFoundPage() {
  const t = useText();
  return (
    <EmptyState title={t('notFound.text')} hint={t('notFound.hint')}>
      <Button component={Link} to="/">
        {t('nav.home')}
      </Button>
    </EmptyState>
  );
}
