import { Button, Center, VisuallyHidden } from '@mantine/core';
import { memo, useCallback, useRef, useState } from 'react';
import { etag } from '@/api/etag';
import { type DetailView, useDeleteDetailMutation } from '@/api/generated';
import { useConfirm } from '@/components/Confirm';
import { EmptyState } from '@/components/EmptyState';
import { useSubmit } from '@/components/useSubmit';
import { useToast } from '@/components/useToast';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';
import { Heading, Row } from './cells';
import { DetailRow } from './DetailRow';
import classes from './DetailsTable.module.css';
import { EditDetailRow } from './EditDetailRow';
import { PendingRow } from './PendingRow';
import type { Entry } from './useAddDetail';

interface Props {
  closed: boolean;
  /** Recorded a moment ago, or about to be; oldest first. */
  entries: Entry[];
  /** Whether those to come wait for the server to answer again. */
  stopped: boolean;
  /** What the server knows, newest first. */
  details: DetailView[];
  /** All that were recorded in this visit. */
  recorded: DetailView[];
  /** How many are not shown. */
  more: number;
  onMore: () => void;
  loadingMore: boolean;
}

/** Memoised: what is typed into the form does not draw it anew. */
export const DetailsTable = memo(function DetailsTable({
  closed,
  entries,
  stopped,
  details,
  recorded,
  more,
  onMore,
  loadingMore,
}: Props) {
  const t = useText();
  const format = useFormat();
  const toast = useToast();
  const confirm = useConfirm();
  const { user } = useSession();
  const seesPrices = useCan('prices.see');
  const mayEdit = useCan('details.edit') && !closed;
  const mayDeleteAny = useCan('details.delete_any') && !closed;
  const mayDeleteOwn = useCan('details.delete_own') && !closed;
  const [deleteDetail] = useDeleteDetailMutation();
  const { submit } = useSubmit();
  const [editing, setEditing] = useState<number | null>(null);
  const [edited, setEdited] = useState<number | null>(null);
  // Shown until the list, read again, says the same.
  const [saved, setSaved] = useState<DetailView | null>(null);
  const [deleted, setDeleted] = useState<number[]>([]);

  async function remove(detail: DetailView) {
    const sure = await confirm({
      question: 'details.delete.question',
      action: 'details.delete',
      danger: true,
      children: `${format.quantity(detail.quantity)} × ${detail.product.name}`,
    });
    if (!sure) return;
    const done = await submit(() => deleteDetail({ detailId: detail.id, 'If-Match': etag(detail) }), {
      success: 'details.deleted',
      onProblem: ({ status }) => {
        if (status === 404) toast.error(t('details.gone'));
        return status === 404;
      },
    });
    if (!done.ok) return;
    setDeleted((before) => [...before, detail.id]);
    document.getElementById('details-title')?.focus(); // the button that had it is gone
  }
  const latest = useRef(remove);
  latest.current = remove;
  const onDelete = useCallback((detail: DetailView) => latest.current(detail), []);

  const onEdit = useCallback((id: number) => {
    setEditing(id);
    setEdited(id);
  }, []);
  const onDone = useCallback((detail?: DetailView) => {
    setEditing(null);
    if (detail) setSaved(detail);
  }, []);

  const listed = new Set(details.map(({ id }) => id));
  const arriving = entries
    .flatMap(({ detail }) => (detail && !listed.has(detail.id) ? [detail] : []))
    .reverse();
  const pending = entries.filter(({ detail, refusal }) => !detail && refusal === undefined).reverse();
  const rows = [...arriving, ...details]
    .filter(({ id }) => !deleted.includes(id))
    .map((detail) => (saved?.id === detail.id && saved.version > detail.version ? saved : detail));
  const isNew = new Set(recorded.map(({ id }) => id));
  const withActions = mayEdit || mayDeleteAny || mayDeleteOwn;

  if (rows.length === 0 && pending.length === 0)
    return <EmptyState title={t('list.nothingFound')} hint={closed ? undefined : t('details.nothingYet')} />;
  return (
    <>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: display: grid takes the native roles away. */}
      <table className={classes.table} role="table" aria-labelledby="details-title">
        <thead role="rowgroup">
          <Row>
            <Heading width="10.75rem">{t('details.date')}</Heading>
            <Heading>{t('details.product')}</Heading>
            <Heading width="6.5rem" numeric>
              {t('details.quantity')}
            </Heading>
            {seesPrices && (
              <Heading width="7.75rem" numeric>
                {t('details.price')}
              </Heading>
            )}
            <Heading width="11rem">{t('details.staff')}</Heading>
            {withActions && (
              <Heading width="6.75rem">
                <VisuallyHidden>{t('details.actions')}</VisuallyHidden>
              </Heading>
            )}
          </Row>
        </thead>
        <tbody role="rowgroup">
          {pending.map((entry) => (
            <PendingRow
              key={entry.key}
              entry={entry}
              stopped={stopped}
              format={format}
              seesPrices={seesPrices}
              withActions={withActions}
            />
          ))}
          {rows.map((detail) =>
            detail.id === editing && mayEdit ? (
              <EditDetailRow
                key={detail.id}
                detail={detail}
                format={format}
                seesPrices={seesPrices}
                onDone={onDone}
              />
            ) : (
              <DetailRow
                key={detail.id}
                detail={detail}
                format={format}
                seesPrices={seesPrices}
                withActions={withActions}
                isNew={isNew.has(detail.id)}
                wasEdited={edited === detail.id}
                onEdit={mayEdit ? onEdit : undefined}
                onDelete={
                  mayDeleteAny || (mayDeleteOwn && detail.user_id === user?.id) ? onDelete : undefined
                }
              />
            ),
          )}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: as above. */}
      {more > 0 && (
        <Center p="md">
          <Button variant="default" onClick={onMore} loading={loadingMore}>
            {t('details.more', { more })}
          </Button>
        </Center>
      )}
    </>
  );
});
