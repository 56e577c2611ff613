import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { LineRows, type LinesProps } from './LineRows';

/** How many rows are rendered beyond the visible ones. */
const BEYOND = 12;
/** The height of a day's heading in the style sheet, in pixels. */
const DAY_HEIGHT = 34;

/** Render the rows of a long sheet in a window, like `Lines`. */
export default function VirtualizedLines(props: LinesProps) {
  const { items, rowHeight, kept, stops } = props;
  const top = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const [focused, setFocused] = useState<string | null>(null);
  useLayoutEffect(() => {
    // Content above the list appears and disappears; scrolling does not change this margin.
    void props;
    if (top.current) setScrollMargin(Math.round(top.current.getBoundingClientRect().top + window.scrollY));
  }, [props]);

  const places = useMemo(() => new Map(items.map(({ key }, index) => [key, index])), [items]);
  const stay = [focused, kept, ...stops].flatMap((key) => places.get(String(key)) ?? []);
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: items.length,
    estimateSize: (index) => (items[index]?.kind === 'day' ? DAY_HEIGHT : rowHeight),
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: BEYOND,
    scrollMargin,
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...stay])].sort((one, other) => one - other),
    useFlushSync: false,
  });

  // Drops the height of the row that was edited before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another row is edited, or the density changes.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, kept, rowHeight]);

  let end = scrollMargin;
  const drawn = virtualizer.getVirtualItems().map((item) => {
    const after = item.start - end;
    end = item.end;
    return { index: item.index, after };
  });
  return (
    <LineRows
      {...props}
      drawn={drawn}
      rest={virtualizer.getTotalSize() + scrollMargin - end}
      measure={virtualizer.measureElement}
      top={top}
      onFocused={setFocused}
    />
  );
}
