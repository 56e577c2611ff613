import { Suspense, useMemo } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import { LineRows, type LinesProps } from './LineRows';
import { usePrinting } from './usePrinting';

/**
 * The maximum number of rows that are all rendered.
 *
 * The browser's search finds only rendered rows.
 */
const ALL_DRAWN = 120;
const VirtualizedLines = lazyPart(() => import('./VirtualizedLines'));

/**
 * List the lines by day.
 *
 * A long list renders only visible, focused and edited rows.
 */
export function Lines(props: LinesProps) {
  const { items } = props;
  const printing = usePrinting();
  const all = useMemo(() => items.map((_, index) => ({ index })), [items]);
  if (items.length <= ALL_DRAWN || printing) return <LineRows {...props} drawn={all} />;
  return (
    <Suspense fallback={<LineRows {...props} drawn={all.slice(0, ALL_DRAWN)} />}>
      <VirtualizedLines {...props} />
    </Suspense>
  );
}
