import { useCallbackRef } from '@mantine/hooks';
import { useRef } from 'react';
import { api } from '@/api/tags';
import { useAppDispatch } from '@/storeHooks';

/**
 * Notes on the server which text found nothing before a product was recorded: it may be another name of that product.
 * A note that fails is lost.
 */
export function useTypedNames() {
  const dispatch = useAppDispatch();
  /** The last text of this search that found nothing. */
  const missed = useRef('');
  /** Remember the text, unless it is the beginning of the remembered one: that is being deleted. */
  const miss = useCallbackRef((text: string) => {
    if (!missed.current.startsWith(text)) missed.current = text;
  });
  /** End the search, with the product that is recorded or without one. */
  const settle = useCallbackRef((productId: number | null) => {
    const text = missed.current;
    missed.current = '';
    if (text === '' || productId === null) return;
    const { initiate } = api.endpoints.noteTypedName;
    dispatch(initiate({ productId, typedNameDraft: { text } }, { track: false }));
  });
  return { miss, settle };
}
