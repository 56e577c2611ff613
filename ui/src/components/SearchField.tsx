import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useEffect, useRef, useState } from 'react';
import type { ListState } from './useListState';

/** Searches the list while one types. */
export function SearchField({ list, label }: { list: ListState; label: string }) {
  const [text, setText] = useState(list.q ?? '');
  const sent = useRef(list.q ?? '');
  const search = useDebouncedCallback((typed: string) => {
    sent.current = typed.trim();
    list.search(typed);
  }, 300);

  // Back and forward change the address under the field.
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
      // Nothing may change the address once one is on the way to another page.
      onBlur={() => search.flush()}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
