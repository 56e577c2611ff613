import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { use } from 'react';
import { useText } from '@/i18n/useText';
import { OpenGlobalSearchContext } from './globalSearchContext';

/** Open the search in everything. */
export function SearchButton({ className }: { className?: string }) {
  const t = useText();
  const openSearch = use(OpenGlobalSearchContext);
  return (
    <ActionIcon
      className={className}
      onClick={openSearch}
      aria-label={t('globalSearch.label')}
      aria-haspopup="dialog"
      title={`${t('globalSearch.label')} (Ctrl+K)`}
    >
      <IconSearch aria-hidden />
    </ActionIcon>
  );
}
