import { Alert, Button, Group, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router-dom';
import { etag } from '@/api/etag';
import { type SheetView, useReadSheetQuery, useUpdateSheetMutation } from '@/api/generated';
import { useLazyReadSheetQuery } from '@/api/lazy';
import { throwOnError, toProblem } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { withoutTime } from '@/shared/forms/DateField';
import { useSubmit } from '@/shared/forms/useSubmit';
import { fullName } from '@/shared/records/fullName';
import { closedPageOf, detailsOf } from '@/shared/records/sheetAddresses';
import { PageLoader } from '@/shared/ui/PageLoader';
import { usePageTitle } from '@/shared/ui/pageName';
import { toast } from '@/shared/ui/toast';
import { DeleteSheetButton } from '../DeleteSheetButton';
import { draftOf, type Particulars, SheetForm, useSheetForm } from './SheetForm';

/** Edit the admission data of a sheet; a closed sheet is shown instead. */
export default function EditSheetPage() {
  const { id } = useParams();
  const sheet = useReadSheetQuery({ sheetId: Number(id) });
  throwOnError(sheet);
  if (!sheet.data) return <PageLoader />;
  if (sheet.data.closed) return <Navigate to={closedPageOf(sheet.data)} replace />;
  return <EditSheetForm key={sheet.data.id} sheet={sheet.data} />;
}

const fields = ['patient_id', 'room_id', 'admission_date', 'doctor', 'diagnosis'] as const;

const particularsOf = (sheet: SheetView): Particulars => ({
  patient_id: sheet.patient_id,
  room_id: sheet.room_id,
  admission_date: withoutTime(sheet.admission_date),
  doctor: sheet.doctor,
  diagnosis: sheet.diagnosis,
});

const differing = (one: Particulars, other: Particulars) =>
  fields.filter((field) => one[field] !== other[field]);

function EditSheetForm({ sheet }: { sheet: SheetView }) {
  const t = useText();
  const format = useFormat();
  usePageTitle(fullName(sheet.patient), true);
  const navigate = useNavigate();
  const [readSheet] = useLazyReadSheetQuery();
  const [updateSheet] = useUpdateSheetMutation();
  const { submit, pending } = useSubmit();
  // The version that the user has seen, not a refetched one: saving must not overwrite changes they have not seen.
  const [base, setBase] = useState(sheet);
  const [newer, setNewer] = useState<SheetView | null>(null);
  const [theirs, setTheirs] = useState<Partial<Record<keyof Particulars, string>>>({});
  const form = useSheetForm(particularsOf(sheet));
  const explained = useRef(false);

  async function update(values: Particulars) {
    const write = (known: SheetView) =>
      updateSheet({ sheetId: sheet.id, 'If-Match': etag(known), sheetDraft: draftOf(values) });
    const answer = await write(base);
    if (!answer.error || toProblem(answer.error).status !== 412) return answer;
    const { data: now } = await readSheet({ sheetId: sheet.id });
    if (!now) return answer;
    if (now.closed) {
      explained.current = true;
      toast.error(t('sheets.edit.closed'));
      return answer;
    }
    if (differing(particularsOf(now), particularsOf(base)).length > 0) {
      explained.current = true;
      setNewer(now);
      return answer;
    }
    // Only consumption was recorded meanwhile, which this form does not touch.
    setBase(now);
    return write(now);
  }

  async function save(values: Particulars) {
    explained.current = false;
    const saved = await submit(() => update(values), {
      form,
      success: 'sheets.updated',
      onProblem: () => explained.current,
    });
    if (saved.ok) navigate(detailsOf(sheet), { replace: true });
  }

  /**
   * Merge another user's changes.
   *
   * Typed values are kept, and conflicts are shown at their fields.
   */
  function bringIn(now: SheetView) {
    const mine = form.getValues();
    const latest = particularsOf(now);
    const before = particularsOf(base);
    const typed = differing(mine, before);
    const disputed = differing(latest, before).filter(
      (field) => differing(mine, latest).includes(field) && typed.includes(field),
    );
    const written = {
      patient_id: fullName(now.patient),
      room_id: now.room.name,
      admission_date: format.day(now.admission_date),
      doctor: now.doctor,
      diagnosis: now.diagnosis,
    };
    form.setValues({ ...latest, ...Object.fromEntries(typed.map((field) => [field, mine[field]])) });
    setTheirs(
      Object.fromEntries(
        disputed.map((field) => [field, t('sheets.edit.theirs', { value: written[field] || '—' })]),
      ),
    );
    setBase(now);
    setNewer(null);
  }

  return (
    <SheetForm
      form={form}
      sheet={base}
      save={save}
      pending={pending}
      back={detailsOf(sheet)}
      submitLabel={t('action.save')}
      theirs={theirs}
      notice={
        newer && (
          <Alert color="yellow" role="alert">
            <Group justify="space-between" gap="sm">
              <Text flex="1 1 16rem">{t('sheets.edit.changed')}</Text>
              <Button variant="default" onClick={() => bringIn(newer)}>
                {t('sheets.edit.bringIn')}
              </Button>
            </Group>
          </Alert>
        )
      }
    >
      <DeleteSheetButton sheet={base} />
    </SheetForm>
  );
}
