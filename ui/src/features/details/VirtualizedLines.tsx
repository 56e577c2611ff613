import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { LineRows, type LinesProps } from './Lines';

/** Rows that are drawn beyond what is in view. */
const BEYOND = 12;
/** As the style sheet has it. */
const DAY_HEIGHT = 34;

/** `Lines` of a long sheet. */
export default function VirtualizedLines(props: LinesProps) {
  const { items, rowHeight, kept } = props;
  const top = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const [focused, setFocused] = useState<string | null>(null);
  useLayoutEffect(() => {
    // What stands above the list comes and goes; scrolling alone moves nothing.
    void props;
    if (top.current) setScrollMargin(Math.round(top.current.getBoundingClientRect().top + window.scrollY));
  }, [props]);

  const places = useMemo(() => new Map(items.map(({ key }, index) => [key, index])), [items]);
  const stay = [focused, kept].flatMap((key) => places.get(String(key)) ?? []);
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

  // What a row needed while it was corrected, it needs no more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another one is, or all are of another height.
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
