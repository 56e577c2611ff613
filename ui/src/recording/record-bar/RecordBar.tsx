import { ActionIcon, Button, Text } from '@mantine/core';
import { IconCamera, IconCheck, IconPhoto } from '@tabler/icons-react';
import { type KeyboardEvent, Suspense, use, useMemo, useState } from 'react';
import type { ProductView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { ToastPlace } from '@/shared/dialogs/ToastPlace';
import { DecimalInput } from '@/shared/forms/DecimalInput';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { SearchTextContext } from '@/shared/forms/searchText';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { areaOf, type Subject } from '@/shared/records/subject';
import { lazyPart } from '@/shared/ui/lazyPart';
import { ProductDrawing } from '@/topics/catalogue/ProductDrawing';
import {
  codeAndUnit,
  isCodeOf,
  isPartOfCode,
  PRODUCT_WAIT,
  ProductNote,
} from '@/topics/catalogue/productSearch';
import { lineTotal } from '@/topics/sheets/lines/lineTotal';
import { areaReasons } from '@/topics/sheets/lines/wasteReasons';
import { PracticeContext, withoutPrice } from '../common/practiceContext';
import { focusFirstRow } from '../common/walkRows';
import type { RecorderControl } from '../scanning/useRecorder';
import { NewNumber } from '../side-panel/NewNumber';
import { PinButton } from '../side-panel/PinButton';
import { useChangedNumbers } from '../side-panel/useChangedNumbers';
import type { Pins } from '../side-panel/usePins';
import classes from './RecordBar.module.css';
import { RecordedBy } from './RecordedBy';
import type { Suggestion } from './suggestionOrder';
import type { DetailForm } from './useDetailForm';
import { type ManualEntry, noteIn } from './useManualEntry';
import { AreaContext, suggestionOf, useProductSuggestions } from './useProductSuggestions';

const CameraDialog = lazyPart(() => import('@/scan/CameraDialog'));

/**
 * Detect a hardware keyboard.
 *
 * An on-screen keyboard would cover half of the page on focus.
 */
export const hasKeyboard = () => window.matchMedia('(hover: hover)').matches;

/**
 * Detect the camera of a phone or tablet.
 *
 * Browsers offer cameras only over HTTPS, and packs are not scanned at a desktop.
 */
const hasCamera = () => isHandheld() && navigator.mediaDevices !== undefined;

/** Detect a phone or tablet, whose own camera takes pictures over any connection. */
const isHandheld = () => window.matchMedia('(pointer: coarse)').matches;

interface Props {
  sheet: Subject;
  form: DetailForm;
  manual: ManualEntry;
  recorder: RecorderControl;
  pins: Pins;
  /** Products likely to be recorded next; undefined while they load. */
  usual: ProductView[] | undefined;
  /** Photograph packs. */
  onPhoto: () => void;
}

/**
 * Record by hand or by scan.
 *
 * By hand: search, Enter, quantity, Enter; the search text may contain the quantity. By scan: each scan adds a line above
 * the list at once, and the line is recorded by the next scan or after a short delay.
 */
export function RecordBar({ sheet, form, manual, recorder, pins, usual, onPhoto }: Props) {
  const t = useText();
  const format = useFormat();
  const practice = use(PracticeContext);
  const seesPrices = useCan('prices.see') && !practice;
  const { product, quantity, use_reason } = form.values;
  const area = 'area' in sheet ? sheet.area.name : undefined;
  const action = area === undefined ? t('details.add') : t('area.add', { area });
  const offered = useMemo(() => usual?.map(suggestionOf), [usual]);
  const changed = useChangedNumbers();
  /** Return the product's number if it is new in this shift, or else 0. */
  const newNumberOf = ({ id }: Pick<ProductView, 'id'>) =>
    changed.includes(id) ? (usual ?? []).findIndex((one) => one.id === id) + 1 : 0;
  function clear(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key === 'Escape' && product && !event.defaultPrevented) manual.clear();
  }
  /** Move from an empty field to the open rows, before the up arrow opens the field's list. */
  function moveUp(event: KeyboardEvent<HTMLFormElement>) {
    const { target } = event;
    if (event.key !== 'ArrowUp' || !(target instanceof HTMLInputElement) || target.value !== '') return;
    const row = document.querySelector<HTMLElement>('[data-row]:not([inert])');
    const open = row?.querySelector<HTMLElement>('input') ?? row?.querySelector<HTMLElement>('button');
    // A row that is being looked up has only a button that removes it, and is replaced by the line.
    if (!row?.dataset.looking) open?.focus();
    if (!open && !focusFirstRow()) return;
    event.preventDefault();
    event.stopPropagation();
  }

  const labelOfNote = (text: string) => {
    const { words, quantity } = noteIn(text);
    return t('unlisted.note', { what: format.counted(quantity, words) });
  };
  const [scans] = useState(hasCamera);
  const [photographs] = useState(isHandheld);
  const [watching, setWatching] = useState(false);

  return (
    <>
      <form
        className={classes.bar}
        data-camera={scans || undefined}
        data-area={area}
        // Keeps the on-screen keyboard closed while the camera scans.
        inert={watching}
        noValidate
        aria-label={t('details.create')}
        onSubmit={manual.submit}
        onKeyDownCapture={moveUp}
        onKeyDown={clear}
      >
        <AreaContext value={areaOf(sheet)}>
          <SearchSelect<Suggestion>
            className={classes.product}
            aria-label={t('details.product')}
            placeholder={
              use_reason
                ? t('area.bar', { area: area ?? '', reason: t(areaReasons[use_reason]) })
                : t('details.barPlaceholder')
            }
            data-shortcut="search"
            data-scan="bar"
            data-landing={hasKeyboard() || undefined}
            required
            {...(photographs && {
              leftSectionPointerEvents: 'all',
              leftSectionWidth: 'var(--touch)',
              leftSection: (
                <ActionIcon
                  className={classes.camera}
                  aria-label={t('photo.title')}
                  title={t('photo.title')}
                  onClick={onPhoto}
                >
                  <IconPhoto size={22} aria-hidden />
                </ActionIcon>
              ),
            })}
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
            title={product ? nameAndCode(product) : undefined}
            useFound={useProductSuggestions}
            nameOf={({ product, kit }) => product?.name ?? kit?.name ?? ''}
            leadOf={({ quantity, product }) =>
              quantity !== undefined && format.beforeName(quantity, product?.name ?? '')
            }
            pictureOf={({ product }) =>
              product?.picture && (
                <ProductDrawing name={product.name} productId={product.id} picture={product.picture} />
              )
            }
            noteOf={({ product, kit }) =>
              product ? (
                <>
                  <ProductNote product={practice ? withoutPrice(product) : product} />
                  <AtNumber number={newNumberOf(product)} />
                </>
              ) : (
                t('batch.kit', { lines: kit?.lines.length ?? 0 })
              )
            }
            isExact={({ product, words }, text) => product !== null && isCodeOf(product, words ?? text)}
            isUncertain={({ product, words }, text) =>
              product !== null && isPartOfCode(product, words ?? text)
            }
            wait={PRODUCT_WAIT}
            usual={offered}
            create={{ label: labelOfNote, run: manual.note, onlyWhereNoneIs: true }}
            control={manual.search}
            onNoneFound={manual.miss}
            onChange={(_, offer) => manual.choose(offer)}
            onPaste={(event) => {
              if (manual.paste(event.clipboardData.getData('text'))) event.preventDefault();
            }}
          />
        </AreaContext>
        <DecimalInput
          className={classes.quantity}
          aria-label={t('details.quantity')}
          required
          enterKeyHint="done"
          // Enter in the empty field records one of the chosen product.
          placeholder={
            product ? (quantity === 1 ? format.quantity(1) : undefined) : t('details.quantityShort')
          }
          {...form.getInputProps('quantity')}
          value={quantity}
          isBlank={manual.isUnsaid(quantity)}
        />
        <Button type="submit" className={classes.send} aria-label={action} title={area && action}>
          <span className={classes.sendText}>{action}</span>
          <IconCheck className={classes.sendSign} aria-hidden />
        </Button>
        <div className={classes.context}>
          {!practice && (
            <div className={classes.recorded}>
              <RecordedBy sheet={sheet} form={form} />
            </div>
          )}
          {product && (
            <div className={classes.inHand}>
              <span className={classes.code}>
                {codeAndUnit(product)}
                {newNumberOf(product) > 0 && <NewNumber number={newNumberOf(product)} />}
              </span>
              <PinButton product={product} pins={pins} className={classes.pin} />
              {seesPrices && product.price !== undefined && typeof quantity !== 'string' && (
                <Text className={classes.preview}>
                  <span className={classes.factors}>
                    {`${format.quantity(quantity ?? 0)} × ${format.money(product.price)} = `}
                  </span>
                  <b>
                    {format.money(
                      lineTotal(product.price, quantity ?? 0, area === undefined && product.included_in_stay),
                    )}
                  </b>
                </Text>
              )}
            </div>
          )}
          <ToastPlace className={classes.toasts} />
        </div>
      </form>
      {watching && (
        <Suspense>
          <CameraDialog
            recorder={recorder}
            onPhoto={() => {
              setWatching(false);
              onPhoto();
            }}
            onClose={() => setWatching(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Mark a new number where products are chosen by their numbers. */
function AtNumber({ number }: { number: number }) {
  const text = use(SearchTextContext);
  return number > 0 && (text === '' || text === String(number)) && <NewNumber number={number} />;
}
