import { Text, TextInput } from '@mantine/core';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { DecimalInput } from '@/shared/forms/DecimalInput';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { hasPackData } from '@/symbols/pack';
import classes from './FormPage.module.css';
import type { Line } from './formLines';

interface Props {
  line: Line;
  onField: (field: HTMLInputElement | null) => void;
  onChange: (news: Partial<Line>) => void;
}

/** The quantity of a line; and its lot and serial number if it has them, or is asked for them. */
export function LineFields({ line, onField, onChange }: Props) {
  const t = useText();
  const format = useFormat();
  const { product, quantity, pack, unconfirmed, isImplant, error } = line;
  const of = [nameAndCode(product), pack.lot && t('scan.lot', { lot: pack.lot })].filter(Boolean).join(', ');
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
              aria-label={`${t(`details.${part}`)}: ${nameAndCode(product)}`}
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
