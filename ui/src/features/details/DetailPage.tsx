import { Anchor, Button } from '@mantine/core';
import IconClipboardList from '@tabler/icons-react/dist/esm/icons/IconClipboardList.mjs';
import { Link, useParams } from 'react-router-dom';
import { useReadDetailQuery, useReadSheetQuery } from '@/api/generated';
import { failOn } from '@/api/problem';
import { Fact } from '@/components/Facts';
import { fullName } from '@/components/fullName';
import { PageLoader } from '@/components/PageLoader';
import { ShowCard } from '@/components/ShowCard';
import { pageOf } from '@/components/sheetAddresses';
import { usedAt } from '@/components/usedAt';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { DeleteDetailButton } from './DeleteDetailButton';

/** One detail, to read: what was used, by whom, where and when, and on whose sheet it stands. */
export default function DetailPage() {
  const t = useText();
  const format = useFormat();
  const detailId = Number(useParams().id);
  const mayEdit = useCan('details.edit');
  const answer = useReadDetailQuery({ detailId });
  const sheetId = answer.currentData?.consumption_sheet_id;
  const sheet = useReadSheetQuery({ sheetId: sheetId ?? 0 }, { skip: sheetId === undefined }).currentData;
  failOn(answer);
  const detail = answer.currentData;
  if (!detail || !sheet) return <PageLoader />;
  const { product, quantity, unit_price, total, staff, area, lot, expiry, serial, kit } = detail;
  return (
    <ShowCard
      name={product.name}
      edit={mayEdit && !sheet.closed ? `/consumption-sheet-details/${detailId}/edit` : undefined}
      actions={
        <>
          {!sheet.closed && <DeleteDetailButton detail={detail} sheet={sheet} after={pageOf(sheet)} />}
          <Button
            component={Link}
            to={pageOf(sheet)}
            variant="default"
            leftSection={<IconClipboardList size={20} aria-hidden />}
          >
            {t('details.toSheet')}
          </Button>
        </>
      }
    >
      <Fact name={t('sheets.patient')}>
        <Anchor component={Link} to={`/patients/${sheet.patient_id}`}>
          {fullName(sheet.patient)}
        </Anchor>
      </Fact>
      <Fact name={t('details.date')}>{format.moment(usedAt(detail))}</Fact>
      <Fact name={t('details.quantity')}>{format.quantity(quantity)}</Fact>
      {unit_price !== undefined && <Fact name={t('details.unitPrice')}>{format.money(unit_price)}</Fact>}
      {total !== undefined && <Fact name={t('sheets.total')}>{format.money(total)}</Fact>}
      <Fact name={t('details.category')}>{product.category.name}</Fact>
      <Fact name={t('details.staff')}>{staff && fullName(staff)}</Fact>
      <Fact name={t('details.area')}>{area?.name}</Fact>
      <Fact name={t('details.lot')}>{lot}</Fact>
      <Fact name={t('details.expiry')}>{expiry && format.day(expiry)}</Fact>
      <Fact name={t('details.serial')}>{serial}</Fact>
      <Fact name={t('details.kit')}>{kit?.name}</Fact>
    </ShowCard>
  );
}
