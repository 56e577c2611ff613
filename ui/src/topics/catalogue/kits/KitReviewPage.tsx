import { Button, Checkbox, Group, NativeSelect, Paper, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { type KitReviewItemView, type KitView, useReadKitQuery, useReviewKitQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useRowKeys } from '@/shared/lists/useRowKeys';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { ClampedText } from '@/shared/ui/ClampedText';
import { Loaded } from '@/shared/ui/Loaded';
import { PageLoader } from '@/shared/ui/PageLoader';
import { usePageTitle } from '@/shared/ui/pageName';
import classes from './KitReviewPage.module.css';
import type { KitChange } from './kitProposals';
import { homeOf } from './useWhoseKits';

/** The days whose uses are counted. */
const PERIODS = [30, 90, 180, 365];
/** Below this number of uses, the server proposes nothing. */
const MIN_USES = 20;

/** Compare a kit with its uses, and choose which proposals to fill in its form with. */
export default function KitReviewPage() {
  const kitId = Number(useParams().id);
  const kit = useReadKitQuery({ kitId });
  return <Loaded read={kit}>{(kit) => <KitReview kit={kit} />}</Loaded>;
}

function KitReview({ kit }: { kit: KitView }) {
  const t = useText();
  const format = useFormat();
  const navigate = useNavigate();
  usePageTitle(kit.name, true);
  const [days, setDays] = useState(180);
  const read = useReviewKitQuery({ kitId: kit.id, days }, { refetchOnMountOrArgChange: true });
  throwOnError(read);
  const [refused, setRefused] = useState<number[]>([]);
  const keys = useRowKeys();
  const review = read.currentData;
  const proposed = (review?.items ?? []).filter((item): item is KitReviewItemView & KitChange =>
    Boolean(item.proposal),
  );
  const chosen = proposed.filter(({ product }) => !refused.includes(product.id));

  function openForm() {
    const changes: KitChange[] = chosen.map(({ product, proposal }) => ({ product, proposal }));
    if (changes.length > 0) navigate(`${homeOf(kit)}/${kit.id}/edit`, { state: { changes } });
  }

  const part = (of: number, whole: number) =>
    whole > 0 ? format.share(Math.round((100 * of) / whole) / 100) : '—';
  const figures: { label: MessageId; minor?: true; of: (item: KitReviewItemView) => string }[] = [
    {
      label: 'kits.inKit',
      of: ({ quantity, optional }) =>
        quantity === null
          ? '—'
          : [format.quantity(quantity), optional && t('kits.isOptional')].filter(Boolean).join(' · '),
    },
    { label: 'kits.inUses', of: ({ used_in }) => part(used_in, review?.uses ?? 0) },
    {
      label: 'kits.usedQuantity',
      // A proposal says it.
      minor: true,
      of: ({ median }) => (median === null ? '—' : format.quantity(median)),
    },
    { label: 'kits.returned', of: ({ returned, recorded }) => part(returned, recorded) },
    { label: 'kits.wasted', of: ({ wasted, recorded }) => part(wasted, recorded) },
  ];
  return (
    <Stack gap="md">
      <Group align="flex-end" justify="space-between">
        <Text role="status" fw={600}>
          {review && t('kits.uses', { uses: review.uses, since: format.day(review.since) })}
        </Text>
        <NativeSelect
          label={t('kits.countedDays')}
          value={days}
          onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
          data={PERIODS.map((value) => ({
            value: String(value),
            label: t('kits.lastDays', { days: value }),
          }))}
        />
      </Group>
      {!review && <PageLoader />}
      {review && (
        <Paper withBorder style={{ overflow: 'hidden' }}>
          {/* biome-ignore-start lint/a11y/noRedundantRoles: `display: block` removes the native roles. */}
          <table
            {...keys}
            className={classes.table}
            role="table"
            onKeyDown={(event) => {
              if (event.key === 'Enter') openForm();
              else keys.onKeyDown(event);
            }}
          >
            <caption>
              <VisuallyHidden>{t('kits.review')}</VisuallyHidden>
            </caption>
            <thead role="rowgroup">
              <tr role="row">
                <th scope="col" role="columnheader">
                  {t('details.product')}
                </th>
                {figures.map(({ label }) => (
                  <th key={label} scope="col" role="columnheader" data-numeric>
                    {t(label)}
                  </th>
                ))}
                <th scope="col" role="columnheader">
                  {t('kits.proposal')}
                </th>
              </tr>
            </thead>
            <tbody role="rowgroup">
              {review.items.map((item) => (
                <tr key={item.product.id} role="row">
                  <th scope="row" role="rowheader">
                    <ClampedText>{nameAndCode(item.product)}</ClampedText>
                    {!item.in_kit && (
                      <Text size="sm" c="dimmed">
                        {t('kits.notInKit')}
                      </Text>
                    )}
                  </th>
                  {figures.map(({ label, of, minor }) => (
                    <td key={label} role="cell" data-numeric data-minor={minor} data-label={t(label)}>
                      {of(item)}
                    </td>
                  ))}
                  <td role="cell" className={classes.proposal}>
                    {item.proposal ? (
                      <Proposal
                        item={item}
                        checked={!refused.includes(item.product.id)}
                        onChange={(checked) =>
                          setRefused((before) =>
                            checked
                              ? before.filter((id) => id !== item.product.id)
                              : [...before, item.product.id],
                          )
                        }
                      />
                    ) : (
                      <span className={classes.none}>—</span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {/* biome-ignore-end lint/a11y/noRedundantRoles: as above. */}
        </Paper>
      )}
      {review &&
        (proposed.length > 0 ? (
          <Button disabled={chosen.length === 0} style={{ alignSelf: 'flex-end' }} onClick={openForm}>
            {t('kits.openWithChosen')}
          </Button>
        ) : (
          <Text c="dimmed">
            {t(review.uses < MIN_USES ? 'kits.fewUses' : 'kits.noProposal', { least: MIN_USES })}
          </Text>
        ))}
    </Stack>
  );
}

interface ProposalProps {
  item: KitReviewItemView;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** One proposal in words, to be ticked. */
function Proposal({ item: { product, quantity, optional, proposal }, checked, onChange }: ProposalProps) {
  const t = useText();
  const format = useFormat();
  if (!proposal) return null;
  const changed = [
    proposal.quantity !== quantity &&
      t('kits.newQuantity', { quantity: format.quantity(proposal.quantity ?? 0) }),
    proposal.optional !== optional && t(proposal.optional ? 'kits.optional' : 'kits.notOptional'),
  ];
  const text = {
    add: t('kits.addQuantity', { quantity: format.quantity(proposal.quantity ?? 0) }),
    remove: t('kits.removeLine'),
    change: changed.filter(Boolean).join(' · '),
  }[proposal.action];
  return (
    <Checkbox
      classNames={{ body: classes.choice }}
      label={text}
      aria-label={`${text}: ${nameAndCode(product)}`}
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}
