import type { ReactNode } from 'react';

interface Props {
  children: ReactNode;
  className?: string;
  /** The tooltip of a text that is cut off; by default the whole text. */
  whole?: string;
  /** A name takes the lines it needs, because two may differ only at their end. */
  entire?: boolean;
}

/** A run this long without a space is not a readable word. */
const UNREADABLE = /\S{25}/;

/**
 * Text that users wrote, clamped to two lines.
 *
 * Hovering shows all of it (`app/shell/clampedTextTitle.ts`).
 */
export function ClampedText({ children, className, whole, entire }: Props) {
  const breaksAnywhere = typeof children !== 'string' || UNREADABLE.test(children);
  return (
    <span
      data-clamped={breaksAnywhere ? 'anywhere' : ''}
      data-entire={entire || undefined}
      data-whole={whole}
      className={className}
    >
      {children}
    </span>
  );
}
