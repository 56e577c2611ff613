import { Button, Checkbox, TextInput } from '@mantine/core';
import { useText } from '@/i18n/useText';
import { DecimalInput } from '@/shared/forms/DecimalInput';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { type Item, isImplant, NO_IMPLANT_PACK } from './items';
import classes from './RecordBatchDrawer.module.css';

interface Props {
  item: Item;
  isFirst: boolean;
  onChange: (news: Partial<Item>) => void;
  onSetAside: () => void;
}

/** The fields of one line of a batch. */
export function BatchLine({ item, isFirst, onChange, onSetAside }: Props) {
  const t = useText();
  const { product, quantity, ticked, times, wrong } = item;
  return (
    <div className={classes.line} data-inactive={!product.active || undefined}>
      <Checkbox
        label={[nameAndCode(product), product.unit, times && times > 1 && t('batch.times', { times })]
          .filter(Boolean)
          .join(' · ')}
        checked={ticked}
        disabled={!product.active}
        onChange={({ currentTarget: { checked } }) => onChange({ ticked: checked })}
      />
      <DecimalInput
        aria-label={t('batch.quantityOf', { product: nameAndCode(product) })}
        value={quantity}
        disabled={!product.active}
        enterKeyHint="done"
        data-autofocus={isFirst || undefined}
        onChange={(value) => onChange({ quantity: value, ticked: value !== 0 })}
      />
      {wrong && (
        <span className={classes.wrong} role="alert">
          {wrong}
        </span>
      )}
      {ticked && isImplant(item) && (
        <PackOfImplant
          name={nameAndCode(product)}
          pack={item.pack ?? NO_IMPLANT_PACK}
          onChange={(pack) => onChange({ pack, wrong })}
        />
      )}
      {item.recallId && (
        <Button
          className={classes.setAside}
          aria-label={t('scan.setAsideOf', { product: nameAndCode(product) })}
          onClick={onSetAside}
        >
          {t('scan.setAside')}
        </Button>
      )}
    </div>
  );
}

interface PackProps {
  name: string;
  pack: NonNullable<Item['pack']>;
  onChange: (pack: NonNullable<Item['pack']>) => void;
}

/** The fields for lot and serial number of an implant. */
function PackOfImplant({ name, pack, onChange }: PackProps) {
  const t = useText();
  return (
    <div className={classes.pack}>
      {(['lot', 'serial'] as const).map((part) => (
        <TextInput
          key={part}
          label={t(`details.${part}`)}
          aria-label={`${t(`details.${part}`)}: ${name}`}
          maxLength={50}
          autoComplete="off"
          value={pack[part] ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ ...pack, [part]: value || null })}
        />
      ))}
    </div>
  );
}
