import { Alert, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { canSign } from '@/device/keys';
import { useText } from '@/i18n/useText';
import type { ParkedPerson, UnlockWay } from '@/session/parkedPeople';
import { unlockPerson, waysOf } from '@/session/unlocking';
import { useAppDispatch } from '@/state/storeHooks';
import { FullSignIn } from './FullSignIn';
import { LazyPasskeyUnlock } from './LazyPasskeyUnlock';
import { PinPad } from './PinPad';
import classes from './unlock.module.css';

interface Props {
  person: ParkedPerson;
  /** Called with the token of the unlocked session, or of the new one if that had ended. */
  onUnlocked: (token: string) => unknown;
  /** Removes the person from this device. */
  onRemove: () => unknown;
}

/** The ways in which the chosen person unlocks, and their removal from this device. */
export function PersonPanel({ person, onUnlocked, onRemove }: Props) {
  const t = useText();
  const dispatch = useAppDispatch();
  const id = useId();
  const hospital = useReadSettingsQuery().data?.oidc;
  const ways = waysOf(person, canSign());
  const [way, setWay] = useState<UnlockWay>(ways.find((one) => one !== 'badge') ?? 'password');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const [removes, setRemoves] = useState(false);

  async function tryPin(pin: string) {
    setRefusal(null);
    setPending(true);
    const outcome = await dispatch(unlockPerson(person, { pin }));
    setPending(false);
    switch (outcome.is) {
      case 'unlocked':
        return onUnlocked(person.token);
      case 'refused':
        setRefusal(outcome.messages.map(({ text }) => text).join(' '));
        if (outcome.isFinal) setWay('password');
        return;
      case 'unreachable':
        return setRefusal(t('unlock.offline'));
      case 'over':
        setRefusal(t('unlock.over'));
        return setWay('password');
      case 'unsigned':
        setRefusal(t('unlock.unsigned'));
        return setWay('password');
    }
  }

  function change(next: UnlockWay) {
    setRefusal(null);
    setWay(next);
  }

  /** How to unlock in each way. */
  const screens: Partial<Record<UnlockWay, ReactNode>> = {
    pin: (
      <>
        <Text id={id} role="alert" c="var(--mantine-color-error)" ta="center" mb={refusal ? 'sm' : 0}>
          {refusal}
        </Text>
        <PinPad
          name={person.name}
          pending={pending}
          describedBy={id}
          isInvalid={refusal !== null}
          onPin={tryPin}
        />
      </>
    ),
    password: <FullSignIn person={person} note={refusal} onUnlocked={onUnlocked} />,
  };
  const others: Partial<Record<UnlockWay, string | null>> = {
    pin: t('unlock.usePin'),
    password: person.unlockBy.includes('password')
      ? t('unlock.usePassword')
      : hospital && t('lockScreen.hospital', { name: hospital.name }),
  };

  if (removes)
    return (
      <Alert color="yellow" variant="light">
        <Text size="sm" mb="sm">
          {t('unlock.removeHint', { name: person.name })}
        </Text>
        {/* The alert would cut the ring of the focus. */}
        <Group gap="sm" p={4}>
          <Button color="red" onClick={onRemove}>
            {t('unlock.remove')}
          </Button>
          <Button variant="default" autoFocus onClick={() => setRemoves(false)}>
            {t('action.cancel')}
          </Button>
        </Group>
      </Alert>
    );
  return (
    <>
      {screens[way]}
      <LazyPasskeyUnlock person={person} onUnlocked={() => onUnlocked(person.token)} />
      <div className={classes.links}>
        {ways
          .filter((one) => one !== way && others[one])
          .map((one) => (
            <Button key={one} variant="subtle" onClick={() => change(one)}>
              {others[one]}
            </Button>
          ))}
        <Button variant="subtle" color="gray" onClick={() => setRemoves(true)}>
          {t('unlock.remove')}
        </Button>
      </div>
    </>
  );
}
