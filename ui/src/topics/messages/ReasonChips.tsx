import { VisuallyHidden } from '@mantine/core';
import type { HeldReasonView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './messages.module.css';
import { reasonWords } from './questions';

interface Props {
  reasons: HeldReasonView[];
  chosen: string | undefined;
  /** Called with the chosen code, or an empty text for all reasons. */
  onChoose: (code: string) => void;
}

/** Filter held messages by their reason; each chip has its number. */
export function ReasonChips({ reasons, chosen, onChoose }: Props) {
  const t = useText();
  const format = useFormat();
  // The chosen reason stays in view until it is removed, even after its last message was decided.
  const shown =
    reasons.some(({ code }) => code === chosen) || !chosen
      ? reasons
      : [...reasons, { code: chosen, messages: 0 }];
  if (shown.length === 0) return null;
  return (
    <fieldset className={classes.reasons}>
      <legend>
        <VisuallyHidden>{t('messages.reasons')}</VisuallyHidden>
      </legend>
      {shown.map(({ code, messages }) => (
        <button
          key={code}
          type="button"
          className={classes.reason}
          aria-pressed={code === chosen}
          onClick={() => onChoose(code === chosen ? '' : code)}
        >
          <span>{reasonWords[code] ? t(reasonWords[code]) : t('messages.reason.other', { code })}</span>
          <span aria-hidden>·</span>
          <b>{format.quantity(messages)}</b>
        </button>
      ))}
    </fieldset>
  );
}
