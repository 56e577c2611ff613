import {
  Alert,
  Button,
  Checkbox,
  Fieldset,
  Group,
  NativeSelect,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { type ReactNode, useRef, useState } from 'react';
import { etag } from '@/api/etag';
import {
  type HospitalSettingsView,
  useChangeHospitalSettingsMutation,
  useReadHospitalSettingsQuery,
} from '@/api/generated';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { throwOnError } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { DecimalInput, useDecimalRule } from '@/shared/forms/DecimalInput';
import { FormCard } from '@/shared/forms/FormCard';
import { useSubmit } from '@/shared/forms/useSubmit';
import { PageLoader } from '@/shared/ui/PageLoader';
import { wasteReasons } from '@/topics/sheets/lines/wasteReasons';
import { currencies, timeZones, useCurrencyName } from './choices';
import classes from './HospitalPage.module.css';
import { draftOf, type HospitalValues, valuesOf } from './hospitalValues';
import { LogoField } from './LogoField';
import { PaperPreview } from './PaperPreview';

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const isUtc = (zone: string) => /^(Etc\/)?(UTC|UCT|GMT|Zulu|Universal)$/.test(zone);

/** The hospital's own settings: they apply as soon as they are saved. */
export default function HospitalPage() {
  const settings = useReadHospitalSettingsQuery(undefined, { refetchOnMountOrArgChange: true });
  throwOnError(settings);
  // The form stays while its data is read again, because saving a logo changes the version.
  return settings.data && !settings.isUninitialized ? (
    <HospitalForm settings={settings.data} />
  ) : (
    <PageLoader />
  );
}

function HospitalForm({ settings }: { settings: HospitalSettingsView }) {
  const t = useText();
  const decimal = useDecimalRule();
  const currencyName = useCurrencyName();
  const [changeSettings] = useChangeHospitalSettingsMutation();
  const { submit, pending } = useSubmit();
  // The version that the user has seen: saving must not overwrite a newer one.
  const seen = useRef(settings.version);
  const [changed, setChanged] = useState(false);
  const form = useForm<HospitalValues>({
    initialValues: valuesOf(settings),
    validate: {
      idle_minutes: decimal,
      ask_above_total: decimal,
      shift_starts: isNotEmpty(t('form.required')),
    },
  });
  const { values } = form;

  async function save(values: HospitalValues) {
    const version = changed ? settings.version : seen.current;
    const saved = await submit(
      () => changeSettings({ 'If-Match': etag({ version }), hospitalDraft: draftOf(values) }),
      {
        form,
        success: 'hospital.saved',
        onProblem: ({ status }) => {
          if (status === 412) setChanged(true);
          return status === 412;
        },
      },
    );
    if (!saved.ok) return;
    seen.current = saved.data.version;
    setChanged(false);
    const now = valuesOf(saved.data);
    form.setInitialValues(now);
    form.setValues(now);
  }

  /** The properties of a field; the server's own cannot be changed. */
  function field(name: keyof HospitalValues, hint?: ReactNode) {
    const fixed = settings.fixed.includes(name);
    const description = fixed ? <b>{t('hospital.fixed')}</b> : hint;
    const { value, ...props } = form.getInputProps(name);
    return { ...props, value, description, disabled: fixed, inputWrapperOrder: ORDER };
  }

  const proposed = isUtc(HERE) ? undefined : HERE;
  return (
    <div className={classes.page}>
      <FormCard
        form={form}
        save={save}
        pending={pending}
        back="/"
        notice={
          <>
            <Text c="dimmed">{t('hospital.lead')}</Text>
            {changed && (
              <Alert color="yellow" role="alert">
                <b>{`${t('hospital.changedMeanwhile')}.`}</b>{' '}
                <span>{t('hospital.changedMeanwhileHint')}</span>
              </Alert>
            )}
          </>
        }
      >
        <Fieldset variant="unstyled" className={classes.part} legend={t('hospital.identity')}>
          <Stack gap="md">
            <TextInput
              label={t('hospital.name')}
              maxLength={120}
              autoComplete="off"
              {...field('name', t('hospital.nameHint'))}
            />
            <Textarea label={t('hospital.address')} rows={2} {...field('address')} />
            <TextInput
              label={t('hospital.taxNumber')}
              maxLength={120}
              autoComplete="off"
              {...field('tax_number', t('hospital.taxNumberHint'))}
            />
            <Textarea
              label={t('hospital.letterhead')}
              rows={2}
              {...field('letterhead', t('hospital.letterheadHint'))}
            />
            <LogoField
              settings={settings}
              version={() => seen.current}
              onSaved={({ version }) => {
                seen.current = version;
              }}
            />
          </Stack>
        </Fieldset>
        <Fieldset variant="unstyled" className={classes.part} legend={t('hospital.clock')}>
          <Stack gap="md">
            <NativeSelect
              label={t('hospital.timeZone')}
              data={timeZones(values.time_zone)}
              {...field('time_zone', t('hospital.timeZoneHint'))}
            />
            {isUtc(values.time_zone) && !settings.fixed.includes('time_zone') && (
              <Alert color="yellow" role="status">
                <Stack gap="sm" align="flex-start">
                  <span>{t('hospital.utc')}</span>
                  {proposed && (
                    <Button variant="default" onClick={() => form.setFieldValue('time_zone', proposed)}>
                      {t('hospital.useZone', { zone: proposed })}
                    </Button>
                  )}
                </Stack>
              </Alert>
            )}
            <Group grow align="flex-start" className={classes.pair}>
              <NativeSelect
                label={t('hospital.currency')}
                data={currencies(values.currency).map((code) => ({ value: code, label: currencyName(code) }))}
                {...field('currency')}
              />
              <NativeSelect
                label={t('hospital.numberFormat')}
                data={[
                  { value: 'language', label: t('hospital.formatLanguage') },
                  { value: 'comma', label: '1.250,00' },
                  { value: 'point', label: '1,250.00' },
                ]}
                {...field('number_format')}
              />
            </Group>
            <TextInput
              label={t('hospital.shifts')}
              required
              autoComplete="off"
              {...field('shift_starts', t('hospital.shiftsHint'))}
            />
          </Stack>
        </Fieldset>
        <Fieldset variant="unstyled" className={classes.part} legend={t('hospital.safety')}>
          <Group grow align="flex-start" className={classes.pair}>
            <DecimalInput
              label={t('hospital.idleMinutes')}
              required
              {...field('idle_minutes', t('hospital.idleHint'))}
            />
            <DecimalInput
              label={t('hospital.askAbove')}
              required
              rightSection={<Text size="sm">{values.currency}</Text>}
              rightSectionWidth={52}
              {...field('ask_above_total', t('hospital.askAboveHint'))}
            />
          </Group>
          <Checkbox.Group
            mt="md"
            label={t('hospital.billedWaste')}
            {...field('billed_waste', t('hospital.billedWasteHint'))}
          >
            <Group my="xs">
              {Object.entries(wasteReasons).map(([reason, label]) => (
                <Checkbox
                  key={reason}
                  value={reason}
                  label={t(label)}
                  disabled={settings.fixed.includes('billed_waste')}
                />
              ))}
            </Group>
          </Checkbox.Group>
          <PasskeyHost />
        </Fieldset>
      </FormCard>
      <PaperPreview draft={draftOf(values)} logoVersion={settings.logo_version} />
    </div>
  );
}

/** Where passkeys are valid, or why there are none. Only the server's address decides it. */
function PasskeyHost() {
  const t = useText();
  const { data } = useReadSettingsQuery();
  if (!data) return null;
  const host = data.passkey_host;
  return host ? (
    <Text c="dimmed" size="sm" mt="md">
      {t('hospital.passkeysAt', { host })}
    </Text>
  ) : (
    <Alert color="yellow" role="note" mt="md">
      {t('hospital.passkeysOff')}
    </Alert>
  );
}

const ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];
