import { Button, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import '@mantine/core/styles/SimpleGrid.css';
import '@mantine/core/styles/Combobox.css';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { type ProductView, type UnknownCodeView, useAddProductCodeMutation } from '@/api/generated';
import { DecimalInput, useDecimalRule } from '@/components/DecimalInput';
import { Dialog, DialogFooter } from '@/components/Dialog';
import { focusFirstError } from '@/components/focusFirstError';
import { codeAndUnit, PRODUCT_WAIT, useProducts } from '@/components/productSearch';
import { SearchSelect } from '@/components/SearchSelect';
import { useSubmit } from '@/components/useSubmit';
import type { Decimal } from '@/i18n/decimal';
import { useText } from '@/i18n/useText';
import { keepScannersEnter } from '@/scan/keepScannersEnter';
import { codeSystems, systemName } from './codeSystems';

/** A code for this product; or a code that was scanned, for the product that is chosen. */
type Asked = { product: Pick<ProductView, 'id'> } | { unknown: UnknownCodeView };

/** One more code of a product, without leaving the page. Show `dialog` outside of any form. */
export function useCodeDialog() {
  const t = useText();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [opened, setOpened] = useState(false);
  return {
    ask: (what: Asked) => {
      setAsked(what);
      setOpened(true);
    },
    dialog: (
      // What was typed is not lost by a tap beside it.
      <Dialog
        opened={opened}
        onClose={() => setOpened(false)}
        closeOnClickOutside={false}
        title={t(asked && 'unknown' in asked ? 'codes.link' : 'codes.add')}
      >
        {asked && <CodeForm asked={asked} close={() => setOpened(false)} />}
      </Dialog>
    ),
  };
}

interface Values {
  product_id: number | null;
  system: string;
  code: string;
  units: Decimal;
  label: string;
}

function CodeForm({ asked, close }: { asked: Asked; close: () => void }) {
  const t = useText();
  const [addCode] = useAddProductCodeMutation();
  const { submit, pending } = useSubmit();
  const unknown = 'unknown' in asked ? asked.unknown : null;
  // What the scan told of it holds: a GTIN is one. Of another text only a person knows whose code it is.
  const isTold = unknown?.system === 'gtin' || unknown?.system === 'hibc';
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
    if (saved.ok) close();
  }

  return (
    <form noValidate onSubmit={form.onSubmit(save, (errors) => focusFirstError(form, errors))}>
      <Stack gap="md">
        {unknown && (
          <SearchSelect<ProductView>
            label={t('details.product')}
            placeholder={t('details.productPlaceholder')}
            required
            data-autofocus
            useFound={useProducts}
            nameOf={({ name }) => name}
            noteOf={codeAndUnit}
            wait={PRODUCT_WAIT}
            {...form.getInputProps('product_id')}
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
            onKeyDown={keepScannersEnter}
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
      </Stack>
      <DialogFooter>
        <Button variant="default" onClick={close}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={pending}>
          {t('action.save')}
        </Button>
      </DialogFooter>
    </form>
  );
}
