import { Button, Checkbox, Paper, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import { IconBasketCheck, IconCamera, IconSearch } from '@tabler/icons-react';
import { Suspense, use, useDeferredValue, useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import {
  type RestockLineView,
  type RestockView,
  useCloseRestockListMutation,
  useReadRestockQuery,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { type Answered, QueueContext, ScannerContext, useScanPage } from '@/scan/scanPages';
import { giveSignal } from '@/scan/signals';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { areaPageOf } from '@/shared/records/sheetAddresses';
import { EmptyState } from '@/shared/ui/EmptyState';
import { lazyPart } from '@/shared/ui/lazyPart';
import { PageLoader } from '@/shared/ui/PageLoader';
import { toast } from '@/shared/ui/toast';
import { AreaChoice } from './AreaChoice';
import { RestockRow } from './RestockRow';
import classes from './restock.module.css';
import { ShelfDialog } from './ShelfDialog';
import { groupByShelf, isPutBack, matches } from './shelves';
import { useRestockArea } from './useRestockArea';
import { useTicks } from './useTicks';

const CameraDialog = lazyPart(() => import('@/scan/CameraDialog'));

/** How often the ticks of others are read, in milliseconds. */
const REFETCH_INTERVAL_MS = 20_000;

/** Browsers offer cameras only over HTTPS, and a desktop is not carried to the shelves. */
const hasCamera = () =>
  window.matchMedia('(pointer: coarse)').matches && navigator.mediaDevices !== undefined;

/** Put back on the shelves what an area used since its last list. */
export default function RestockPage() {
  const t = useText();
  const { areaId, chooseArea } = useRestockArea();
  const { locked } = useSession();
  const mayManage = useCan('catalogue.manage');
  const mayAdd = useCan('details.add');
  const answer = useReadRestockQuery(
    { areaId: areaId ?? 0 },
    {
      skip: !areaId,
      refetchOnMountOrArgChange: true,
      refetchOnFocus: true,
      pollingInterval: locked ? 0 : REFETCH_INTERVAL_MS,
      skipPollingIfUnfocused: true,
    },
  );
  throwOnError(answer);
  const list = answer.currentData;
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <AreaChoice areaId={areaId} onChoose={chooseArea} />
        {areaId && (
          <Button component={Link} to={`/restock/lists?area=${areaId}`} variant="default">
            {t('restock.lists')}
          </Button>
        )}
        {areaId && mayAdd && (
          <Button component={Link} to={areaPageOf({ id: areaId })} variant="default">
            {t('area.title')}
          </Button>
        )}
        {areaId && mayManage && (
          <Button component={Link} to={`/restock/shelves?area=${areaId}`} variant="default">
            {t('restock.shelves')}
          </Button>
        )}
      </div>
      {!areaId && <EmptyState title={t('restock.chooseArea')} hint={t('restock.chooseAreaHint')} />}
      {areaId && !list && <PageLoader />}
      {list && <OpenList key={list.area.id} list={list} />}
    </div>
  );
}

function OpenList({ list }: { list: RestockView }) {
  const t = useText();
  const format = useFormat();
  const mayManage = useCan('catalogue.manage');
  const ticks = useTicks(list);
  const [text, setText] = useState('');
  const [onlyLeft, setOnlyLeft] = useState(false);
  const [edited, setEdited] = useState<RestockLineView | null>(null);
  const wanted = useDeferredValue(text);
  const { number, since, last_by: by, items } = list;

  const needed = useMemo(() => items.filter((line) => line.needed > 0 || line.put_back), [items]);
  const over = useMemo(() => items.filter((line) => line.needed < 0 && !line.put_back), [items]);
  const left = needed.filter((line) => !isPutBack(line)).length;
  const groups = useMemo(
    () => groupByShelf(needed.filter((line) => matches(line, wanted) && !(onlyLeft && isPutBack(line)))),
    [needed, wanted, onlyLeft],
  );
  const toggle = useCallbackRef((line: RestockLineView) => void ticks.toggle(line));
  const edit = useCallbackRef((line: RestockLineView) => setEdited(line));

  return (
    <>
      <div>
        <Text className={classes.summary} role="status">
          {[
            needed.length > 0 && t('restock.summary', { left }),
            left < needed.length && t('restock.done', { count: needed.length - left }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        <Text c="dimmed">
          {since
            ? t('restock.since', { number, at: format.moment(since), by: by ?? '' })
            : t('restock.first')}
        </Text>
      </div>
      {needed.length === 0 ? (
        <EmptyState
          icon={<IconBasketCheck size={40} aria-hidden />}
          title={t('restock.empty')}
          hint={t('restock.emptyHint')}
        />
      ) : (
        <>
          <div className={classes.head}>
            <TextInput
              className={classes.find}
              aria-label={t('restock.find')}
              placeholder={t('restock.find')}
              leftSection={<IconSearch size={20} aria-hidden />}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
            <Switch
              label={t('restock.onlyLeft')}
              checked={onlyLeft}
              onChange={({ currentTarget }) => setOnlyLeft(currentTarget.checked)}
            />
          </div>
          {groups.length === 0 && <EmptyState title={t('restock.noneFound')} />}
          {groups.map(({ shelf, lines }) => (
            <section key={shelf ?? ''}>
              <Title order={2} size="h4" mb={4}>
                {shelf === null ? t('restock.noShelf') : t('restock.shelf', { shelf })}
              </Title>
              <Paper withBorder component="ul" className={classes.list}>
                {lines.map((line) => (
                  <RestockRow
                    key={line.product.id}
                    line={line}
                    onToggle={toggle}
                    onEdit={mayManage ? edit : undefined}
                  />
                ))}
              </Paper>
            </section>
          ))}
        </>
      )}
      {over.length > 0 && <OverList lines={over} />}
      {needed.length > 0 && <Foot list={list} left={left} needed={needed} />}
      {edited && (
        <ShelfDialog
          areaId={list.area.id}
          product={edited.product}
          shelf={edited.shelf}
          fixedAmount={edited.fixed_amount}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

/** Products of which closed lists took more than what counts now. */
function OverList({ lines }: { lines: RestockLineView[] }) {
  const t = useText();
  const format = useFormat();
  return (
    <section aria-labelledby="over">
      <Title order={2} size="h4" id="over">
        {t('restock.over')}
      </Title>
      <Text c="dimmed" size="sm" mb={4}>
        {t('restock.overHint')}
      </Text>
      <Paper withBorder component="ul" className={classes.list}>
        {lines.map(({ product, needed }) => (
          <li key={product.id} className={classes.closed}>
            <span className={classes.name}>{product.name}</span>
            <span className={classes.note}>
              {[t('restock.overBy', { quantity: format.quantity(-needed) }), product.unit]
                .filter(Boolean)
                .join(' ')}
            </span>
          </li>
        ))}
      </Paper>
    </section>
  );
}

/** Scan, and close the list. */
function Foot({ list, left, needed }: { list: RestockView; left: number; needed: RestockLineView[] }) {
  const t = useText();
  const scanner = use(ScannerContext);
  const { entries } = use(QueueContext);
  const navigate = useNavigate();
  const confirm = useConfirm();
  const ticks = useTicks(list);
  const [closeList] = useCloseRestockListMutation();
  const { submit, pending } = useSubmit();
  const [watching, setWatching] = useState(false);
  const [said, setSaid] = useState('');
  const settles = useRef(false);

  function say(message: string, isRefused: boolean) {
    giveSignal(isRefused ? 'refused' : 'taken');
    setSaid(message);
    if (isRefused) toast.error(message);
    else toast.success(message);
  }

  async function take({ code, answer }: Answered) {
    const [found, another] = answer.matches.map(({ product }) => product);
    if (!found) return say(t('restock.unknownCode', { code }), true);
    if (another) return say(t('forms.chooseProduct', { code }), true);
    const line = needed.find(({ product }) => product.id === found.id);
    if (!line) return say(t('restock.notOnList', { product: found.name }), true);
    if (isPutBack(line)) return say(t('restock.alreadyTicked', { product: found.name }), false);
    if (await ticks.tick(line)) say(t('restock.scanned', { product: found.name }), false);
  }
  useScanPage({ onScan: (scan) => void take(scan) });

  async function close() {
    settles.current = false;
    const done = needed.length - left;
    const sure = await confirm({
      question: 'restock.closeQuestion',
      action: 'restock.close',
      children: (
        <Stack gap="md">
          <Text>{t('restock.closeHint', { done, left })}</Text>
          {left > 0 && (
            <Checkbox
              label={t('restock.settle')}
              description={t('restock.settleHint')}
              onChange={({ currentTarget }) => {
                settles.current = currentTarget.checked;
              }}
            />
          )}
        </Stack>
      ),
    });
    if (!sure) return;
    const closed = await submit(
      (key) =>
        closeList({
          areaId: list.area.id,
          'Idempotency-Key': key,
          closeRestockDraft: { number: list.number, settle_rest: settles.current },
        }),
      // If another user closed it, the mutation also reads the new list, below the message.
      { success: 'restock.closed' },
    );
    if (closed.ok) navigate(`/restock/lists/${closed.data.id}`);
  }

  return (
    <div className={classes.foot}>
      {hasCamera() && (
        <Button
          variant="default"
          leftSection={<IconCamera size={20} aria-hidden />}
          onClick={() => setWatching(true)}
        >
          {t('restock.camera')}
        </Button>
      )}
      <Button loading={pending} onClick={close}>
        {t('restock.close')}
      </Button>
      {watching && (
        <Suspense>
          <CameraDialog
            recorder={{
              scan: scanner.scan,
              waiting: entries.length,
              isUnanswered: false,
              open: [],
            }}
            said={said}
            onClose={() => setWatching(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
