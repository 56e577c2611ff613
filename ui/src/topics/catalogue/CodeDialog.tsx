import { Button, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { type NotedCodeView, type ProductView, useAddProductCodeMutation } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import { useText } from '@/i18n/useText';
import { ignoreScannerEnter } from '@/scan/ignoreScannerEnter';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DecimalInput, useDecimalRule } from '@/shared/forms/DecimalInput';
import { DialogForm } from '@/shared/forms/DialogForm';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { useSubmit } from '@/shared/forms/useSubmit';
import { usePrintLabels } from '@/topics/printing/usePrintLabels';
import { codeSystems, systemName } from './codeSystems';
import { codeAndUnit, PRODUCT_WAIT, useActiveProducts } from './productSearch';

/** A new code for a product, or a scanned code that needs a product. */
type Asked = { product: Pick<ProductView, 'id'> } | { unknown: NotedCodeView };

/**
 * Dialog to add a code to a product without leaving the page.
 *
 * Render `dialog` outside any form.
 */
export function useCodeDialog() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [opened, setOpened] = useState(false);
  return {
    ask: (what: Asked) => {
      setAsked(what);
      setOpened(true);
    },
    dialog: <CodeDialog asked={asked} opened={opened} onClose={() => setOpened(false)} />,
  };
}

interface Props {
  asked: Asked | null;
  opened: boolean;
  onClose: () => void;
  onAdded?: () => void;
}

export function CodeDialog({ asked, opened, onClose, onAdded }: Props) {
  const t = useText();
  return (
    // A tap outside the dialog must not discard what was typed.
    <Dialog
      opened={opened}
      onClose={onClose}
      closeOnClickOutside={false}
      title={t(asked && 'unknown' in asked ? 'codes.link' : 'codes.add')}
    >
      {asked && <CodeForm asked={asked} onClose={onClose} onAdded={onAdded} />}
    </Dialog>
  );
}

interface Values {
  product_id: number | null;
  system: string;
  code: string;
  units: Decimal;
  label: string;
}

function CodeForm({ asked, onClose, onAdded }: Omit<Props, 'opened' | 'asked'> & { asked: Asked }) {
  const t = useText();
  const [addCode] = useAddProductCodeMutation();
  const { submit, pending } = useSubmit();
  const unknown = 'unknown' in asked ? asked.unknown : null;
  // Trust the system that the scan detected, such as GTIN. For any other text only the user knows whose code it is.
  const isTold = unknown?.system === 'gtin' || unknown?.system === 'hibc';
  const labels = usePrintLabels();
  const [chosen, setChosen] = useState<ProductView | null>(null);
  const required = isNotEmpty(t('form.required'));
  const form = useForm<Values>({
    initialValues: {
      product_id: 'product' in asked ? asked.product.id : null,
      system: isTold ? unknown.system : unknown ? 'supplier' : 'gtin',
      code: unknown?.code ?? '',
      units: 1,
      label: '',
    },
    validate: { product_id: required, code: required, units: useDecimalRule() },
  });

  async function save({ product_id, units, ...rest }: Values) {
    const saved = await submit(
      () =>
        addCode({
          productId: product_id as number,
          productCodeDraft: { ...rest, units: units as number },
        }),
      { form, success: unknown ? 'codes.linked' : 'codes.added' },
    );
    if (!saved.ok) return;
    onClose();
    onAdded?.();
  }

  return (
    <>
      <DialogForm
        form={form}
        onSubmit={save}
        onCancel={onClose}
        action={t('action.save')}
        pending={pending}
        extra={
          chosen && (
            <Button variant="subtle" onClick={() => labels.print({ what: 'product', items: [chosen] })}>
              {t('labels.print')}
            </Button>
          )
        }
      >
        {unknown && (
          <SearchSelect<ProductView>
            label={t('details.product')}
            placeholder={t('details.productPlaceholder')}
            required
            data-autofocus
            useFound={useActiveProducts}
            nameOf={({ name }) => name}
            noteOf={codeAndUnit}
            wait={PRODUCT_WAIT}
            {...form.getInputProps('product_id')}
            onChange={(id, product) => {
              setChosen(product);
              form.setFieldValue('product_id', id);
            }}
          />
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <NativeSelect
            label={t('codes.system')}
            disabled={isTold}
            data={codeSystems.map((system) => ({ value: system, label: systemName(t, system) }))}
            {...form.getInputProps('system')}
          />
          <TextInput
            label={t('products.code')}
            required
            readOnly={unknown !== null}
            data-autofocus={unknown ? undefined : true}
            maxLength={200}
            autoComplete="off"
            data-scan="own"
            onKeyDown={ignoreScannerEnter}
            {...form.getInputProps('code')}
          />
          <DecimalInput
            label={t('codes.units')}
            description={t('codes.unitsHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required
            {...form.getInputProps('units')}
            value={form.values.units}
          />
          <TextInput
            label={t('codes.label')}
            description={t('codes.labelHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={200}
            {...form.getInputProps('label')}
          />
        </SimpleGrid>
      </DialogForm>
      {labels.dialog}
    </>
  );
}
