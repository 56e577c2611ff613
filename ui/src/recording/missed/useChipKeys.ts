import { type RefObject, useEffect, useEffectEvent } from 'react';
import { isBeside, isField, singleKeys } from '@/shared/ui/singleKeys';

/** Keys that follow one another faster come from a scanner, in milliseconds. */
const SCANNER_PACE = 100;

/**
 * Choose a chip by its number.
 *
 * A number key counts unless other keys precede or follow it at the pace of a scanner, or a text field has the focus.
 * `withAlt` is for pages whose number fields need these keys. In a dialog or menu above `part`, they do nothing.
 */
export function useChipKeys(
  part: RefObject<Element | null>,
  count: number,
  withAlt: boolean,
  onChoose: (place: number) => void,
) {
  const choose = useEffectEvent(onChoose);
  useEffect(() => {
    let waiting = 0;
    let last = -SCANNER_PACE;
    function press(event: KeyboardEvent) {
      window.clearTimeout(waiting);
      const follows = event.timeStamp - last < SCANNER_PACE;
      last = event.timeStamp;
      const place = Number(/^Digit(\d)$/.exec(event.code)?.[1] ?? (withAlt ? 0 : event.key)) - 1;
      if (!(place >= 0 && place < count) || event.altKey !== withAlt || event.ctrlKey || event.metaKey)
        return;
      if (!isBeside(event.target, part.current)) return;
      if (withAlt) {
        event.preventDefault();
        choose(place);
      } else if (!follows && !event.repeat && !isField(event.target) && singleKeys.areOn()) {
        waiting = window.setTimeout(() => choose(place), SCANNER_PACE);
      }
    }
    document.addEventListener('keydown', press);
    return () => {
      window.clearTimeout(waiting);
      document.removeEventListener('keydown', press);
    };
  }, [part, count, withAlt]);
}
