import { Checkbox, Fieldset, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { type MadeKeyView, useCreateKeyMutation, useListServiceAccountsQuery } from '@/api/generated';
import { ApiError, throwOnError } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { DateField, useDayRule } from '@/shared/forms/DateField';
import { FormCard } from '@/shared/forms/FormCard';
import { OneTimeSecret } from '@/shared/forms/OneTimeSecret';
import { useSubmit } from '@/shared/forms/useSubmit';
import { settled } from '@/shared/forms/useUnsavedChangesPrompt';
import { PageLoader } from '@/shared/ui/PageLoader';
import { scopeGroups, useScopeLabels } from './scopeLabels';

const leaving = { question: 'keys.leave.question', action: 'keys.leave.action' } as const;

/** Create a key for a program: its scopes, networks and expiry. */
export default function CreateKeyPage() {
  const t = useText();
  const navigate = useNavigate();
  const accountId = Number(useParams().id);
  const accounts = useListServiceAccountsQuery();
  const [createKey] = useCreateKeyMutation();
  const { submit, pending } = useSubmit();
  // Only here: the secret is sent once, and must not enter a URL or a cache.
  const [made, setMade] = useState<MadeKeyView | null>(null);
  const dayRule = useDayRule();
  const form = useForm({
    initialValues: { name: '', scopes: [] as string[], networks: '', expires_on: null as string | null },
    validate: {
      name: isNotEmpty(t('form.required')),
      scopes: (scopes) => (scopes.length ? null : t('keys.scopesRequired')),
      expires_on: dayRule,
    },
  });
  const wordsOf = useScopeLabels();
  throwOnError(accounts);
  if (!accounts.data) return <PageLoader />;
  const account = accounts.data.items.find(({ id }) => id === accountId);
  if (!account)
    throw new ApiError({ status: 404, messages: [{ field: null, code: null, text: t('programs.missing') }] });
  const offered = new Set<string>(accounts.data.scopes);

  async function save({ networks, expires_on, ...values }: typeof form.values) {
    const apiKeyDraft = {
      ...values,
      networks: networks.split(/[\s,;]+/).filter(Boolean),
      expires_on: expires_on ?? undefined,
    };
    const saved = await submit(() => createKey({ accountId, apiKeyDraft }), { form, success: 'keys.made' });
    if (saved.ok) setMade(saved.data);
  }

  if (made)
    return (
      <OneTimeSecret
        title={t('keys.title', { name: account.name })}
        use={
          <>
            <span>{t('keys.use')}</span> <strong>{t('keys.once')}</strong>
          </>
        }
        label="keys.secret"
        value={made.secret}
        copy="keys.copy"
        note="keys.note"
        leaving={leaving}
        onDone={() => navigate('/service-accounts', { replace: true, state: settled })}
      />
    );
  return (
    <FormCard form={form} save={save} pending={pending} back="/service-accounts">
      <TextInput
        label={t('keys.name')}
        description={t('keys.nameHint', { program: account.name })}
        required
        maxLength={200}
        autoComplete="off"
        autoFocus
        {...form.getInputProps('name')}
      />
      <Checkbox.Group
        label={t('keys.scopes')}
        description={t('keys.scopesHint')}
        required
        {...form.getInputProps('scopes')}
      >
        <Stack gap="md" mt="sm">
          {scopeGroups.map(({ title, scopes }) => (
            <Fieldset key={title} legend={t(title)}>
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
                {scopes
                  .filter((scope) => offered.has(scope))
                  .map((scope) => (
                    <Checkbox key={scope} value={scope} size="md" label={wordsOf(scope)} />
                  ))}
              </SimpleGrid>
            </Fieldset>
          ))}
        </Stack>
      </Checkbox.Group>
      <TextInput
        label={t('keys.networks')}
        description={t('keys.networksHint')}
        autoComplete="off"
        {...form.getInputProps('networks')}
      />
      <DateField
        label={t('keys.lastDay')}
        description={t('keys.lastDayHint')}
        keepsText
        minDate={new Date()}
        {...form.getInputProps('expires_on')}
      />
    </FormCard>
  );
}
