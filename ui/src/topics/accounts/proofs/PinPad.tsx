import { Button, VisuallyHidden } from '@mantine/core';
import { IconBackspace } from '@tabler/icons-react';
import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useText } from '@/i18n/useText';
import classes from './unlock.module.css';

const LENGTH = 6;
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '', '0'];
/** Rest after the last typed digit, in milliseconds: a slow scanner types more. */
const REST_MS = 150;

interface Props {
  name: string;
  pending: boolean;
  /** Id of the message about the last PIN. */
  describedBy: string;
  isInvalid: boolean;
  onPin: (pin: string) => void;
}

/** Keypad for a PIN, which is sent with its last digit. Digits are also typed. */
export function PinPad({ name, pending, describedBy, isInvalid, onPin }: Props) {
  const t = useText();
  const field = useRef<HTMLInputElement>(null);
  const [digits, setDigits] = useState('');
  const resting = useRef(0);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    return () => window.clearTimeout(resting.current);
  }, []);

  function enter(next: string, rest: number) {
    window.clearTimeout(resting.current);
    // More digits than a PIN has were not typed as one.
    if (pending || next.length > LENGTH) return setDigits('');
    setDigits(next);
    if (next.length < LENGTH) return;
    if (rest === 0) send(next);
    else resting.current = window.setTimeout(send, rest, next);
  }

  function send(pin: string) {
    window.clearTimeout(resting.current);
    setDigits('');
    onPin(pin);
  }

  /** Take the digits after the dots, or drop as many as dots are missing. */
  function onChange({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) {
    const dots = [...value].filter((character) => character === DOT).length;
    enter(digits.slice(0, dots) + value.replace(/\D/g, ''), REST_MS);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && digits.length === LENGTH) send(digits);
  }

  return (
    <div>
      <div className={classes.dots} data-invalid={isInvalid || undefined}>
        {[...Array(LENGTH).keys()].map((place) => (
          <span key={place} className={classes.dot} data-filled={place < digits.length || undefined} />
        ))}
        <input
          ref={field}
          className={classes.field}
          // The page has keys of its own, and the PIN is no password to remember.
          inputMode="none"
          autoComplete="off"
          aria-label={t('unlock.pin', { name })}
          aria-describedby={describedBy}
          aria-invalid={isInvalid || undefined}
          value={DOT.repeat(digits.length)}
          onChange={onChange}
          onKeyDown={onKeyDown}
        />
      </div>
      <VisuallyHidden role="status">{t('unlock.digits', { count: digits.length })}</VisuallyHidden>
      {/* The field keeps the focus, so that digits can be typed and touched. */}
      <div className={classes.keys} onPointerDown={(event) => event.preventDefault()}>
        {KEYS.map((key) =>
          key === '' ? (
            <span key="none" />
          ) : (
            <Button
              key={key}
              variant="default"
              className={classes.key}
              disabled={pending}
              onClick={() => enter(digits + key, 0)}
            >
              {key}
            </Button>
          ),
        )}
        <Button
          variant="subtle"
          className={classes.key}
          disabled={pending}
          aria-label={t('unlock.erase')}
          onClick={() => setDigits(digits.slice(0, -1))}
        >
          <IconBackspace aria-hidden />
        </Button>
      </div>
    </div>
  );
}

const DOT = '•';
