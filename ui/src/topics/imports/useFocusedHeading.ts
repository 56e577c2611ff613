import { useEffect, useRef } from 'react';

/** Focus a heading when it appears, because its content was waited for. */
export function useFocusedHeading(what: unknown) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heading is focused again for each new result.
  useEffect(() => {
    heading.current?.focus();
    heading.current?.scrollIntoView({ block: 'start' });
  }, [what]);
  return heading;
}
