import { Button, Group, Input, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { etag } from '@/api/etag';
import {
  type HospitalSettingsView,
  useRemoveHospitalLogoMutation,
  useSetHospitalLogoMutation,
} from '@/api/generated';
import { isFailure } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import classes from './HospitalPage.module.css';

const MAX_LOGO_BYTES = 200_000;

interface Props {
  settings: HospitalSettingsView;
  /** The version that the user has seen. */
  version: () => number;
  onSaved: (settings: HospitalSettingsView) => void;
}

/** The logo, which is saved at once. */
export function LogoField({ settings, version, onSaved }: Props) {
  const t = useText();
  const input = useRef<HTMLInputElement>(null);
  const [setLogo] = useSetHospitalLogoMutation();
  const [removeLogo] = useRemoveHospitalLogoMutation();
  const { submit, pending } = useSubmit();
  const [error, setError] = useState<string | null>(null);
  const { name, logo_version } = settings;

  async function send(
    run: Parameters<typeof submit>[0],
    success: 'hospital.logoSaved' | 'hospital.logoRemoved',
  ) {
    setError(null);
    const saved = await submit(run, {
      success,
      onProblem: ({ status, messages }) => {
        if (status === 422) setError(messages.map(({ text }) => text).join(' '));
        if (status === 412) setError(`${t('hospital.changedMeanwhile')}.`);
        // A picture that the server cannot process must not cost what the form contains.
        if (isFailure(status)) setError(t('error.picture'));
        return status === 422 || status === 412 || isFailure(status);
      },
    });
    if (saved.ok) onSaved(saved.data as HospitalSettingsView);
  }

  function choose(file: File | undefined) {
    if (!file) return;
    if (file.size > MAX_LOGO_BYTES)
      return setError(t('hospital.logoTooLarge', { size: Math.ceil(file.size / 1000) }));
    void send(() => setLogo({ 'If-Match': etag({ version: version() }), body: file }), 'hospital.logoSaved');
  }

  return (
    <Input.Wrapper
      label={t('hospital.logo')}
      labelElement="div"
      description={t('hospital.logoHint')}
      error={error}
      errorProps={{ role: 'alert' }}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    >
      <Group gap="md" my="xs">
        {logo_version ? (
          <img
            className={classes.logo}
            src={`/api/hospital/logo?version=${logo_version}`}
            alt={t('hospital.logoAlt', { name: name || 'Consumo' })}
          />
        ) : (
          <Text c="dimmed">—</Text>
        )}
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg"
          hidden
          data-testid="logo"
          onChange={({ currentTarget }) => {
            choose(currentTarget.files?.[0]);
            // The same file may be chosen again.
            currentTarget.value = '';
          }}
        />
        <Button variant="default" loading={pending} onClick={() => input.current?.click()}>
          {t(logo_version ? 'hospital.logoReplace' : 'hospital.logoChoose')}
        </Button>
        {logo_version && (
          <Button
            variant="subtle"
            disabled={pending}
            onClick={() =>
              send(() => removeLogo({ 'If-Match': etag({ version: version() }) }), 'hospital.logoRemoved')
            }
          >
            {t('hospital.logoRemove')}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
