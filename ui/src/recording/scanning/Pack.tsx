import { Button, TextInput, UnstyledButton } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useText } from '@/i18n/useText';
import type { DetailValues } from '@/outbox/outboxSlice';
import { usePackText } from '@/scan/usePackText';
import { lazyPart } from '@/shared/ui/lazyPart';
import { hasPackData, type Part } from '@/symbols/pack';
import classes from './OpenRows.module.css';

const DateField = lazyPart(() =>
  import('@/shared/forms/DateField').then(({ DateField }) => ({ default: DateField })),
);

interface Props {
  values: DetailValues;
  /** The required parts that are missing. */
  asked: Part[];
  onChange: (part: Part, value: string | null) => void;
  /** Called when the user confirms lot and serial number as shown. */
  onConfirm: () => void;
  /** Called on Enter in the field of a part. */
  onDone: (part: Part, value: string | null) => void;
}

/**
 * Show lot, expiry and serial number of an open line.
 *
 * A click turns them into fields.
 */
export function Pack(props: Props) {
  const { values, asked } = props;
  const t = useText();
  const { scanned } = values;
  const [isEditing, setEditing] = useState(false);
  const isUnconfirmed = scanned?.unconfirmed ?? false;
  const isWhole = isEditing || isUnconfirmed;
  const text = usePackText()(values);
  if (!isWhole && asked.length === 0) {
    if (!hasPackData(values) && scanned === null) return null;
    return (
      <UnstyledButton className={classes.pack} onClick={() => setEditing(true)}>
        {text || t('scan.addLot')}
      </UnstyledButton>
    );
  }
  return (
    <>
      {!isWhole && text && <span>{text}</span>}
      <PackFields {...props} isWhole={isWhole} isEditing={isEditing} onClose={() => setEditing(false)} />
    </>
  );
}

interface FieldsProps extends Props {
  /** Whether to show all parts, not only the required ones. */
  isWhole: boolean;
  isEditing: boolean;
  onClose: () => void;
}

function PackFields({
  values,
  asked,
  isWhole,
  isEditing,
  onClose,
  onChange,
  onConfirm,
  onDone,
}: FieldsProps) {
  const t = useText();
  const isUnconfirmed = values.scanned?.unconfirmed ?? false;
  const finish = (part: Part, value: string | null) => {
    onClose();
    if (isUnconfirmed) {
      if (value !== values[part]) onChange(part, value);
      onConfirm();
    } else onDone(part, value);
  };
  const field = (part: 'lot' | 'serial', label: string) => (
    <TextInput
      label={label}
      data-part={part}
      data-tone={isUnconfirmed ? 'amber' : undefined}
      className={classes.field}
      defaultValue={values[part] ?? ''}
      key={values[part]}
      autoFocus={part === 'lot' && (isEditing || isUnconfirmed)}
      maxLength={50}
      autoComplete="off"
      onBlur={({ currentTarget: { value } }) => {
        const next = value.trim() || null;
        if (next !== values[part]) onChange(part, next);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        finish(part, event.currentTarget.value.trim() || null);
      }}
    />
  );
  return (
    <div className={classes.fields}>
      {(isWhole || asked.includes('lot')) && field('lot', t('details.lot'))}
      {isWhole && (
        <Suspense>
          <DateField
            className={classes.field}
            label={t('details.expiry')}
            value={values.expiry}
            onChange={(value) => onChange('expiry', value)}
          />
        </Suspense>
      )}
      {(isWhole || asked.includes('serial')) && field('serial', t('details.serial'))}
      {isWhole && (
        <Button variant="default" onClick={() => finish('lot', values.lot)}>
          {t(isUnconfirmed ? 'scan.isRight' : 'scan.done')}
        </Button>
      )}
    </div>
  );
}
