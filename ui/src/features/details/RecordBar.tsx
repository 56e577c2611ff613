import { ActionIcon, Button, Text } from '@mantine/core';
import IconCamera from '@tabler/icons-react/dist/esm/icons/IconCamera.mjs';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import { type ComponentType, type FormEvent, lazy, Suspense, useEffect, useMemo, useState } from 'react';
import type { ProductView, SheetView } from '@/api/generated';
import { DecimalInput } from '@/components/DecimalInput';
import { isCodeOf, isPartOfCode, PRODUCT_WAIT, ProductNote } from '@/components/productSearch';
import { SearchSelect } from '@/components/SearchSelect';
import { useFirstInteraction } from '@/components/useFirstInteraction';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { lineTotal } from './lineTotal';
import { PinButton } from './PinButton';
import classes from './RecordBar.module.css';
import { RecordedBy } from './RecordedBy';
import type { DetailForm } from './useDetailForm';
import type { Pins } from './usePins';
import { AreaContext, type Suggestion, suggestionOf, useProductSuggestions } from './useProductSuggestions';
import type { RecordBarState } from './useRecordBar';

const loadPanel = () => import('./RecordBarPanel');
const RecordBarPanel = lazy<ComponentType<{ form: DetailForm; bar: RecordBarState }>>(loadPanel);
const CodeDialog = lazy(() =>
  import('@/components/CodeDialog').then(({ CodeDialog }) => ({ default: CodeDialog })),
);
const CameraDialog = lazy(() => import('./CameraDialog'));

/** Whoever comes with one can type at once; on a touch screen the one that pops up would cover half the page. */
const hasKeyboard = () => window.matchMedia('(hover: hover)').matches;

/** Browsers tell of cameras only where the connection is safe; whoever has a mouse has no pack before the camera. */
const hasCamera = () =>
  window.matchMedia('(pointer: coarse)').matches && navigator.mediaDevices !== undefined;

interface Props {
  sheet: SheetView;
  form: DetailForm;
  bar: RecordBarState;
  pins: Pins;
  /** What is likely to come next; undefined while that is looked for. */
  usual: ProductView[] | undefined;
}

/**
 * Search, Enter, quantity, Enter, or the quantity with what is searched: then it is ready for the next product. Or
 * scan, scan, scan, Enter: `useRecordBar`. Enter records from the quantity, and from the bar what was scanned; a quantity
 * of 0, or one that is far above the usual, only when it is pressed again.
 */
export function RecordBar({ sheet, form, bar, pins, usual }: Props) {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const { product, quantity } = form.values;
  const offered = useMemo(() => usual?.map(suggestionOf), [usual]);
  const touched = useFirstInteraction();
  useEffect(() => {
    if (touched) loadPanel().catch(() => {});
  }, [touched]);

  const [scans] = useState(hasCamera);
  const [watching, setWatching] = useState(false);

  return (
    <>
      <form
        ref={bar.formRef}
        className={classes.bar}
        data-camera={scans || undefined}
        // While the camera is on, what it reads brings no keyboard up.
        inert={watching}
        noValidate
        aria-label={t('details.create')}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          bar.record();
        }}
      >
        <AreaContext value={sheet.room.area_id}>
          <SearchSelect<Suggestion>
            className={classes.product}
            aria-label={t('details.product')}
            placeholder={t('details.barPlaceholder')}
            data-shortcut="search"
            required
            {...(scans
              ? {
                  rightSectionPointerEvents: 'all',
                  rightSection: (
                    <ActionIcon
                      className={classes.camera}
                      aria-label={t('camera.title')}
                      title={t('camera.title')}
                      onClick={() => setWatching(true)}
                    >
                      <IconCamera size={22} aria-hidden />
                    </ActionIcon>
                  ),
                }
              : {
                  rightSection: (
                    <kbd className={classes.key} aria-hidden>
                      /
                    </kbd>
                  ),
                })}
            autoFocus={hasKeyboard()}
            {...form.getInputProps('product_id')}
            valueName={product?.name}
            useFound={useProductSuggestions}
            nameOf={({ product, kit }) => product?.name ?? kit?.name ?? ''}
            leadOf={({ quantity }) =>
              quantity !== undefined &&
              `${typeof quantity === 'number' ? format.quantity(quantity) : quantity} ×`
            }
            noteOf={({ product, kit }) =>
              product ? <ProductNote product={product} /> : t('batch.kit', { lines: kit?.lines.length ?? 0 })
            }
            isExact={({ product, words }, text) => product !== null && isCodeOf(product, words ?? text)}
            isUncertain={({ product, words }, text) =>
              product !== null && isPartOfCode(product, words ?? text)
            }
            wait={PRODUCT_WAIT}
            usual={offered}
            control={bar.search}
            onChange={(_, offer) => bar.choose(offer)}
            onPaste={(event) => {
              if (bar.paste(event.clipboardData.getData('text'))) event.preventDefault();
            }}
          />
        </AreaContext>
        <DecimalInput
          className={classes.quantity}
          aria-label={t('details.quantity')}
          required
          enterKeyHint="done"
          leftSection={
            <span className={classes.times} aria-hidden>
              ×
            </span>
          }
          leftSectionPointerEvents="none"
          isHeard
          {...form.getInputProps('quantity')}
          value={quantity}
        />
        <Button type="submit" className={classes.send} aria-label={t('details.add')}>
          <span className={classes.sendText}>{t('details.add')}</span>
          <IconCheck className={classes.sendSign} aria-hidden />
        </Button>
        {bar.hasMore && (
          <Suspense>
            <RecordBarPanel form={form} bar={bar} />
          </Suspense>
        )}
        <div className={classes.context} data-own-keys>
          <RecordedBy sheet={sheet} form={form} />
          {product && <PinButton product={product} pins={pins} className={classes.pin} />}
          {seesPrices && product?.price !== undefined && typeof quantity !== 'string' && (
            <Text className={classes.preview}>
              <span className={classes.factors}>
                {`${format.quantity(quantity ?? 0)} × ${format.money(product.price)} = `}
              </span>
              <b>{format.money(lineTotal(product.price, quantity ?? 0))}</b>
            </Text>
          )}
        </div>
      </form>
      {bar.linking && (
        <Suspense>
          <CodeDialog asked={bar.linking} opened onClose={bar.unlink} onAdded={bar.linked} />
        </Suspense>
      )}
      {watching && (
        <Suspense>
          <CameraDialog form={form} bar={bar} onClose={() => setWatching(false)} />
        </Suspense>
      )}
    </>
  );
}
