import { ActionIcon, Checkbox, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';
import type { KitProductView, ProductView } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import { useText } from '@/i18n/useText';
import { DecimalInput } from '@/shared/forms/DecimalInput';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { ClampedText } from '@/shared/ui/ClampedText';
import { codeAndUnit, isCodeOf, isPartOfCode, PRODUCT_WAIT, useActiveProducts } from '../productSearch';
import classes from './KitLines.module.css';

export interface KitLineValues {
  product: KitProductView;
  quantity: Decimal;
  optional: boolean;
}

export interface KitValues {
  name: string;
  area_id: number | null;
  lines: KitLineValues[];
}

/** The maximum number of lines of a kit. */
const MAX_LINES = 60;

/**
 * Edit the lines of a kit in the order in which they are offered.
 *
 * New lines are added at the end.
 */
export function KitLines({ form }: { form: UseFormReturnType<KitValues> }) {
  const t = useText();
  const search = useRef<HTMLInputElement>(null);
  const { lines } = form.values;

  function add(product: ProductView | null) {
    if (!product) return;
    form.clearFieldError('lines');
    if (lines.some((line) => line.product.id === product.id)) {
      form.setFieldError('lines', t('kits.isThere', { product: nameAndCode(product) }));
      return;
    }
    const { id, code, name, unit, active } = product;
    const line: KitLineValues = { product: { id, code, name, unit, active }, quantity: 1, optional: false };
    form.insertListItem('lines', line);
  }

  function remove(place: number) {
    form.removeListItem('lines', place);
    search.current?.focus();
  }

  return (
    <section aria-labelledby="kit-lines">
      <Text id="kit-lines" fw={550} fz="sm" mb="0.25rem">
        {t('kits.lines')}
      </Text>
      {lines.length > 0 && (
        <ol className={classes.lines}>
          {lines.map(({ product, optional }, place) => (
            <li key={product.id} className={classes.line}>
              <div className={classes.product}>
                <ClampedText className={product.active ? undefined : classes.inactive}>
                  {product.name}
                </ClampedText>
                <Text size="sm" c="dimmed">
                  <ClampedText>
                    {[product.code, product.unit, !product.active && t('products.inactive')]
                      .filter(Boolean)
                      .join(' · ')}
                  </ClampedText>
                </Text>
                {form.errors[`lines.${place}.product_id`] && (
                  <Text size="sm" c="var(--mantine-color-error)" role="alert">
                    {form.errors[`lines.${place}.product_id`]}
                  </Text>
                )}
              </div>
              <DecimalInput
                aria-label={t('kits.quantityOf', { product: nameAndCode(product) })}
                {...form.getInputProps(`lines.${place}.quantity`)}
                value={lines[place]?.quantity ?? null}
                onKeyDown={(event) => {
                  // Enter moves on to the next product and must not submit the form.
                  if (event.key !== 'Enter') return;
                  event.preventDefault();
                  search.current?.focus();
                }}
              />
              <Checkbox
                className={classes.optional}
                label={t('kits.optional')}
                aria-label={t('kits.optionalOf', { product: nameAndCode(product) })}
                checked={optional}
                onChange={(event) =>
                  form.setFieldValue(`lines.${place}.optional`, event.currentTarget.checked)
                }
              />
              <div className={classes.actions}>
                <ActionIcon
                  aria-label={t('kits.up', { product: nameAndCode(product) })}
                  title={t('kits.moveUp')}
                  disabled={place === 0}
                  onClick={() => form.reorderListItem('lines', { from: place, to: place - 1 })}
                >
                  <IconArrowUp size={20} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  aria-label={t('kits.down', { product: nameAndCode(product) })}
                  title={t('kits.moveDown')}
                  disabled={place === lines.length - 1}
                  onClick={() => form.reorderListItem('lines', { from: place, to: place + 1 })}
                >
                  <IconArrowDown size={20} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  aria-label={t('kits.remove', { product: nameAndCode(product) })}
                  title={t('kits.removeLine')}
                  onClick={() => remove(place)}
                >
                  <IconTrash size={20} aria-hidden />
                </ActionIcon>
              </div>
            </li>
          ))}
        </ol>
      )}
      <SearchSelect<ProductView>
        // The chosen product is in the list above, so the field stays empty for the next one.
        value={null}
        ref={search}
        aria-label={t('kits.add')}
        placeholder={t('kits.addPlaceholder')}
        disabled={lines.length >= MAX_LINES}
        description={lines.length >= MAX_LINES ? t('kits.full', { most: MAX_LINES }) : undefined}
        data-path="lines"
        error={form.errors.lines}
        onChange={(_id, product) => add(product)}
        useFound={useActiveProducts}
        nameOf={({ name }) => name}
        noteOf={codeAndUnit}
        isExact={isCodeOf}
        isUncertain={isPartOfCode}
        wait={PRODUCT_WAIT}
      />
    </section>
  );
}
