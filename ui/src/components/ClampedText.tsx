import type { ReactNode } from 'react';

interface Props {
  children: ReactNode;
  className?: string;
}

/** So many characters without a blank are no word that people read in one piece. */
const UNREADABLE = /\S{25}/;

/** What people wrote, where there is no room for all of it: two lines, whole when pointed at (`app/clampedTextTitle.ts`). */
export function ClampedText({ children, className }: Props) {
  const breaksAnywhere = typeof children !== 'string' || UNREADABLE.test(children);
  return (
    <span data-clamped={breaksAnywhere ? 'anywhere' : ''} className={className}>
      {children}
    </span>
  );
}
