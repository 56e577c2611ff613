import type { ReactNode } from 'react';
import { drawingOf } from './drawingOf';
import drawings from './drawings.svg?no-inline';

interface Props {
  name: string;
  category: string | undefined;
}

/** The drawing of a product. All drawings are in one file. */
export default function Drawing({ name, category }: Props): ReactNode {
  return (
    <svg
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <use href={`${drawings}#${drawingOf(name, category)}`} />
    </svg>
  );
}
