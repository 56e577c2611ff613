import { Alert, NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDownloadMutation } from '@/api/download';
import { useListAreasQuery } from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { api } from '@/api/tags';
import type { Decimal } from '@/i18n/decimal';
import { useText } from '@/i18n/useText';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DecimalInput } from '@/shared/forms/DecimalInput';
import { DialogForm } from '@/shared/forms/DialogForm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { useAppDispatch } from '@/state/storeHooks';

/** What to print forms for: one sheet, an area that is chosen already, or what the dialog asks. */
export interface FormsToPrint {
  sheet?: { id: number; name: string };
  areaId?: number;
}

const MAX_BLANK = 50;

interface Values {
  area_id: string;
  sheets: string;
  blank: Decimal;
}

/** Dialog that prints contingency forms, in the browser's print dialog. */
export default function PrintFormsDialog({ asked, onClose }: { asked: FormsToPrint; onClose: () => void }) {
  const t = useText();
  const dispatch = useAppDispatch();
  const [download] = useDownloadMutation();
  const { submit, pending } = useSubmit();
  const areas = useListAreasQuery({ limit: OPTIONS_LIMIT }).data?.items ?? [];
  const { sheet } = asked;
  const form = useForm<Values>({
    initialValues: { area_id: asked.areaId ? String(asked.areaId) : '', sheets: 'all', blank: sheet ? 0 : 2 },
    validate: {
      area_id: (value) => (sheet || value ? undefined : t('form.required')),
      blank: (value, { sheets }) =>
        typeof value === 'number' &&
        Number.isInteger(value) &&
        value >= (sheets === 'none' ? 1 : 0) &&
        value <= MAX_BLANK
          ? undefined
          : t('forms.blankRange', { least: sheets === 'none' ? 1 : 0, most: MAX_BLANK }),
    },
  });

  async function print({ area_id, sheets, blank }: Values) {
    const ofArea = { area_id: Number(area_id), sheet_ids: sheets === 'none' ? [] : undefined, blank };
    const done = await submit(
      () =>
        download({
          path: '/api/contingency-forms',
          query: {},
          body: sheet ? { sheet_ids: [sheet.id], blank: 0 } : ofArea,
          fileName: `${t('forms.file')}.pdf`,
          prints: true,
        }),
      { form },
    );
    if (!done.ok) return;
    dispatch(api.util.invalidateTags(['ContingencyForm']));
    onClose();
  }

  return (
    <Dialog opened onClose={onClose} title={t('forms.print')}>
      <DialogForm
        form={form}
        onSubmit={print}
        onCancel={onClose}
        action={t('action.print')}
        pending={pending}
      >
        <Text>{sheet ? sheet.name : t('forms.printHint')}</Text>
        {!sheet && (
          <>
            <NativeSelect
              label={t('details.area')}
              required
              data-autofocus
              data={[
                { value: '', label: t('select.placeholder') },
                ...areas.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              {...form.getInputProps('area_id')}
            />
            <NativeSelect
              label={t('forms.for')}
              data={[
                { value: 'all', label: t('forms.forAll') },
                { value: 'none', label: t('forms.forNone') },
              ]}
              {...form.getInputProps('sheets')}
            />
            <DecimalInput
              label={t('forms.blank')}
              required
              {...form.getInputProps('blank')}
              value={form.values.blank}
            />
          </>
        )}
        <Alert color="yellow">{t('forms.printOnce')}</Alert>
      </DialogForm>
    </Dialog>
  );
}
