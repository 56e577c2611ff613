import { Alert, Anchor, Button, Checkbox, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.css';
import { useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import {
  type FormProductView,
  type FormWithProductsView,
  generatedApi,
  type ProductView,
  type ReadingView,
  type SheetView,
  useReadFormQuery,
  useRecordFormMutation,
} from '@/api/generated';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { isAborted, type Problem, throwOnError, toProblem } from '@/api/problem';
import { codeAndUnit, PRODUCT_WAIT, useActiveProducts } from '@/components/catalogue/productSearch';
import {
  IMPLANT_INCOMPLETE,
  LOT_RECALLED,
  type Question,
  type Reasons,
} from '@/components/details/questions';
import { useReasons } from '@/components/details/useReasons';
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
import { hasPackData, isSamePack, NO_PACK, type Pack } from '@/scan/pack';
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
  key: number;
  product: Pick<FormProductView, 'id' | 'name' | 'code' | 'unit'>;
  quantity: Decimal;
  pack: Pack;
  gtin: string | null;
  /** Whether lot and serial number cannot be told apart for certain. */
  unconfirmed?: boolean;
  /** Whether the server asked for the lot and serial number of an implant. */
  isImplant?: boolean;
  error?: string;
}

interface Chosen {
  id: number;
  name: string;
}

/** Questions of the server about these contents of the form. */
interface Asked {
  content: string;
  codes: string[];
  texts: string[];
  /** The lines of which a question needs a reason. */
  needs: (Question & { key: number })[];
}

const isFilled = ({ quantity }: Line) => quantity !== '';

/** Return whether a line has a lot or serial number, which would be lost without a quantity. */
const isOfPack = ({ pack }: Line) => Boolean(pack.lot || pack.serial);

/** Return a message with the product that it is about. */
const named = (line: Line | undefined, text: string) =>
  line && !text.includes(line.product.name) ? `${line.product.name}: ${text}` : text;

const emptyLine = (key: number, product: Line['product']): Line => ({
  key,
  product,
  quantity: '',
  pack: NO_PACK,
  gtin: null,
});

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
    form.products.filter(({ active }) => active).map((product, at) => emptyLine(at, product)),
  );
  const [errors, setErrors] = useState<Partial<Record<'sheet' | 'usedAt' | 'items', string>>>({});
  const [asked, setAsked] = useState<Asked | null>(null);
  const askReasons = useReasons();
  // The reasons that were given, and what they are about.
  const given = useRef<{ about: string; reasons: Reasons } | null>(null);
  const [isClosed, setIsClosed] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  const fields = useRef(new Map<number, HTMLInputElement>());

  const content = JSON.stringify([
    sheet?.id,
    usedAt,
    lines.map(({ product, quantity, pack }) => [product.id, quantity, pack]),
  ]);
  useUnsavedChangesPrompt(
    () =>
      !isSaved && (sheet !== null || usedAt !== '' || lines.some((line) => isFilled(line) || isOfPack(line))),
  );

  function focus(key: number) {
    // After the line is rendered.
    requestAnimationFrame(() => fields.current.get(key)?.focus());
  }

  function choose(next: Chosen | null) {
    setSheet(next);
    setIsClosed(false);
    setErrors(({ sheet: _, ...rest }) => rest);
  }

  /** Go to the line of a product and pack, and add it if there is none. */
  function addProduct(product: Line['product'], reading: ReadingView | null = null) {
    const pack = reading && !reading.bare ? packOf(reading) : NO_PACK;
    const line = lineFor(lines, product.id, pack) ?? emptyLine(nextKey(lines), product);
    const filled = hasPackData(pack)
      ? {
          ...line,
          pack,
          gtin: reading?.gtin ?? null,
          // A serial number is that of one piece.
          quantity: pack.serial && !isFilled(line) ? 1 : line.quantity,
          unconfirmed: reading?.separator_lost,
        }
      : line;
    setLines((before) => withLine(before, filled));
    focus(line.key);
  }

  const change = (key: number, news: Partial<Line>) =>
    setLines((before) =>
      before.map((line) => (line.key === key ? { ...line, error: undefined, ...news } : line)),
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
      const { people, matches, label, reading } = data;
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
        addProduct(match.product, reading);
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
    const sent = lines.filter(isFilled);
    const lineOf = (field: string | null | undefined) =>
      sent[Number(/^items\.(\d+)/.exec(field ?? '')?.[1] ?? -1)];
    const implants = new Set(
      messages.filter(({ code }) => code === IMPLANT_INCOMPLETE).map(({ field }) => lineOf(field)?.key),
    );
    if (messages.every((one) => one.acknowledgeable)) {
      const before = asked?.content === content ? asked : null;
      const codes = messages.map(({ code }) => code ?? '');
      const needs = messages.flatMap(({ code, text, field }) => {
        const line = lineOf(field);
        const needed = code === LOT_RECALLED || code === IMPLANT_INCOMPLETE;
        return line && needed ? [{ code, text: named(line, text), key: line.key }] : [];
      });
      setErrors({});
      setLines((all) =>
        all.map((line) => ({
          ...line,
          error: undefined,
          isImplant: line.isImplant || implants.has(line.key),
        })),
      );
      setAsked({
        content,
        codes: [...(before?.codes ?? []), ...codes],
        texts: messages.map(({ text, field }) => named(lineOf(field), text)),
        needs: [...(before?.needs ?? []), ...needs],
      });
      return true;
    }
    const wrong = new Map<number, string>();
    const others: string[] = [];
    const found: typeof errors = {};
    for (const { field, text, code } of messages) {
      const line = lineOf(field);
      if (line) wrong.set(line.key, [wrong.get(line.key), text].filter(Boolean).join(' '));
      else if (field === 'occurred_at') found.usedAt = text;
      else if (field === 'sheet_id') found.sheet = text;
      else if (code !== 'sheet.closed') others.push(text);
    }
    setErrors(found);
    setLines((before) =>
      before.map((line) => ({
        ...line,
        error: wrong.get(line.key),
        isImplant: line.isImplant || implants.has(line.key),
      })),
    );
    const [first] = wrong.keys();
    if (first !== undefined) focus(first);
    for (const text of others) toast.error(text);
    return true;
  }

  /** Ask for the reasons that the questions need, once for the same ones; null if the user cancels. */
  async function reasonsFor({ needs }: Asked): Promise<Reasons | null> {
    const about = JSON.stringify(needs);
    const before = given.current?.about === about ? given.current.reasons : {};
    const reasons = await askReasons(needs, before);
    if (reasons) given.current = { about, reasons };
    return reasons;
  }

  async function save(asLateEntry = false) {
    const filled = lines.filter(isFilled);
    const found: typeof errors = {};
    if (!sheet) found.sheet = t(printed ? 'forms.confirmPatient' : 'form.required');
    if (!usedAt) found.usedAt = t('form.required');
    if (filled.length === 0) found.items = t('forms.noLines');
    setErrors(found);
    const unfilled = lines.find((line) => isOfPack(line) && !isFilled(line));
    if (unfilled) {
      change(unfilled.key, { error: t('forms.quantityMissing') });
      focus(unfilled.key);
    }
    if (Object.keys(found).length > 0 || !sheet || unfilled) return;
    const question = asked?.content === content ? asked : null;
    const reasons = question && !asLateEntry ? await reasonsFor(question) : {};
    if (!reasons) return;
    const reasonOf = (key: number, code: string, reason: string | undefined) =>
      question?.needs.some((one) => one.key === key && one.code === code) ? reason : undefined;
    const saved = await submit(
      (key) =>
        recordForm({
          formId: form.number,
          'Idempotency-Key': key,
          formRecordDraft: {
            sheet_id: sheet.id,
            occurred_at: zonedTimeToIso(zone, usedAt),
            items: filled.map(({ key: line, product, quantity, pack, gtin }) => ({
              product_id: product.id,
              quantity: quantity as number,
              lot: pack.lot ?? undefined,
              expiry: pack.expiry ?? undefined,
              serial: pack.serial ?? undefined,
              gtin: gtin ?? undefined,
              recall_reason: reasonOf(line, LOT_RECALLED, reasons.recall_reason),
              implant_reason: reasonOf(line, IMPLANT_INCOMPLETE, reasons.implant_reason),
            })),
            acknowledged: question?.codes ?? [],
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
            {lines.map((line) => (
              <LineFields
                key={line.key}
                line={line}
                onField={(field) => {
                  if (field) fields.current.set(line.key, field);
                  else fields.current.delete(line.key);
                }}
                onChange={(news) => change(line.key, news)}
              />
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

interface LineProps {
  line: Line;
  onField: (field: HTMLInputElement | null) => void;
  onChange: (news: Partial<Line>) => void;
}

/** The quantity of a line; and its lot and serial number if it has them, or is asked for them. */
function LineFields({ line, onField, onChange }: LineProps) {
  const t = useText();
  const format = useFormat();
  const { product, quantity, pack, unconfirmed, isImplant, error } = line;
  const of = [product.name, pack.lot && t('scan.lot', { lot: pack.lot })].filter(Boolean).join(', ');
  return (
    <li className={classes.line}>
      <span className={classes.name}>
        <span>{product.name}</span>{' '}
        <Text span size="sm" c="dimmed">
          {[product.code, product.unit].filter(Boolean).join(' · ')}
        </Text>
      </span>
      <DecimalInput
        aria-label={t('forms.quantityOf', { product: of })}
        value={quantity}
        error={error}
        ref={onField}
        onChange={(next) => onChange({ quantity: next })}
      />
      {(hasPackData(pack) || isImplant) && (
        <div className={classes.pack}>
          {(['lot', 'serial'] as const).map((part) => (
            <TextInput
              key={part}
              className={classes.part}
              label={t(`details.${part}`)}
              aria-label={`${t(`details.${part}`)}: ${product.name}`}
              maxLength={50}
              autoComplete="off"
              value={pack[part] ?? ''}
              onChange={({ currentTarget: { value } }) =>
                onChange({ pack: { ...pack, [part]: value || null }, unconfirmed: false })
              }
            />
          ))}
          {pack.expiry && (
            <Text size="sm" className={classes.expiry}>
              {t('scan.expires', { month: format.day(pack.expiry) })}
            </Text>
          )}
          {unconfirmed && (
            <Text size="sm" c="var(--warn)" className={classes.note}>
              {t('forms.checkPack')}
            </Text>
          )}
        </div>
      )}
    </li>
  );
}

const packOf = ({ lot, expiry, serial }: ReadingView): Pack => ({ lot, expiry, serial });

const nextKey = (lines: Line[]) => Math.max(-1, ...lines.map(({ key }) => key)) + 1;

/** Return the line that the pack belongs to: that of the same pack, or one of the product without a pack. */
function lineFor(lines: Line[], productId: number, pack: Pack): Line | undefined {
  const ofProduct = lines.filter(({ product }) => product.id === productId);
  if (!hasPackData(pack)) return ofProduct[0];
  return (
    ofProduct.find((line) => isSamePack(line.pack, pack)) ??
    ofProduct.find(
      (line) => !hasPackData(line.pack) && (!pack.serial || [1, ''].includes(line.quantity ?? '')),
    )
  );
}

/** Return the lines with this one, which is new or replaces itself; a new one is below those of its product. */
function withLine(lines: Line[], line: Line): Line[] {
  if (lines.some(({ key }) => key === line.key))
    return lines.map((one) => (one.key === line.key ? { ...line, error: undefined } : one));
  const after = lines.findLastIndex(({ product }) => product.id === line.product.id);
  return after < 0 ? [...lines, line] : lines.toSpliced(after + 1, 0, line);
}
