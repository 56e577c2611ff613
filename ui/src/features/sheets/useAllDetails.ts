import { useEffect, useState } from 'react';
import { type DetailView, useLazyListSheetDetailsQuery } from '@/api/generated';

/** All that was recorded on a sheet, oldest first, however many pages that takes. */
export function useAllDetails(sheetId: number): { data?: DetailView[]; error?: unknown } {
  const [read] = useLazyListSheetDetailsQuery();
  const [all, setAll] = useState<{ data?: DetailView[]; error?: unknown }>({});
  useEffect(() => {
    let wanted = true;
    async function readAll() {
      const details: DetailView[] = [];
      let cursor: string | undefined;
      do {
        const { data: page, error } = await read({ sheetId, limit: 100, cursor });
        if (!wanted) return;
        if (!page) return setAll({ error });
        details.push(...page.items);
        cursor = page.meta.next;
      } while (cursor);
      setAll({ data: details.reverse() });
    }
    readAll();
    return () => {
      wanted = false;
    };
  }, [sheetId, read]);
  return all;
}
