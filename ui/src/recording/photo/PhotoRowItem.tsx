import type { Decimal } from '@/i18n/decimal';
import { useText } from '@/i18n/useText';
import { usePackText } from '@/scan/usePackText';
import { DecimalInput, useDecimalRule } from '@/shared/forms/DecimalInput';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { codeAndUnit } from '@/topics/catalogue/productSearch';
import { CHOICES } from '../scanning/OtherRow';
import { printable } from '../scanning/scannedPack';
import { useQuestionTexts } from '../scanning/useQuestionTexts';
import classes from './PhotoPanel.module.css';
import type { PhotoRow } from './photoRows';
import { Sign, type SignTone } from './Sign';

interface Props {
  row: PhotoRow;
  isLit: boolean;
  onLight: (key: string | null) => void;
  onQuantity: (quantity: Decimal) => void;
}

export const signOf = ({ tone }: PhotoRow): SignTone =>
  tone === 'failed' ? 'amber' : tone === 'none' ? 'grey' : tone;

/** One product and lot of the pictures, with its quantity and what will be asked. */
export function PhotoRowItem({ row, isLit, onLight, onQuantity }: Props) {
  const packText = usePackText();
  const { line, pack, quantity, tone } = row;
  const product = line?.values.product;
  const code = printable(row.text.replace(/^\][A-Za-z]\d/, ''));
  const name = product ? nameAndCode(product) : code;
  const isCounted = (line || row.rows[0]?.kind === 'choice') && tone !== 'looking';
  return (
    <li
      className={classes.row}
      data-tone={tone}
      data-lit={isLit || undefined}
      data-photo-row={row.key}
      onMouseEnter={() => onLight(row.key)}
      onMouseLeave={() => onLight(null)}
      onFocus={() => onLight(row.key)}
      onBlur={() => onLight(null)}
    >
      <Sign tone={signOf(row)} />
      <div className={classes.what}>
        {product && (
          <span>
            <b>{product.name}</b> <small className={classes.note}>{codeAndUnit(product)}</small>
          </span>
        )}
        {product && <span>{packText(pack)}</span>}
        <Told row={row} code={code} />
      </div>
      {isCounted && <Quantity name={name} quantity={quantity} onQuantity={onQuantity} />}
    </li>
  );
}

function Quantity({
  name,
  quantity,
  onQuantity,
}: {
  name: string;
  quantity: Decimal;
  onQuantity: (quantity: Decimal) => void;
}) {
  const t = useText();
  const rule = useDecimalRule();
  return (
    <DecimalInput
      className={classes.quantity}
      aria-label={t('batch.quantityOf', { product: name })}
      enterKeyHint="done"
      value={quantity}
      error={typeof quantity === 'string' && rule(quantity)}
      onChange={onQuantity}
    />
  );
}

/** Say what is asked about a row, or why nothing of it is recorded. */
function Told({ row, code }: { row: PhotoRow; code: string }) {
  const t = useText();
  const describe = useQuestionTexts();
  const packText = usePackText();
  const { line, tone, rows, pack, quantity } = row;
  if (tone === 'looking') return <span>{t('scan.lookingUp', { code })}</span>;
  if (tone === 'failed') return <span>{t('scan.unansweredCode', { code })}</span>;
  const [other] = rows;
  if (tone === 'none') return <span>{t('photo.notAPack', { what: packText(pack) || code })}</span>;
  if (other?.kind === 'unknown') return <span>{t('scan.unknown', { code: other.code })}</span>;
  if (other?.kind === 'inactive') return <span>{t('scan.inactive', { product: other.product })}</span>;
  const texts = [
    ...(line ? describe(line.values, row.questions).map(({ text }) => text) : []),
    other?.kind === 'choice' && t(CHOICES[other.about], { text: code }),
    row.isSeenTwice && quantity === null && t('photo.howMany'),
    line?.values.scanned?.units &&
      quantity === null &&
      t('scan.howMany', {
        pack: line.values.scanned.label ?? t('scan.pack', { units: line.values.scanned.units }),
      }),
    line?.values.scanned?.unconfirmed && t('scan.confirmLot'),
    line?.values.serial && quantity !== 1 && t('scan.serialIsOne'),
  ].filter(Boolean);
  return texts.map((text) => (
    <span key={String(text)} className={classes.asked}>
      {text}
    </span>
  ));
}
