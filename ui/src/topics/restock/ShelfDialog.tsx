import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type RestockProductView, useSetShelfMutation } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import { useText } from '@/i18n/useText';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DecimalInput } from '@/shared/forms/DecimalInput';
import { DialogForm } from '@/shared/forms/DialogForm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { nameAndCode } from '@/shared/records/nameAndCode';

interface Props {
  areaId: number;
  product: RestockProductView;
  shelf: string | null;
  fixedAmount: number | null;
  onClose: () => void;
}

/** Set where an area keeps a product, and its fixed amount. */
export function ShelfDialog({ areaId, product, shelf, fixedAmount, onClose }: Props) {
  const t = useText();
  const [setShelf] = useSetShelfMutation();
  const { submit, pending } = useSubmit();
  const form = useForm<{ shelf: string; fixed_amount: Decimal }>({
    initialValues: { shelf: shelf ?? '', fixed_amount: fixedAmount ?? '' },
  });

  async function save({ shelf: text, fixed_amount: amount }: { shelf: string; fixed_amount: Decimal }) {
    const saved = await submit(
      () =>
        setShelf({
          areaId,
          productId: product.id,
          // What is not a number is refused by the server, with its message.
          shelfDraft: { shelf: text, fixed_amount: amount === '' ? undefined : (amount as number) },
        }),
      { form, success: 'restock.shelfSaved' },
    );
    if (saved.ok) onClose();
  }

  return (
    // A tap outside must not discard the typed values.
    <Dialog
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={t('restock.editShelf', { product: nameAndCode(product) })}
    >
      <DialogForm form={form} onSubmit={save} onCancel={onClose} action={t('action.save')} pending={pending}>
        <TextInput
          label={t('restock.shelfField')}
          description={t('restock.shelfFieldHint')}
          maxLength={40}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('shelf')}
        />
        <DecimalInput
          label={t('restock.fixedField')}
          description={t('restock.fixedFieldHint')}
          rightSection={product.unit}
          rightSectionWidth={product.unit ? 72 : undefined}
          {...form.getInputProps('fixed_amount')}
          value={form.values.fixed_amount}
        />
      </DialogForm>
    </Dialog>
  );
}
