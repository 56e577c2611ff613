import { VisuallyHidden } from '@mantine/core';
import type { ComponentProps } from 'react';
import type { PersonView } from '@/api/generated';
import { fullName, shortName } from '@/components/fullName';

// Rows are grids, which takes their native roles away.
// biome-ignore-start lint/a11y/noRedundantRoles: as said.

export const Row = (props: ComponentProps<'tr'>) => <tr role="row" {...props} />;

export const Cell = (props: ComponentProps<'td'>) => <td role="cell" {...props} />;

export const Heading = (props: ComponentProps<'th'>) => <th scope="col" role="columnheader" {...props} />;

// biome-ignore-end lint/a11y/noRedundantRoles: as said.

/** Seen in short, told in full. */
export function Who({ staff }: { staff: PersonView }) {
  const whole = fullName(staff);
  return (
    <>
      <span aria-hidden title={whole}>
        {shortName(staff)}
      </span>
      <VisuallyHidden>{whole}</VisuallyHidden>
    </>
  );
}
