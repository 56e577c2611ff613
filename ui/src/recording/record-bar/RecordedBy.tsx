import { useListAreasQuery, useReadAreaQuery } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';
import { fullName } from '@/shared/records/fullName';
import { areaOf, type Subject } from '@/shared/records/subject';
import { AreaSelect, StaffSelect } from '@/topics/sheets/lines/DetailSelects';
import { Choice } from './Choice';
import { rememberArea } from './lastUsedArea';
import { UsedAt } from './UsedAt';
import type { DetailForm } from './useDetailForm';

interface Props {
  sheet: Subject;
  form: DetailForm;
}

/**
 * Choose as whom and where lines are recorded.
 *
 * These values stay the same for hours, so they are a small text that opens on click. The area is the room's unless
 * another one was chosen for this sheet. It is hidden if there is only one area.
 */
export function RecordedBy({ sheet, form }: Props) {
  const t = useText();
  const userId = useSession().user?.id ?? 0;
  const choosesStaff = useCan('details.record_for_any_staff');
  const areas = useListAreasQuery({ limit: 100 }).data?.items;
  const { staff, area_id } = form.values;
  const hasAreas = areas !== undefined && areas.length > 1;
  const listed = areas?.find(({ id }) => id === area_id);
  const elsewhere = useReadAreaQuery(
    { areaId: area_id ?? 0 },
    { skip: !hasAreas || area_id === null || listed !== undefined },
  );
  const area = (listed ?? elsewhere.currentData)?.name;

  const goOn = () => form.getInputNode('product_id')?.focus();
  const name = staff ? t('details.as', { person: fullName(staff) }) : t('details.noStaff');
  return (
    <>
      {choosesStaff ? (
        <Choice text={name} onDone={goOn}>
          {(close) => <StaffSelect form={form} bare onChosen={close} />}
        </Choice>
      ) : (
        staff && <span>{name}</span>
      )}
      {hasAreas && !('area' in sheet) && (
        <Choice text={area ? t('details.in', { area }) : t('details.inNone')} onDone={goOn}>
          {(close) => (
            <AreaSelect
              form={form}
              bare
              onChosen={() => {
                rememberArea(userId, sheet.id, form.getValues().area_id, areaOf(sheet));
                close();
              }}
            />
          )}
        </Choice>
      )}
      <UsedAt form={form} onDone={goOn} />
    </>
  );
}
