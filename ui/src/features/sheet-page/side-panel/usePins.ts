import { useCallbackRef } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { usePinProductMutation, useUnpinProductMutation } from '@/api/generated';
import { useSubmit } from '@/components/forms/useSubmit';

export interface Pins {
  pinned: ReadonlySet<number>;
  toggle: (productId: number) => void;
}

const none: number[] = [];

/**
 * Pin and unpin usual products.
 *
 * Pinned products come first from the next visit on. While the page is open, the numbers that choose products stay.
 */
export function usePins(known: number[] = none): Pins {
  const [pin] = usePinProductMutation();
  const [unpin] = useUnpinProductMutation();
  const { submit } = useSubmit();
  const [changed, setChanged] = useState<ReadonlyMap<number, boolean>>(new Map());
  const pinned = useMemo(() => {
    const all = new Set(known);
    for (const [id, isPinned] of changed)
      if (isPinned) all.add(id);
      else all.delete(id);
    return all;
  }, [known, changed]);
  const toggle = useCallbackRef(async (productId: number) => {
    const isPinned = pinned.has(productId);
    const done = await submit(async () => {
      const { error } = await (isPinned ? unpin : pin)({ productId });
      return error ? { error } : { data: true };
    });
    if (done.ok) setChanged((those) => new Map(those).set(productId, !isPinned));
  });
  return useMemo(() => ({ pinned, toggle }), [pinned, toggle]);
}
