import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { ListState } from './useListState';

/** Search field that searches the list while typing. */
export function SearchField({ list, label }: { list: ListState; label: string }) {
  const [text, setText] = useState(list.q ?? '');
  const sent = useRef(list.q ?? '');
  const search = useDebouncedCallback((typed: string) => {
    sent.current = typed.trim();
    list.search(typed);
  }, 300);

  // Back and Forward change the address, and so the field.
  useEffect(() => {
    if ((list.q ?? '') === sent.current) return;
    sent.current = list.q ?? '';
    setText(sent.current);
  }, [list.q]);

  return (
    <TextInput
      type="search"
      role="searchbox"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={18} aria-hidden />}
      value={text}
      // Flush now: a late change of the address would interfere with the navigation to another page.
      onBlur={() => search.flush()}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
