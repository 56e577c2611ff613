import { useCallbackRef } from '@mantine/hooks';
import { use, useRef } from 'react';
import { api } from '@/api/tags';
import { useAppDispatch } from '@/state/storeHooks';
import { PracticeContext } from '../common/practiceContext';

/**
 * Send search texts that found nothing before a product was recorded.
 *
 * The text may be another name of that product. A request that fails is not repeated.
 */
export function useTypedNames() {
  const dispatch = useAppDispatch();
  const practice = use(PracticeContext);
  /** The last text of this search that found nothing. */
  const missed = useRef('');
  /**
   * Remember a text that found nothing.
   *
   * A prefix of the remembered text is ignored, because the user is deleting that text.
   */
  const miss = useCallbackRef((text: string) => {
    if (!missed.current.startsWith(text)) missed.current = text;
  });
  /** End the search with the recorded product, or with null. */
  const settle = useCallbackRef((productId: number | null) => {
    const text = missed.current;
    missed.current = '';
    if (text === '' || productId === null || practice) return;
    const { initiate } = api.endpoints.noteTypedName;
    dispatch(initiate({ productId, typedNameDraft: { text } }, { track: false }));
  });
  return { miss, settle };
}
