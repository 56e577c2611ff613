import { Alert, Anchor } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import { etag } from '@/api/etag';
import { type KitView, useDeleteKitMutation, useReadKitQuery, useUpdateKitMutation } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { DeleteButton } from '@/shared/forms/DeleteButton';
import { useSubmit } from '@/shared/forms/useSubmit';
import { Loaded } from '@/shared/ui/Loaded';
import { usePageTitle } from '@/shared/ui/pageName';
import { draftOf, KitForm, useKitForm } from './KitForm';
import type { KitValues } from './KitLines';
import { type KitChange, withChanges } from './kitProposals';
import { homeOf } from './useWhoseKits';

export default function EditKitPage() {
  const kitId = Number(useParams().id);
  const kit = useReadKitQuery({ kitId }, { refetchOnMountOrArgChange: true });
  return <Loaded read={kit}>{(kit) => <EditKitForm kit={kit} />}</Loaded>;
}

function EditKitForm({ kit }: { kit: KitView }) {
  const t = useText();
  usePageTitle(kit.name, true);
  const navigate = useNavigate();
  const [updateKit] = useUpdateKitMutation();
  const [deleteKit] = useDeleteKitMutation();
  const { submit, pending } = useSubmit();
  // The version that the user has seen: saving must not overwrite a newer one.
  const seen = useRef(kit.version);
  const [changed, setChanged] = useState(false);
  const { id, name, area, own } = kit;
  const form = useKitForm({
    name,
    area_id: area?.id ?? null,
    lines: kit.lines.map(({ product, quantity, optional }) => ({ product, quantity, optional })),
  });
  // The proposals that were ticked in a review are unsaved changes.
  const { changes } = (useLocation().state ?? {}) as { changes?: KitChange[] };
  const fillIn = useEffectEvent((chosen: KitChange[]) =>
    form.setFieldValue('lines', withChanges(form.getValues().lines, chosen)),
  );
  useEffect(() => {
    if (changes) fillIn(changes);
  }, [changes]);
  const home = homeOf(kit);

  async function save(values: KitValues) {
    const version = changed ? kit.version : seen.current;
    const updated = await submit(
      () => updateKit({ kitId: id, 'If-Match': etag({ version }), kitDraft: draftOf(values) }),
      {
        form,
        success: 'kits.updated',
        onProblem: ({ status }) => {
          if (status === 412) setChanged(true);
          return status === 412;
        },
      },
    );
    if (updated.ok) navigate(`${home}/${id}`, { replace: true });
  }

  return (
    <KitForm
      form={form}
      own={own}
      areaName={area?.name}
      save={save}
      pending={pending}
      back={`${home}/${id}`}
      notice={
        changed && (
          <Alert color="yellow" role="alert">
            <b>{`${t('kits.changedMeanwhile')}.`}</b> <span>{t('kits.changedMeanwhileHint')}</span>{' '}
            <Anchor component={Link} to={`${home}/${id}`} target="_blank" fz="inherit">
              {t('kits.seeTheirs')}
            </Anchor>
          </Alert>
        )
      }
    >
      <DeleteButton
        label="kits.delete"
        question="kits.delete.question"
        success="kits.deleted"
        what={name}
        run={() => deleteKit({ kitId: id, 'If-Match': etag(kit) })}
        after={home}
      />
    </KitForm>
  );
}
