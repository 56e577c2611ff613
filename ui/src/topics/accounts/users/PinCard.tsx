import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDispatch } from 'react-redux';
import { type OwnAccountView, useRemovePinMutation, useSetPinMutation } from '@/api/generated';
import { useLazyReadOwnAccountQuery } from '@/api/lazy';
import { canSign } from '@/device/keys';
import { useText } from '@/i18n/useText';
import { accountRead } from '@/session/session';
import { focusFirstError } from '@/shared/forms/focusFirstError';
import { useSubmit } from '@/shared/forms/useSubmit';
import { useConfirmed } from '../proofs/useConfirmed';
import classes from './Sessions.module.css';

const EMPTY = { pin: '', pin_confirmation: '' };
/** A PIN is typed in digits, and no password manager is to keep it. */
const DIGITS = { type: 'password', inputMode: 'numeric', autoComplete: 'off', maxLength: 6 } as const;

/** Set, change and remove the user's own PIN. */
export function PinCard({ user }: { user: OwnAccountView }) {
  const t = useText();
  const dispatch = useDispatch();
  const [setPin] = useSetPinMutation();
  const [removePin] = useRemovePinMutation();
  const [readAccount] = useLazyReadOwnAccountQuery();
  const { confirmed, dialog } = useConfirmed();
  const { submit, pending } = useSubmit();
  const hasPin = user.unlock_by.includes('pin');
  const form = useForm({
    initialValues: EMPTY,
    validate: (values) => ({
      pin: values.pin ? null : t('form.required'),
      pin_confirmation: values.pin_confirmation ? null : t('form.required'),
    }),
  });

  async function refresh() {
    // The saved values became the initial ones.
    form.setInitialValues(EMPTY);
    form.reset();
    const account = await readAccount();
    if (account.data) dispatch(accountRead(account.data));
  }

  async function save(pinDraft: typeof EMPTY) {
    const saved = await submit(() => confirmed(() => setPin({ pinDraft })), { form, success: 'pin.saved' });
    if (saved.ok) await refresh();
  }

  async function remove() {
    if ((await submit(() => removePin(), { success: 'pin.removed' })).ok) await refresh();
  }

  return (
    <Paper withBorder component="section" aria-labelledby="pin-title" className={classes.card}>
      <Title order={2} id="pin-title" fz="lg" mb="sm">
        {t('pin.title')}
      </Title>
      <form noValidate onSubmit={form.onSubmit(save, (errors) => focusFirstError(form, errors))}>
        <Stack gap="md">
          <Text>{t('pin.hint')}</Text>
          {!canSign() && <Text c="var(--warn)">{t('pin.insecure')}</Text>}
          {hasPin && <Text fw={600}>{t('pin.isSet')}</Text>}
          <TextInput label={t('pin.new')} required {...DIGITS} {...form.getInputProps('pin')} />
          <TextInput
            label={t('pin.again')}
            required
            {...DIGITS}
            {...form.getInputProps('pin_confirmation')}
          />
          <Group justify="flex-end" gap="sm">
            {hasPin && (
              <Button variant="default" disabled={pending} onClick={remove}>
                {t('pin.remove')}
              </Button>
            )}
            <Button type="submit" loading={pending}>
              {t(hasPin ? 'pin.change' : 'pin.set')}
            </Button>
          </Group>
        </Stack>
      </form>
      {dialog}
    </Paper>
  );
}
