import { type DetailView, useListDetailsQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { LinkList } from '@/shared/lists/LinkList';
import { fullName } from './fullName';
import { nameAndCode } from './nameAndCode';
import { timeOfUse } from './timeOfUse';

interface Props {
  title: MessageId;
  none: MessageId;
  /** The staff member or product of the lines. */
  of: { staffId: number } | { productId: number };
}

const SHOWN = 8;

/** Latest lines of a staff member or product, with a link to all. */
export function LatestDetails({ title, none, of }: Props) {
  const t = useText();
  const format = useFormat();
  const lines = useListDetailsQuery({ ...of, limit: SHOWN });
  throwOnError(lines);
  const isStaff = 'staffId' in of;
  const filter = new URLSearchParams(
    isStaff ? { staff: String(of.staffId) } : { product: String(of.productId) },
  );

  const nameOf = ({ product, quantity, staff }: DetailView) =>
    isStaff
      ? format.counted(quantity, nameAndCode(product))
      : [format.quantity(quantity), staff && fullName(staff)].filter(Boolean).join(' · ');
  return (
    <LinkList<DetailView>
      title={title}
      none={none}
      more={`/consumption-sheet-details?${filter}`}
      answer={lines}
      link={(line) => ({
        to: `/consumption-sheet-details/${line.id}`,
        name: nameOf(line),
        note: [
          format.moment(timeOfUse(line)),
          line.area?.name,
          t('details.sheetNumber', { id: line.consumption_sheet_id }),
        ]
          .filter(Boolean)
          .join(' · '),
      })}
    />
  );
}
