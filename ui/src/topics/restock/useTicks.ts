import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useDispatch } from 'react-redux';
import {
  generatedApi,
  type RestockLineView,
  type RestockView,
  usePutBackProductMutation,
  useUndoPutBackMutation,
} from '@/api/generated';
import { toProblem } from '@/api/problem';
import { api } from '@/api/tags';
import { useText } from '@/i18n/useText';
import { showProblem } from '@/shared/forms/useSubmit';
import { toast } from '@/shared/ui/toast';
import { isPutBack } from './shelves';

/**
 * Tick lines of the open list on the server, for everyone.
 *
 * The line shows its tick at once. It is taken back if the server does not store it.
 */
export function useTicks(list: RestockView | undefined) {
  const t = useText();
  // biome-ignore lint/suspicious/noExplicitAny: the type of the app's dispatch leaves out the cache of the API.
  const dispatch = useDispatch<ThunkDispatch<any, unknown, UnknownAction>>();
  const [putBack] = usePutBackProductMutation();
  const [undoPutBack] = useUndoPutBackMutation();
  if (!list) return { tick: async () => false, toggle: async () => {} };
  const { number } = list;
  const areaId = list.area.id;

  function show(line: RestockLineView, put_back: RestockLineView['put_back']) {
    return dispatch(
      generatedApi.util.updateQueryData('readRestock', { areaId }, (shown) => {
        const found = shown.items.find(({ product }) => product.id === line.product.id);
        if (found) found.put_back = put_back;
      }),
    );
  }

  function explain(error: unknown) {
    const problem = toProblem(error);
    // The list was closed meanwhile: the answer says by whom.
    if (problem.status === 422) dispatch(api.util.invalidateTags(['Restock']));
    if (!showProblem(problem)) toast.error(t('error.unexpected'));
  }

  async function tick(line: RestockLineView) {
    const productId = line.product.id;
    const shown = show(line, { quantity: line.needed, by: '', at: '' });
    const { data, error } = await putBack({
      areaId,
      productId,
      putBackDraft: { number, quantity: line.needed },
    });
    if (data) show(line, data);
    else {
      shown.undo();
      explain(error);
    }
    return data !== undefined;
  }

  async function untick(line: RestockLineView) {
    const shown = show(line, null);
    const { error } = await undoPutBack({ areaId, productId: line.product.id, number });
    if (!error) return;
    shown.undo();
    explain(error);
  }

  return {
    tick,
    toggle: async (line: RestockLineView) => {
      if (isPutBack(line)) await untick(line);
      else await tick(line);
    },
  };
}
