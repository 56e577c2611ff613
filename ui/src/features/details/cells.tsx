import type { ComponentProps } from 'react';

// On a phone rows are grids, which takes their native roles away.
// biome-ignore-start lint/a11y/noRedundantRoles: as said.

export const Row = (props: ComponentProps<'tr'>) => <tr role="row" {...props} />;

interface CellProps extends ComponentProps<'td'> {
  numeric?: boolean;
  /** Said before it on a phone, where there are no headings. */
  label?: string;
}

export const Cell = ({ numeric, label, ...props }: CellProps) => (
  <td role="cell" data-numeric={numeric} data-label={label} {...props} />
);

interface HeadingProps extends ComponentProps<'th'> {
  numeric?: boolean;
}

export const Heading = ({ numeric, ...props }: HeadingProps) => (
  <th scope="col" role="columnheader" data-numeric={numeric} {...props} />
);

// biome-ignore-end lint/a11y/noRedundantRoles: as said.
