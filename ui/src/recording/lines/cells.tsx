import { VisuallyHidden } from '@mantine/core';
import type { ComponentProps } from 'react';
import type { DetailView, PersonView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { fullName, shortName } from '@/shared/records/fullName';
import { codeOf, nameAndCode } from '@/shared/records/nameAndCode';
import { ClampedText } from '@/shared/ui/ClampedText';
import type { Pack } from '@/symbols/pack';
import classes from './DetailsTable.module.css';

// Rows are grids, and display: grid removes the native roles.
// biome-ignore-start lint/a11y/noRedundantRoles: see above.

export const Row = (props: ComponentProps<'tr'>) => <tr role="row" {...props} />;

export const Cell = (props: ComponentProps<'td'>) => <td role="cell" {...props} />;

export const Heading = (props: ComponentProps<'th'>) => <th scope="col" role="columnheader" {...props} />;

// biome-ignore-end lint/a11y/noRedundantRoles: see above.

/** Show a staff member's short name; screen readers read the full one. */
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

/**
 * Show the product of a line with its code: many products share a name.
 *
 * On narrow screens, code and unit are under the name.
 */
export function ProductName({
  product,
}: {
  product: Pick<DetailView['product'], 'name' | 'code' | 'gtin' | 'unit'>;
}) {
  const code = codeOf(product);
  return (
    <span className={classes.name}>
      <ClampedText whole={nameAndCode(product)}>{product.name}</ClampedText>{' '}
      <small className={classes.code}>
        <span>{code}</span>
        {product.unit && <span className={classes.unit}>{code ? ` · ${product.unit}` : product.unit}</span>}
      </small>
    </span>
  );
}

interface NoteProps {
  pack: Partial<Pack>;
  /** The kit that the line was recorded with. */
  kit?: { name: string } | null;
  /** Additional notes. */
  children?: (string | false)[];
}

/** Show pack data: `Lote L1 · vence 02/2027 · S/N 9`. */
export function PackNote({ pack: { lot, expiry, serial }, kit, children }: NoteProps) {
  const t = useText();
  const parts = [
    kit && t('details.ofKit', { kit: kit.name }),
    lot && t('scan.lot', { lot }),
    expiry && t('scan.expires', { month: `${expiry.slice(5, 7)}/${expiry.slice(0, 4)}` }),
    serial && t('scan.serial', { serial }),
    ...(children ?? []),
  ].filter(Boolean);
  return parts.length > 0 && <small className={classes.pack}>{parts.join(' · ')}</small>;
}
