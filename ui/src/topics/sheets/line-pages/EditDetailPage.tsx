import { Alert, Checkbox } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRef, useState } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router-dom';
import { etag } from '@/api/etag';
import {
  type DetailView,
  type SheetView,
  useEditDetailMutation,
  useReadDetailQuery,
  useReadSheetQuery,
} from '@/api/generated';
import { useLazyReadDetailQuery } from '@/api/lazy';
import { type Message, throwOnError } from '@/api/problem';
import type { Decimal } from '@/i18n/decimal';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { DecimalInput, useDecimalRule } from '@/shared/forms/DecimalInput';
import { FormCard } from '@/shared/forms/FormCard';
import { useSubmit } from '@/shared/forms/useSubmit';
import { settled } from '@/shared/forms/useUnsavedChangesPrompt';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { timeOfUse } from '@/shared/records/timeOfUse';
import { DescriptionItem, DescriptionList } from '@/shared/ui/DescriptionList';
import { PageLoader } from '@/shared/ui/PageLoader';
import { usePageTitle } from '@/shared/ui/pageName';
import { toast } from '@/shared/ui/toast';
import { useReturnPath } from '@/shared/ui/useReturnPath';
import type { Chosen } from '../lines/DetailSelects';
import { lineTotal } from '../lines/lineTotal';
import { needsReason, type Reasons } from '../lines/questions';
import { useDetailRules } from '../lines/useDetailRules';
import { useReasons } from '../lines/useReasons';
import { useServerQuestions } from '../lines/useServerQuestions';
import { sheetName } from '../OpenSheetSelect';
import { DeleteDetailButton } from './DeleteDetailButton';
import { DetailFields } from './DetailFields';
import { useScanned } from './useScanned';

interface Values extends Chosen {
  quantity: Decimal;
  total: Decimal;
  /** Whether to charge a line that is not billed. */
  isCharged: boolean;
}

/**
 * Edit product, quantity, total, staff and area of a detail.
 *
 * The detail of a closed sheet is shown instead.
 */
export default function EditDetailPage() {
  const detailId = Number(useParams().id);
  const detail = useReadDetailQuery({ detailId }, { refetchOnMountOrArgChange: true });
  const sheetId = detail.currentData?.consumption_sheet_id;
  const sheet = useReadSheetQuery({ sheetId: sheetId ?? 0 }, { skip: sheetId === undefined });
  throwOnError(detail);
  throwOnError(sheet);
  if (!detail.currentData || !sheet.currentData) return <PageLoader />;
  if (sheet.currentData.closed) return <Navigate to={`/consumption-sheet-details/${detailId}`} replace />;
  return <EditDetailForm key={detailId} detail={detail.currentData} sheet={sheet.currentData} />;
}

function EditDetailForm({ detail: begun, sheet }: { detail: DetailView; sheet: SheetView }) {
  const t = useText();
  const format = useFormat();
  usePageTitle(begun.product.name, true);
  const navigate = useNavigate();
  const back = useReturnPath(detailsOf(sheet));
  const [readDetail] = useLazyReadDetailQuery();
  const [editDetail] = useEditDetailMutation();
  const { submit, pending } = useSubmit();
  // The version that the user has seen: saving it must not overwrite changes they have not seen.
  const [detail, setDetail] = useState(begun);
  const [changed, setChanged] = useState(false);
  // The unit price, from which the total is computed until the user enters a total.
  const [unitPrice, isSet] = [useRef(detail.unit_price), useRef(false)];
  const [isUnbilled, setUnbilled] = useState(Boolean(detail.unbilled));
  const form = useForm<Values>({
    initialValues: {
      product_id: detail.product_id,
      product: detail.product,
      quantity: detail.quantity,
      total: detail.total ?? null,
      isCharged: false,
      staff_id: detail.staff_id,
      staff: detail.staff,
      area_id: detail.area_id,
    },
    validate: {
      ...useDetailRules(),
      total: useDecimalRule(),
    },
  });
  const questions = useServerQuestions(form);
  const askReasons = useReasons();
  const scans = useScanned(form, () => {
    const [values, wasSet, price] = [form.getValues(), isSet.current, unitPrice.current];
    return () => {
      form.setValues(values);
      isSet.current = wasSet;
      unitPrice.current = price;
    };
  });

  function recomputeTotal(isFree = isUnbilled) {
    const { quantity, isCharged } = form.getValues();
    isSet.current = false;
    if (unitPrice.current !== undefined && typeof quantity === 'number')
      form.setFieldValue('total', lineTotal(unitPrice.current, quantity, isFree && !isCharged));
  }

  /**
   * Load the version that another user saved first.
   *
   * Typed values stay in the form, and the user decides whether to save again.
   */
  async function loadRemoteVersion() {
    const { data } = await readDetail({ detailId: detail.id });
    if (!data) return;
    setDetail(data);
    setChanged(true);
  }

  async function save(values: Values, acknowledged = questions.acknowledged(), given: Reasons = {}) {
    const { product_id, quantity, total, staff_id, area_id, isCharged } = values;
    let asked: Message[] = [];
    const isSame = product_id === detail.product_id && quantity === detail.quantity && !isCharged;
    const saved = await submit(
      () =>
        editDetail({
          detailId: detail.id,
          'If-Match': etag(detail),
          detailDraft: {
            consumption_sheet_id: detail.consumption_sheet_id,
            product_id: product_id as number,
            quantity: quantity as number,
            // Otherwise the server computes it; a different product gets its current price.
            total: isSet.current || isSame ? (total as number) : undefined,
            staff_id: staff_id ?? undefined,
            area_id: area_id ?? undefined,
            charged: isCharged || undefined,
            acknowledged,
            ...given,
          },
        }),
      {
        form,
        success: 'details.updated',
        onProblem: (problem) => {
          const { status } = problem;
          if (questions.ask(problem)) {
            if (needsReason(problem.messages)) asked = problem.messages;
            return true;
          }
          if (status === 404) {
            toast.error(t('details.gone'));
            navigate(back, { replace: true, state: settled });
          }
          if (status === 412) loadRemoteVersion();
          return status === 404 || status === 412;
        },
      },
    );
    const reasons = asked.length > 0 && (await askReasons(asked, given));
    if (reasons) await save(values, questions.acknowledged(), reasons);
    if (saved.ok) navigate(back, { replace: true });
  }

  return (
    <FormCard
      form={form}
      save={async (values) => {
        if (questions.confirmZero(detail.quantity)) await save(values);
      }}
      pending={pending}
      back={back}
      extra={<DeleteDetailButton detail={detail} sheet={sheet} after={detailsOf(sheet)} />}
    >
      <DescriptionList>
        <DescriptionItem name={t('details.sheet')}>{sheetName(sheet)}</DescriptionItem>
        <DescriptionItem name={t('details.date')}>{format.moment(timeOfUse(detail))}</DescriptionItem>
      </DescriptionList>
      {changed && (
        <Alert color="gray" role="alert" title={t('details.changedMeanwhile')}>
          {t('details.changedTo', {
            what: format.counted(detail.quantity, detail.product.name),
            total: format.money(detail.total ?? 0),
          })}
        </Alert>
      )}
      <DetailFields
        form={form}
        onProduct={(product) => {
          if (!product) return;
          // Choosing the same product again keeps the price at which the line was recorded.
          const isSame = product.id === detail.product_id;
          unitPrice.current = isSame ? detail.unit_price : product.price;
          const isFree = Boolean(isSame ? detail.unbilled : product.included_in_stay);
          setUnbilled(isFree);
          recomputeTotal(isFree);
        }}
        onQuantity={() => recomputeTotal()}
        {...scans}
      >
        <DecimalInput
          label={t('sheets.total')}
          required
          {...form.getInputProps('total')}
          value={form.values.total}
          onChange={(total) => {
            isSet.current = true;
            form.setFieldValue('total', total);
          }}
        />
        {isUnbilled && (
          <Checkbox
            label={t('details.charge')}
            description={t('details.chargeHint')}
            checked={form.values.isCharged}
            onChange={({ currentTarget }) => {
              form.setFieldValue('isCharged', currentTarget.checked);
              recomputeTotal();
            }}
          />
        )}
      </DetailFields>
    </FormCard>
  );
}
