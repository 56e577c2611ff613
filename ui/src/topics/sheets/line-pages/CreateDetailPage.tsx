import { isNotEmpty, useForm } from '@mantine/form';
import { useNavigate } from 'react-router-dom';
import { useAddDetailMutation, useReadSheetQuery } from '@/api/generated';
import { type Message, throwOnError } from '@/api/problem';
import { useText } from '@/i18n/useText';
import type { DetailValues } from '@/outbox/outboxSlice';
import { FormCard } from '@/shared/forms/FormCard';
import { useSubmit } from '@/shared/forms/useSubmit';
import { useListState } from '@/shared/lists/useListState';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { DescriptionItem, DescriptionList } from '@/shared/ui/DescriptionList';
import { PageLoader } from '@/shared/ui/PageLoader';
import { useReturnPath } from '@/shared/ui/useReturnPath';
import { needsReason, type Reasons } from '../lines/questions';
import { useBlankDetail, useDetailRules } from '../lines/useDetailRules';
import { useReasons } from '../lines/useReasons';
import { useServerQuestions } from '../lines/useServerQuestions';
import { SheetNote, sheetName } from '../OpenSheetSelect';
import { DetailFields } from './DetailFields';
import { SheetSelect } from './SheetSelect';
import { useScanned } from './useScanned';

interface Values extends DetailValues {
  consumption_sheet_id: number | null;
}

/** Record a detail on the sheet in the URL, or on one chosen here. */
export default function CreateDetailPage() {
  const sheetId = useListState().filterId('sheet');
  const sheet = useReadSheetQuery({ sheetId: sheetId ?? 0 }, { skip: sheetId === undefined });
  throwOnError(sheet);
  const { currentData: named } = sheet;
  if (sheetId !== undefined && !named) return <PageLoader />;
  return <CreateDetailForm key={named?.id} sheet={named?.closed ? undefined : named} />;
}

function CreateDetailForm({ sheet }: { sheet: Parameters<typeof sheetName>[0] | undefined }) {
  const t = useText();
  const navigate = useNavigate();
  const back = useReturnPath('/consumption-sheet-details');
  const [addDetail] = useAddDetailMutation();
  const { submit, pending } = useSubmit();
  const form = useForm<Values>({
    initialValues: { ...useBlankDetail(), consumption_sheet_id: sheet?.id ?? null },
    validate: { ...useDetailRules(), consumption_sheet_id: isNotEmpty(t('form.required')) },
  });

  const questions = useServerQuestions(form);
  const askReasons = useReasons();
  const scans = useScanned(form);

  async function save(values: Values, acknowledged = questions.acknowledged(), given: Reasons = {}) {
    const { consumption_sheet_id, product_id, quantity, staff_id, area_id } = values;
    let asked: Message[] = [];
    const added = await submit(
      (key) =>
        addDetail({
          'Idempotency-Key': key,
          detailDraft: {
            consumption_sheet_id: consumption_sheet_id as number,
            product_id: product_id as number,
            quantity: quantity as number,
            staff_id: staff_id ?? undefined,
            area_id: area_id ?? undefined,
            acknowledged,
            ...given,
          },
        }),
      {
        form,
        success: 'details.created',
        onProblem: (problem) => {
          if (!questions.ask(problem)) return false;
          if (needsReason(problem.messages)) asked = problem.messages;
          return true;
        },
      },
    );
    const reasons = asked.length > 0 && (await askReasons(asked, given));
    if (reasons) await save(values, questions.acknowledged(), reasons);
    if (added.ok) navigate(detailsOf({ id: added.data.consumption_sheet_id }), { replace: true });
  }

  return (
    <FormCard
      form={form}
      save={async (values) => {
        if (questions.confirmZero()) await save(values);
      }}
      pending={pending}
      back={back}
      submitLabel={t('details.add')}
    >
      {sheet ? (
        <DescriptionList>
          <DescriptionItem name={t('details.sheet')}>
            <span>{`${sheetName(sheet)} · `}</span>
            <SheetNote sheet={sheet} />
          </DescriptionItem>
        </DescriptionList>
      ) : (
        <SheetSelect form={form} />
      )}
      <DetailFields form={form} {...scans} />
    </FormCard>
  );
}
