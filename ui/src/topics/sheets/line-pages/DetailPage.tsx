import { Anchor, Button } from '@mantine/core';
import { IconClipboardList } from '@tabler/icons-react';
import { Link, useParams } from 'react-router-dom';
import { useReadDetailQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { fullName } from '@/shared/records/fullName';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { pageOf } from '@/shared/records/sheetAddresses';
import { isClosed } from '@/shared/records/subject';
import { timeOfUse } from '@/shared/records/timeOfUse';
import { DescriptionItem } from '@/shared/ui/DescriptionList';
import { PageLoader } from '@/shared/ui/PageLoader';
import { RecordCard } from '@/shared/ui/RecordCard';
import { areaReasons } from '../lines/wasteReasons';
import { useSubject } from '../useSubject';
import { DeleteDetailButton } from './DeleteDetailButton';

/** Show one detail: what was used, by whom, where, when and on which sheet. */
export default function DetailPage() {
  const t = useText();
  const format = useFormat();
  const detailId = Number(useParams().id);
  const mayEdit = useCan('details.edit');
  const answer = useReadDetailQuery({ detailId });
  const sheetId = answer.currentData?.consumption_sheet_id;
  const sheet = useSubject(sheetId).data;
  throwOnError(answer);
  const detail = answer.currentData;
  if (!detail || !sheet) return <PageLoader />;
  const { product, quantity, unit_price, total, staff, area, lot, expiry, serial, kit, use_reason } = detail;
  return (
    <RecordCard
      name={nameAndCode(product)}
      edit={
        mayEdit && !('area' in sheet) && !sheet.closed
          ? `/consumption-sheet-details/${detailId}/edit`
          : undefined
      }
      actions={
        <>
          {!isClosed(sheet) && <DeleteDetailButton detail={detail} sheet={sheet} after={pageOf(sheet)} />}
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
      {'area' in sheet ? (
        <DescriptionItem name={t('area.title')}>
          {[sheet.area.name, use_reason && t(areaReasons[use_reason])].filter(Boolean).join(' · ')}
        </DescriptionItem>
      ) : (
        <DescriptionItem name={t('sheets.patient')}>
          <Anchor component={Link} to={`/patients/${sheet.patient_id}`}>
            {fullName(sheet.patient)}
          </Anchor>
        </DescriptionItem>
      )}
      <DescriptionItem name={t('details.date')}>{format.moment(timeOfUse(detail))}</DescriptionItem>
      <DescriptionItem name={t('details.quantity')}>{format.quantity(quantity)}</DescriptionItem>
      {unit_price !== undefined && (
        <DescriptionItem name={t('details.unitPrice')}>{format.money(unit_price)}</DescriptionItem>
      )}
      {total !== undefined && (
        <DescriptionItem name={t('sheets.total')}>{format.money(total)}</DescriptionItem>
      )}
      <DescriptionItem name={t('details.category')}>{product.category.name}</DescriptionItem>
      <DescriptionItem name={t('details.staff')}>{staff && fullName(staff)}</DescriptionItem>
      <DescriptionItem name={t('details.area')}>{area?.name}</DescriptionItem>
      <DescriptionItem name={t('details.lot')}>{lot}</DescriptionItem>
      <DescriptionItem name={t('details.expiry')}>{expiry && format.day(expiry)}</DescriptionItem>
      <DescriptionItem name={t('details.serial')}>{serial}</DescriptionItem>
      <DescriptionItem name={t('details.kit')}>{kit?.name}</DescriptionItem>
    </RecordCard>
  );
}
