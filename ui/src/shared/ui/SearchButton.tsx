import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { createContext, use } from 'react';
import { useText } from '@/i18n/useText';

/** Open the global search, from a page that has its own header. */
export const OpenGlobalSearchContext = createContext<() => void>(() => {});

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
