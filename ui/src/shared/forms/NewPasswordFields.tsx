import { PasswordInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Translate } from '@/i18n/messages';
import { useText } from '@/i18n/useText';
import { type Judge, PasswordStrength } from './PasswordStrength';

export interface NewPassword {
  password: string;
  password_confirmation: string;
}

// The server's rule (domain/accounts/password.py), shown in advance. Characters are counted as the server does.
const SHORTEST = 12;
const LONGEST = 128;
const lengthOf = (password: string) => [...password].length;

/**
 * Return the errors of a new password by field.
 *
 * Only the server knows which passwords are easy to guess.
 */
export function passwordFaults({ password, password_confirmation }: NewPassword, t: Translate) {
  const length = lengthOf(password);
  let fault = null;
  if (length === 0) fault = t('form.required');
  else if (length < SHORTEST) fault = t('password.tooShort', { least: SHORTEST });
  else if (length > LONGEST) fault = t('password.tooLong', { most: LONGEST });
  return {
    password: fault,
    password_confirmation: password === password_confirmation ? null : t('password.mismatch'),
  };
}

interface Props {
  // biome-ignore lint/suspicious/noExplicitAny: any form with a new password among its values.
  form: UseFormReturnType<any>;
  /** Rates the password while it is typed. Without it, a weak one is refused when it is sent. */
  judge?: Judge;
  required?: boolean;
  autoFocus?: boolean;
}

/** Fields for a new password, typed twice, with its strength. */
export function NewPasswordFields({ form, judge, required, autoFocus }: Props) {
  const t = useText();
  const { password } = form.values as NewPassword;
  const length = lengthOf(password);
  const missing = SHORTEST - length;
  let progress = missing > 0 ? t('password.missing', { missing }) : t('password.longEnough');
  // An optional password needs no hint. The line stays, so that the layout does not move.
  if (missing === SHORTEST && !required) progress = '\u00a0';
  const field = (name: keyof NewPassword) => ({
    required,
    autoComplete: 'new-password',
    visibilityToggleButtonProps: { 'aria-label': t('session.showPassword'), tabIndex: 0 },
    // Mantine sets it on every input except this one.
    'aria-invalid': name in form.errors || undefined,
    ...form.getInputProps(name),
  });
  return (
    <>
      <PasswordInput
        label={t('password.new')}
        description={
          <>
            <span>{t('password.rule', { least: SHORTEST })}</span>
            {judge ? (
              <PasswordStrength
                password={missing > 0 || length > LONGEST ? null : password}
                judge={judge}
                otherwise={progress}
              />
            ) : (
              <span style={{ display: 'block' }}>{progress}</span>
            )}
          </>
        }
        autoFocus={autoFocus}
        {...field('password')}
      />
      <PasswordInput label={t('password.confirm')} {...field('password_confirmation')} />
    </>
  );
}
