import { Alert, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { IconHelpCircle } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type ProductView,
  type UnlistedItemView,
  useDiscardUnlistedItemMutation,
  useListUnlistedItemsQuery,
  useResolveUnlistedItemMutation,
} from '@/api/generated';
import type { Message } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { ignoreScannerEnter } from '@/scan/ignoreScannerEnter';
import { useCan } from '@/session/useCan';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DateField } from '@/shared/forms/DateField';
import { DialogForm } from '@/shared/forms/DialogForm';
import { ReasonField } from '@/shared/forms/ReasonField';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { useSubmit } from '@/shared/forms/useSubmit';
import { isClosed, type Subject } from '@/shared/records/subject';
import { StatusLine } from '@/shared/ui/StatusLine';
import {
  codeAndUnit,
  isCodeOf,
  isPartOfCode,
  PRODUCT_WAIT,
  useActiveProducts,
} from '@/topics/catalogue/productSearch';
import { needsReason, type Reasons } from '../lines/questions';
import { useReasons } from '../lines/useReasons';
import classes from './UnlistedItems.module.css';

/**
 * Unlisted items of a sheet: used supplies without a product.
 *
 * They are listed until a supervisor resolves or discards them.
 */
export default function UnlistedItems({ sheet }: { sheet: Subject }) {
  const t = useText();
  const format = useFormat();
  const closed = isClosed(sheet);
  const mayResolve = useCan('details.record_of_any_day') && !closed;
  const mayDiscard = useCan('late_entries.manage');
  const [resolved, setResolved] = useState<UnlistedItemView | null>(null);
  const [discarded, setDiscarded] = useState<UnlistedItemView | null>(null);
  // Refetch: other users add and resolve items, too.
  const { data } = useListUnlistedItemsQuery({ sheetId: sheet.id }, { refetchOnMountOrArgChange: true });
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  const hint = closed ? 'unlisted.hintClosed' : 'unlisted.hint';
  return (
    <Paper withBorder component="section" p="md" aria-labelledby="unlisted">
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap" className={classes.title}>
          <IconHelpCircle size={20} aria-hidden />
          <Title order={2} size="h3" id="unlisted">
            {t('unlisted.title', { count: items.length })}
          </Title>
        </Group>
        <Text c="dimmed">{t(hint)}</Text>
        <ul className={classes.list}>
          {items.map((item) => (
            <li key={item.id} id={`unlisted-${item.id}`} tabIndex={-1} className={classes.item}>
              <div className={classes.what}>
                <Text fw={600}>{format.counted(item.quantity, item.description)}</Text>
                <Text size="sm" c="dimmed">
                  {[item.staff ?? item.by, item.area, format.moment(item.occurred_at)]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </div>
              <Group gap="sm">
                {mayResolve && (
                  <Button variant="default" onClick={() => setResolved(item)}>
                    {t('unlisted.resolve')}
                  </Button>
                )}
                {mayDiscard && (
                  <Button variant="default" onClick={() => setDiscarded(item)}>
                    {t('unlisted.discard')}
                  </Button>
                )}
              </Group>
            </li>
          ))}
        </ul>
      </Stack>
      {resolved && <Resolve key={resolved.id} item={resolved} onClose={() => setResolved(null)} />}
      {discarded && <Discard key={discarded.id} item={discarded} onClose={() => setDiscarded(null)} />}
    </Paper>
  );
}

interface Props {
  item: UnlistedItemView;
  onClose: () => void;
}

/**
 * Dialog to choose the product of an unlisted item.
 *
 * Recording it asks the usual questions.
 */
function Resolve({ item, onClose }: Props) {
  const t = useText();
  const format = useFormat();
  const confirm = useConfirm();
  const askReasons = useReasons();
  const [resolveItem] = useResolveUnlistedItemMutation();
  const { submit, pending } = useSubmit();
  const form = useForm({
    initialValues: { product_id: null as number | null, lot: '', expiry: null as string | null, serial: '' },
    validate: { product_id: isNotEmpty(t('form.required')) },
  });

  async function resolve(acknowledged: string[] = [], given: Reasons = {}): Promise<void> {
    let asked: Message[] = [];
    const { product_id, lot, expiry, serial } = form.getValues();
    const resolveDraft = {
      product_id: product_id as number,
      lot,
      expiry: expiry ?? undefined,
      serial,
      acknowledged,
      ...given,
    };
    const done = await submit(() => resolveItem({ unlistedItemId: item.id, resolveDraft }), {
      form,
      success: 'unlisted.resolved',
      onProblem: ({ status, messages }) => {
        if (status !== 422 || !messages.every(({ acknowledgeable }) => acknowledgeable)) return false;
        asked = messages;
        return true;
      },
    });
    if (done.ok) return onClose();
    if (asked.length === 0) return;
    const codes = [...acknowledged, ...asked.flatMap(({ code }) => code ?? [])];
    if (needsReason(asked)) {
      const reasons = await askReasons(asked, given);
      if (reasons) await resolve(codes, reasons);
      return;
    }
    const sure = await confirm({
      question: 'late.allTheSame',
      action: 'late.record',
      children: asked.map(({ text }) => (
        <StatusLine key={text} tone="red">
          {text}
        </StatusLine>
      )),
    });
    if (sure) await resolve(codes, given);
  }

  return (
    <Dialog opened onClose={onClose} title={t('unlisted.resolve.question')}>
      <DialogForm
        form={form}
        onSubmit={() => resolve()}
        onCancel={onClose}
        action={t('late.record')}
        pending={pending}
      >
        <Text fw={600}>{format.counted(item.quantity, item.description)}</Text>
        <SearchSelect<ProductView>
          label={t('details.product')}
          placeholder={t('details.productPlaceholder')}
          required
          data-autofocus
          useFound={useActiveProducts}
          nameOf={({ name }) => name}
          noteOf={codeAndUnit}
          isExact={isCodeOf}
          isUncertain={isPartOfCode}
          wait={PRODUCT_WAIT}
          {...form.getInputProps('product_id')}
        />
        <TextInput
          label={t('details.lot')}
          maxLength={50}
          autoComplete="off"
          onKeyDown={ignoreScannerEnter}
          {...form.getInputProps('lot')}
        />
        <DateField label={t('details.expiry')} {...form.getInputProps('expiry')} />
        <TextInput
          label={t('details.serial')}
          maxLength={50}
          autoComplete="off"
          onKeyDown={ignoreScannerEnter}
          {...form.getInputProps('serial')}
        />
        <Text size="sm" c="dimmed">
          {t('unlisted.resolve.what')}
        </Text>
      </DialogForm>
    </Dialog>
  );
}

function Discard({ item, onClose }: Props) {
  const t = useText();
  const format = useFormat();
  const [discardItem] = useDiscardUnlistedItemMutation();
  const { submit, pending } = useSubmit();
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: isNotEmpty(t('form.required')) },
  });

  async function discard(discardDraft: { reason: string }) {
    const done = await submit(() => discardItem({ unlistedItemId: item.id, discardDraft }), {
      form,
      success: 'unlisted.discarded',
    });
    if (done.ok) onClose();
  }

  return (
    <Dialog opened onClose={onClose} title={t('unlisted.discard.question')}>
      <DialogForm
        form={form}
        onSubmit={discard}
        onCancel={onClose}
        action={t('details.discard')}
        pending={pending}
        danger
      >
        <Text fw={600}>{format.counted(item.quantity, item.description)}</Text>
        <Alert color="yellow">{t('unlisted.discard.what')}</Alert>
        <ReasonField {...form.getInputProps('reason')} />
      </DialogForm>
    </Dialog>
  );
}
