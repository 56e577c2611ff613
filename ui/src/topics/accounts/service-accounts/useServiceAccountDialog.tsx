import { TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import {
  type ServiceAccountView,
  useCreateServiceAccountMutation,
  useUpdateServiceAccountMutation,
} from '@/api/generated';
import { useText } from '@/i18n/useText';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DialogForm } from '@/shared/forms/DialogForm';
import { useSubmit } from '@/shared/forms/useSubmit';

/** Create or rename a program in a dialog. */
export function useServiceAccountDialog() {
  const t = useText();
  const [account, setAccount] = useState<ServiceAccountView>();
  const [opened, { open, close }] = useDisclosure();
  return {
    create: () => {
      setAccount(undefined);
      open();
    },
    rename: (one: ServiceAccountView) => {
      setAccount(one);
      open();
    },
    dialog: (
      <Dialog
        opened={opened}
        onClose={close}
        closeOnClickOutside={false}
        title={t(account ? 'programs.rename' : 'programs.create')}
      >
        <NameForm account={account} close={close} />
      </Dialog>
    ),
  };
}

function NameForm({ account, close }: { account?: ServiceAccountView; close: () => void }) {
  const t = useText();
  const [createAccount] = useCreateServiceAccountMutation();
  const [updateAccount] = useUpdateServiceAccountMutation();
  const { submit, pending } = useSubmit();
  const form = useForm({
    initialValues: { name: account?.name ?? '' },
    validate: { name: isNotEmpty(t('form.required')) },
  });

  async function save(serviceAccountDraft: { name: string }) {
    const saved = await submit(
      () =>
        account
          ? updateAccount({ accountId: account.id, serviceAccountDraft })
          : createAccount({ serviceAccountDraft }),
      { form, success: account ? 'programs.renamed' : 'programs.created' },
    );
    if (saved.ok) close();
  }

  return (
    <DialogForm form={form} onSubmit={save} onCancel={close} action={t('action.save')} pending={pending}>
      <TextInput
        label={t('programs.name')}
        description={t('programs.nameHint')}
        required
        maxLength={200}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
    </DialogForm>
  );
}
