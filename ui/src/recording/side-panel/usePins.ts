import { useCallbackRef } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { usePinProductMutation, useUnpinProductMutation } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import { toast } from '@/shared/ui/toast';

export interface Pins {
  pinned: ReadonlySet<number>;
  toggle: (productId: number) => void;
}

const none: number[] = [];

/**
 * Pin and unpin usual products.
 *
 * Pinned products come first from the next shift on: until then, the numbers that choose products stay.
 */
export function usePins(known: number[] = none): Pins {
  const [pin] = usePinProductMutation();
  const [unpin] = useUnpinProductMutation();
  const t = useText();
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
    if (!done.ok) return;
    setChanged((those) => new Map(those).set(productId, !isPinned));
    if (!isPinned) toast.success(t('details.pinned'));
  });
  return useMemo(() => ({ pinned, toggle }), [pinned, toggle]);
}
