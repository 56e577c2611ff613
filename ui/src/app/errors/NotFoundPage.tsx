import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/ui/EmptyState';
import { useText } from '@/i18n/useText';

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
