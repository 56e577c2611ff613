import { Alert, Anchor, Button, Checkbox, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.css';
import { useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import {
  type FormProductView,
  type FormWithProductsView,
  generatedApi,
  type ProductView,
  type SheetView,
  useReadFormQuery,
  useRecordFormMutation,
} from '@/api/generated';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { isAborted, type Problem, throwOnError, toProblem } from '@/api/problem';
import { codeAndUnit, PRODUCT_WAIT, useActiveProducts } from '@/components/catalogue/productSearch';
import { DecimalInput } from '@/components/forms/DecimalInput';
import { SearchSelect } from '@/components/forms/SearchSelect';
import { showProblem, useSubmit } from '@/components/forms/useSubmit';
import { useUnsavedChangesPrompt } from '@/components/forms/useUnsavedChangesPrompt';
import { fullName } from '@/components/people/fullName';
import { OpenSheetSelect } from '@/components/sheets/OpenSheetSelect';
import { detailsOf } from '@/components/sheets/sheetAddresses';
import { PageLoader } from '@/components/ui/PageLoader';
import { usePageTitle } from '@/components/ui/pageName';
import { toast } from '@/components/ui/toast';
import type { Decimal } from '@/i18n/decimal';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { zonedTimeToIso } from '@/i18n/zonedTimeToIso';
import { labelText } from '@/scan/labelText';
import { useScanHandler } from '@/scan/scanHandlers';
import { giveSignal } from '@/scan/signals';
import { sheetsOf } from '@/scan/wristbands';
import { useCan } from '@/session/useCan';
import { useAppDispatch } from '@/storeHooks';
import { DiscardFormButton } from './DiscardFormButton';
import classes from './FormPage.module.css';

/** Record what was noted on a contingency form. */
export default function FormPage() {
  const formId = Number(useParams().id);
  const t = useText();
  // Another nurse may have recorded it meanwhile.
  const read = useReadFormQuery({ formId }, { refetchOnMountOrArgChange: true });
  throwOnError(read);
  usePageTitle(t('forms.one', { number: formId }));
  const form = read.currentData;
  if (!form) return <PageLoader />;
  const isPending = form.state === 'open' || form.state === 'standby';
  return (
    <Stack gap="md" maw="44rem">
      <FormHead form={form} />
      {isPending ? <RecordForm key={form.number} form={form} /> : <DecidedForm form={form} />}
    </Stack>
  );
}

function FormHead({ form }: { form: FormWithProductsView }) {
  const t = useText();
  const format = useFormat();
  const mayDiscard = useCan('late_entries.manage');
  const isPending = form.state === 'open' || form.state === 'standby';
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Text c="dimmed" size="sm">
          {[t('forms.printed', { at: format.moment(form.printed_at) }), form.area, form.printed_by]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      {mayDiscard && isPending && <DiscardFormButton form={form} />}
    </Group>
  );
}

function DecidedForm({ form }: { form: FormWithProductsView }) {
  const t = useText();
  const format = useFormat();
  const said = { by: form.decided_by ?? '', at: form.decided_at ? format.moment(form.decided_at) : '' };
  return (
    <Alert color="yellow">
      <Stack gap="xs">
        <Text fw={600}>{t(form.state === 'recorded' ? 'forms.isRecorded' : 'forms.isDiscarded', said)}</Text>
        {form.reason && <Text>{form.reason}</Text>}
        {form.late_entry_id !== null && <Text>{t('forms.isLate')}</Text>}
        {form.recorded_sheet_id !== null && (
          <Anchor component={Link} to={detailsOf({ id: form.recorded_sheet_id })}>
            {t('forms.toSheet')}
          </Anchor>
        )}
      </Stack>
    </Alert>
  );
}

interface Line {
  product: Pick<FormProductView, 'id' | 'name' | 'code' | 'unit'>;
  quantity: Decimal;
  error?: string;
}

interface Chosen {
  id: number;
  name: string;
}

const isFilled = ({ quantity }: Line) => quantity !== '';

function RecordForm({ form }: { form: FormWithProductsView }) {
  const t = useText();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [recordForm] = useRecordFormMutation();
  const { submit, pending } = useSubmit();
  const zone = useReadSettingsQuery().data?.time_zone;
  const printed = form.sheet && { id: form.sheet.id, name: fullName(form.sheet.patient) };
  const [sheet, setSheet] = useState<Chosen | null>(null);
  const [usedAt, setUsedAt] = useState('');
  const [lines, setLines] = useState<Line[]>(() =>
    form.products.filter(({ active }) => active).map((product): Line => ({ product, quantity: '' })),
  );
  const [errors, setErrors] = useState<Partial<Record<'sheet' | 'usedAt' | 'items', string>>>({});
  const [asked, setAsked] = useState<{ content: string; codes: string[]; texts: string[] } | null>(null);
  const [isClosed, setIsClosed] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  const fields = useRef(new Map<number, HTMLInputElement>());

  const content = JSON.stringify([
    sheet?.id,
    usedAt,
    lines.map(({ product, quantity }) => [product.id, quantity]),
  ]);
  useUnsavedChangesPrompt(() => !isSaved && (sheet !== null || usedAt !== '' || lines.some(isFilled)));

  function focus(productId: number) {
    // After the line is rendered.
    requestAnimationFrame(() => fields.current.get(productId)?.focus());
  }

  function choose(next: Chosen | null) {
    setSheet(next);
    setIsClosed(false);
    setErrors(({ sheet: _, ...rest }) => rest);
  }

  function addProduct(product: Line['product']) {
    setLines((before) =>
      before.some((line) => line.product.id === product.id) ? before : [...before, { product, quantity: '' }],
    );
    focus(product.id);
  }

  const setQuantity = (productId: number, quantity: Decimal) =>
    setLines((before) =>
      before.map((line) => (line.product.id === productId ? { ...line, quantity, error: undefined } : line)),
    );

  useScanHandler({
    remember: () => {
      const before = lines;
      return () => setLines(before);
    },
    onScan: async ({ code }) => {
      const { data, error } = await dispatch(
        generatedApi.endpoints.lookUpProduct.initiate(
          { scan: code, onlyTried: true },
          { subscribe: false, forceRefetch: true },
        ),
      );
      if (!data) {
        if (!isAborted(error)) showProblem(toProblem(error));
        return;
      }
      const { people, matches, label } = data;
      const sheets = sheetsOf(people);
      const [only] = sheets;
      const [match] = matches;
      const formNumber = label?.form_number;
      if (formNumber) {
        giveSignal('taken');
        if (formNumber !== form.number) navigate(`/consumption-sheets/forms/${formNumber}`);
      } else if (only && sheets.length === 1) {
        giveSignal('otherPatient');
        choose({ id: only.id, name: fullName(only.person) });
      } else if (match && matches.length === 1 && match.product.active) {
        giveSignal('taken');
        addProduct(match.product);
      } else {
        giveSignal('refused');
        const [person] = people;
        if (person && sheets.length > 1) toast.error(t('forms.severalSheets', { patient: fullName(person) }));
        else if (person) toast.error(t('scan.noSheet', { patient: fullName(person) }));
        else if (label && label.state !== 'found') toast.error(t(labelText(label)));
        else if (matches.length > 0) toast.error(t('forms.chooseProduct', { code: code.trim() }));
        else toast.error(t('scan.unknown', { code: code.trim() }));
      }
    },
  });

  /** Show each message at its field; messages without one as toasts. */
  function explain(problem: Problem): boolean {
    if (problem.status !== 422) return false;
    const { messages } = problem;
    setIsClosed(messages.some(({ code }) => code === 'sheet.closed'));
    if (messages.every((one) => one.acknowledgeable)) {
      const before = asked?.content === content ? asked.codes : [];
      const codes = messages.map(({ code }) => code ?? '');
      setAsked({ content, codes: [...before, ...codes], texts: messages.map(({ text }) => text) });
      return true;
    }
    const sent = lines.filter(isFilled);
    const wrong = new Map<number, string>();
    const others: string[] = [];
    const found: typeof errors = {};
    for (const { field, text, code } of messages) {
      const product = sent[Number(/^items\.(\d+)/.exec(field ?? '')?.[1] ?? -1)]?.product;
      if (product) wrong.set(product.id, [wrong.get(product.id), text].filter(Boolean).join(' '));
      else if (field === 'occurred_at') found.usedAt = text;
      else if (field === 'sheet_id') found.sheet = text;
      else if (code !== 'sheet.closed') others.push(text);
    }
    setErrors(found);
    setLines((before) => before.map((line) => ({ ...line, error: wrong.get(line.product.id) })));
    const [first] = wrong.keys();
    if (first !== undefined) focus(first);
    for (const text of others) toast.error(text);
    return true;
  }

  async function save(asLateEntry = false) {
    const filled = lines.filter(isFilled);
    const found: typeof errors = {};
    if (!sheet) found.sheet = t(printed ? 'forms.confirmPatient' : 'form.required');
    if (!usedAt) found.usedAt = t('form.required');
    if (filled.length === 0) found.items = t('forms.noLines');
    setErrors(found);
    if (Object.keys(found).length > 0 || !sheet) return;
    const saved = await submit(
      (key) =>
        recordForm({
          formId: form.number,
          'Idempotency-Key': key,
          formRecordDraft: {
            sheet_id: sheet.id,
            occurred_at: zonedTimeToIso(zone, usedAt),
            items: filled.map(({ product, quantity }) => ({
              product_id: product.id,
              quantity: quantity as number,
            })),
            acknowledged: asked?.content === content ? asked.codes : [],
            as_late_entry: asLateEntry,
          },
        }),
      { onProblem: explain },
    );
    if (!saved.ok) return;
    setIsSaved(true);
    toast.success(t(saved.data.late_entry_id === null ? 'forms.saved' : 'forms.sentLate'));
    navigate(detailsOf({ id: sheet.id }), { state: { settled: true } });
  }

  const hasQuestion = asked?.content === content;
  return (
    <Paper
      withBorder
      component="form"
      noValidate
      p={{ base: 'md', sm: 'lg' }}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack gap="md">
        <Text c="dimmed">{t('forms.how')}</Text>
        {printed && (!sheet || sheet.id === printed.id) ? (
          <Checkbox
            size="md"
            classNames={{ labelWrapper: classes.isOf }}
            label={t('forms.isOf', { patient: printed.name, room: form.sheet?.room ?? '' })}
            description={form.sheet?.patient.record_number}
            checked={sheet !== null}
            error={errors.sheet}
            onChange={({ currentTarget: { checked } }) => choose(checked ? printed : null)}
          />
        ) : (
          <OpenSheetSelect
            label={t('sheets.patient')}
            description={t('forms.scanPatient')}
            required
            value={sheet?.id ?? null}
            valueName={sheet?.name}
            key={sheet?.id}
            error={errors.sheet}
            onChange={(id: number | null, found: SheetView | null) =>
              choose(id && found ? { id, name: fullName(found.patient) } : null)
            }
          />
        )}
        <TextInput
          type="datetime-local"
          label={t('forms.usedAt')}
          required
          value={usedAt}
          error={errors.usedAt}
          onChange={({ currentTarget: { value } }) => {
            setUsedAt(value);
            setErrors(({ usedAt: _, ...rest }) => rest);
          }}
        />
        <div>
          <Text fw={600}>{t('forms.lines')}</Text>
          {errors.items && <Text c="var(--mantine-color-error)">{errors.items}</Text>}
          <ul className={classes.lines}>
            {lines.map(({ product, quantity, error }) => (
              <li key={product.id} className={classes.line}>
                <span className={classes.name}>
                  <span>{product.name}</span>{' '}
                  <Text span size="sm" c="dimmed">
                    {[product.code, product.unit].filter(Boolean).join(' · ')}
                  </Text>
                </span>
                <DecimalInput
                  aria-label={t('forms.quantityOf', { product: product.name })}
                  value={quantity}
                  error={error}
                  ref={(field: HTMLInputElement | null) => {
                    if (field) fields.current.set(product.id, field);
                    else fields.current.delete(product.id);
                  }}
                  onChange={(next) => setQuantity(product.id, next)}
                />
              </li>
            ))}
          </ul>
        </div>
        <SearchSelect<ProductView>
          label={t('forms.other')}
          placeholder={t('details.productPlaceholder')}
          useFound={useActiveProducts}
          nameOf={({ name }) => name}
          noteOf={codeAndUnit}
          wait={PRODUCT_WAIT}
          // A chosen product becomes a line, and the field is empty again.
          key={lines.length}
          value={null}
          onChange={(_, product) => product && addProduct(product)}
        />
        {hasQuestion && (
          <Alert color="yellow">
            <Stack gap="xs">
              {asked.texts.map((text) => (
                <Text key={text}>{text}</Text>
              ))}
            </Stack>
          </Alert>
        )}
        {isClosed && (
          <Alert color="yellow">
            <Stack gap="sm" align="flex-start">
              <Text>{t('forms.closed')}</Text>
              <Button variant="default" loading={pending} onClick={() => void save(true)}>
                {t('forms.sendLate')}
              </Button>
            </Stack>
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            {t(hasQuestion ? 'forms.saveAnyway' : 'action.save')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
