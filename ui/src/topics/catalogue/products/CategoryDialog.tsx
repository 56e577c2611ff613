import { TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { type CategoryView, useCreateCategoryMutation, useUpdateCategoryMutation } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DialogForm } from '@/shared/forms/DialogForm';
import { useSubmit } from '@/shared/forms/useSubmit';

interface Asked {
  /** The category to rename; undefined for a new one. */
  category?: CategoryView;
  /** The initial name of a new category. */
  name?: string;
}

/**
 * Create or rename a category in a dialog.
 *
 * Render `dialog` outside of any form.
 */
export function useCategoryDialog(onSaved?: (category: CategoryView) => void) {
  const t = useText();
  const [asked, setAsked] = useState<Asked>({});
  const [opened, { open, close }] = useDisclosure();
  return {
    create: (name = '') => {
      setAsked({ name });
      open();
    },
    rename: (category: CategoryView) => {
      setAsked({ category });
      open();
    },
    dialog: (
      // A tap outside must not discard the typed values.
      <Dialog
        opened={opened}
        onClose={close}
        closeOnClickOutside={false}
        title={t(asked.category ? 'categories.edit' : 'categories.create')}
      >
        <CategoryForm
          asked={asked}
          cancel={close}
          done={(category) => {
            close();
            onSaved?.(category);
          }}
        />
      </Dialog>
    ),
  };
}

interface Props {
  asked: Asked;
  cancel: () => void;
  done: (category: CategoryView) => void;
}

function CategoryForm({ asked: { category, name = '' }, cancel, done }: Props) {
  const t = useText();
  const [createCategory] = useCreateCategoryMutation();
  const [updateCategory] = useUpdateCategoryMutation();
  const { submit, pending } = useSubmit();
  const required = isNotEmpty(t('form.required'));
  const form = useForm({
    initialValues: { code: category?.code ?? '', name: category?.name ?? name },
    validate: { code: required, name: required },
  });

  async function save(categoryDraft: { code: string; name: string }) {
    const saved = await submit(
      () =>
        category
          ? updateCategory({ categoryId: category.id, categoryDraft })
          : createCategory({ categoryDraft }),
      { form, success: category ? 'categories.updated' : 'categories.created' },
    );
    if (saved.ok) done(saved.data);
  }

  return (
    <DialogForm form={form} onSubmit={save} onCancel={cancel} action={t('action.save')} pending={pending}>
      <TextInput
        label={t('categories.code')}
        required
        maxLength={200}
        autoComplete="off"
        {...form.getInputProps('code')}
      />
      <TextInput label={t('categories.name')} required maxLength={200} {...form.getInputProps('name')} />
    </DialogForm>
  );
}
