import { Alert, Button, Checkbox, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import {
  type FormWithProductsView,
  type ProductView,
  type ReadingView,
  type SheetView,
  type UseReason,
  useRecordFormMutation,
} from '@/api/generated';
import { useLazyOpenAreaSheetQuery } from '@/api/lazy';
import type { Message, Problem } from '@/api/problem';
import { useHospitalClock } from '@/i18n/hospitalClock';
import { useText } from '@/i18n/useText';
import { zonedTimeToIso } from '@/i18n/zonedTimeToIso';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { useSubmit } from '@/shared/forms/useSubmit';
import { useUnsavedChangesPrompt } from '@/shared/forms/useUnsavedChangesPrompt';
import { fullName } from '@/shared/records/fullName';
import { pageOf } from '@/shared/records/sheetAddresses';
import { toast } from '@/shared/ui/toast';
import { hasPackData, NO_PACK } from '@/symbols/pack';
import { codeAndUnit, PRODUCT_WAIT, useActiveProducts } from '@/topics/catalogue/productSearch';
import { IMPLANT_INCOMPLETE, LOT_RECALLED } from '@/topics/sheets/lines/questions';
import { AreaUse } from '@/topics/sheets/lines/ReasonChoice';
import { useDetailRules } from '@/topics/sheets/lines/useDetailRules';
import { OpenSheetSelect } from '@/topics/sheets/OpenSheetSelect';
import classes from './FormPage.module.css';
import { emptyLine, isFilled, isOfPack, type Line, lineFor, nextKey, packOf, withLine } from './formLines';
import { LineFields } from './LineFields';
import { useFormQuestions } from './useFormQuestions';
import { useFormScan } from './useFormScan';

interface Chosen {
  id: number;
  name: string;
}

/** Record what was noted on a contingency form. */
export function RecordForm({ form }: { form: FormWithProductsView }) {
  const t = useText();
  const navigate = useNavigate();
  const [recordForm] = useRecordFormMutation();
  const { submit, pending } = useSubmit();
  const clock = useHospitalClock();
  const { quantity: rule } = useDetailRules();
  const printed = form.sheet && { id: form.sheet.id, name: fullName(form.sheet.patient) };
  const [openAreaSheet] = useLazyOpenAreaSheetQuery();
  const { area_id: areaId, area } = form;
  const [sheet, setSheet] = useState<Chosen | null>(null);
  // What the area used it for, if it is no patient's; empty until that is chosen.
  const [useReason, setUseReason] = useState<UseReason | '' | null>(null);
  const ofArea = useReason !== null;
  const [usedAt, setUsedAt] = useState('');
  const [lines, setLines] = useState<Line[]>(() =>
    form.products.filter(({ active }) => active).map((product, at) => emptyLine(at, product)),
  );
  const [errors, setErrors] = useState<Partial<Record<'sheet' | 'useReason' | 'usedAt' | 'items', string>>>(
    {},
  );
  const [isClosed, setIsClosed] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  const fields = useRef(new Map<number, HTMLInputElement>());

  const content = JSON.stringify([
    sheet?.id,
    useReason,
    usedAt,
    lines.map(({ product, quantity, pack }) => [product.id, quantity, pack]),
  ]);
  const { question, ask, askForReasons } = useFormQuestions(content);
  /** The contents whose quantities of 0 were asked about. */
  const zeroAsked = useRef('');
  useUnsavedChangesPrompt(
    () =>
      !isSaved &&
      (sheet !== null || ofArea || usedAt !== '' || lines.some((line) => isFilled(line) || isOfPack(line))),
  );

  function focus(key: number) {
    // After the line is rendered.
    requestAnimationFrame(() => fields.current.get(key)?.focus());
  }

  function choose(next: Chosen | null) {
    setSheet(next);
    setUseReason(null);
    setIsClosed(false);
    setErrors(({ sheet: _, useReason: __, ...rest }) => rest);
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

  useFormScan({
    formNumber: form.number,
    remember: () => {
      const before = lines;
      return () => setLines(before);
    },
    onProduct: addProduct,
    onSheet: choose,
  });

  /** Show what is wrong with the lines, by their keys, and go to the first. */
  function markWrong(wrong: Map<number, string>) {
    setLines((before) => before.map((line) => ({ ...line, error: wrong.get(line.key) })));
    const [first] = wrong.keys();
    if (first !== undefined) focus(first);
  }

  /** Show each message at its field; messages without one as toasts. */
  function explain(problem: Problem): boolean {
    if (problem.status !== 422) return false;
    const { messages } = problem;
    setIsClosed(messages.some(({ code }) => code === 'sheet.closed'));
    const sent = lines.filter(isFilled);
    const lineOf = ({ field }: Message) => sent[Number(/^items\.(\d+)/.exec(field ?? '')?.[1] ?? -1)];
    const isQuestion = messages.every((one) => one.acknowledgeable);
    const implants = new Set(
      messages.filter(({ code }) => code === IMPLANT_INCOMPLETE).map((message) => lineOf(message)?.key),
    );
    const wrong = new Map<number, string>();
    const others: string[] = [];
    const found: typeof errors = {};
    if (isQuestion) ask(messages, lineOf);
    else
      for (const message of messages) {
        const { field, text, textAtItem, code } = message;
        const line = lineOf(message);
        if (line) wrong.set(line.key, [wrong.get(line.key), textAtItem ?? text].filter(Boolean).join(' '));
        else if (field === 'occurred_at') found.usedAt = text;
        else if (field === 'sheet_id') found.sheet = text;
        else if (code !== 'sheet.closed') others.push(text);
      }
    setErrors(found);
    setLines((before) =>
      before.map((line) => ({ ...line, isImplant: line.isImplant || implants.has(line.key) })),
    );
    markWrong(wrong);
    for (const text of others) toast.error(text);
    return true;
  }

  async function save(asLateEntry = false) {
    const filled = lines.filter(isFilled);
    const found: typeof errors = {};
    if (ofArea && !useReason) found.useReason = t('form.required');
    if (!sheet && !ofArea) found.sheet = t(printed ? 'forms.confirmPatient' : 'form.required');
    if (!usedAt) found.usedAt = t('form.required');
    if (filled.length === 0) found.items = t('forms.noLines');
    setErrors(found);
    const wrong = new Map<number, string>();
    for (const line of lines) {
      const isZero = line.quantity === 0 && zeroAsked.current !== content;
      const error = isFilled(line)
        ? (rule(line.quantity) ?? (isZero && t('details.quantityIsZero')))
        : isOfPack(line) && t('forms.quantityMissing');
      if (error) wrong.set(line.key, error);
    }
    zeroAsked.current = content;
    if (wrong.size > 0) markWrong(wrong);
    if (Object.keys(found).length > 0 || wrong.size > 0) return;
    const reasonFor = asLateEntry ? () => undefined : await askForReasons();
    if (!reasonFor) return;
    const page = ofArea && areaId ? await submit(() => openAreaSheet({ areaId })) : undefined;
    if (page && !page.ok) return;
    const to = page?.data ?? sheet;
    if (!to) return;
    const saved = await submit(
      (key) =>
        recordForm({
          formId: form.number,
          'Idempotency-Key': key,
          formRecordDraft: {
            sheet_id: to.id,
            occurred_at: zonedTimeToIso(clock, usedAt),
            items: filled.map(({ key: line, product, quantity, pack, gtin }) => ({
              product_id: product.id,
              quantity: quantity as number,
              lot: pack.lot ?? undefined,
              expiry: pack.expiry ?? undefined,
              serial: pack.serial ?? undefined,
              gtin: gtin ?? undefined,
              recall_reason: reasonFor(line, LOT_RECALLED),
              implant_reason: reasonFor(line, IMPLANT_INCOMPLETE),
              use_reason: useReason || undefined,
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
    navigate(pageOf(to), { state: { settled: true } });
  }

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
            required={!ofArea}
            value={sheet?.id ?? null}
            valueName={sheet?.name}
            error={errors.sheet}
            onChange={(id: number | null, found: SheetView | null) =>
              choose(id && found ? { id, name: fullName(found.patient) } : null)
            }
          />
        )}
        {form.blank && area && areaId && (
          <AreaUse
            area={area}
            isOn={ofArea}
            onToggle={() => {
              choose(null);
              setUseReason(ofArea ? null : '');
            }}
            reason={useReason ?? ''}
            onReason={(reason) => {
              setUseReason(reason);
              setErrors(({ useReason: _, ...rest }) => rest);
            }}
            error={errors.useReason}
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
          value={null}
          onChange={(_, product) => product && addProduct(product)}
        />
        {question && (
          <Alert color="yellow">
            <Stack gap="xs">
              {[...new Set(question.texts)].map((text) => (
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
            {t(question ? 'forms.saveAnyway' : 'action.save')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
