import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useEffectEvent, useState } from 'react';
import type { PasswordStrength as Strength } from '@/api/generated';
import { useText } from '@/i18n/useText';
import classes from './PasswordStrength.module.css';

/**
 * Ask the server for a password's strength.
 *
 * It checks the password again when it is saved.
 */
export type Judge = (password: string) => PromiseLike<{ data?: Strength }>;

const PAUSE = 400;
const LEVELS = [1, 2, 3, 4] as const;
const WORDS = ['password.veryWeak', 'password.weak', 'password.strong', 'password.veryStrong'] as const;

interface Props {
  /** Null while the length is invalid. */
  password: string | null;
  judge: Judge;
  /** Text shown until there is a result. */
  otherwise: string;
}

/**
 * The strength of a password and the reasons for it.
 *
 * Without a response it shows nothing: saving is still possible.
 */
export function PasswordStrength({ password, judge, otherwise }: Props) {
  const t = useText();
  const strength = useStrength(password, judge);
  const lit = strength ? Math.max(strength.score, 1) : 0;
  return (
    <>
      <span className={classes.meter} data-weak={strength?.weakness ? true : undefined} aria-hidden>
        {LEVELS.map((one) => (
          <span key={one} data-lit={one <= lit ? true : undefined} />
        ))}
      </span>
      <span className={classes.said} aria-live="polite">
        {strength ? `${t(WORDS[lit - 1] ?? 'password.veryWeak')} ${strength.weakness ?? ''}` : otherwise}
      </span>
    </>
  );
}

/** Return the strength of exactly this password; null until it arrives. */
function useStrength(password: string | null, judge: Judge): Strength | null {
  const [settled] = useDebouncedValue(password, PAUSE);
  const [judged, setJudged] = useState<{ password: string; strength: Strength } | null>(null);
  const ask = useEffectEvent(judge);
  useEffect(() => {
    if (settled === null) return;
    let wanted = true;
    void Promise.resolve(ask(settled)).then(({ data }) => {
      if (wanted && data) setJudged({ password: settled, strength: data });
    });
    return () => {
      wanted = false;
    };
  }, [settled]);
  return judged !== null && judged.password === password ? judged.strength : null;
}
