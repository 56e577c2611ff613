import { Button, VisuallyHidden } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import { IconPhoto, IconPrinter, IconRefresh } from '@tabler/icons-react';
import { Suspense, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ProductView, SheetView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { DetailValues } from '@/outbox/outboxSlice';
import { useSession } from '@/session/session';
import { lazyPart } from '@/shared/ui/lazyPart';
import type { DetailsBatch } from '../batch/items';
import { type DetailsList, DetailsTable } from '../lines/DetailsTable';
import { useUndoKey } from '../lines/useUndoKey';
import { PhotoPanel } from '../photo/LazyPhotoPanel';
import { RecordBar } from '../record-bar/RecordBar';
import { recorderOf, useDetailForm } from '../record-bar/useDetailForm';
import { type ManualEntry, useManualEntry } from '../record-bar/useManualEntry';
import { suggestionOf } from '../record-bar/useProductSuggestions';
import { type RecorderControl, useRecorder } from '../scanning/useRecorder';
import type { Pins } from '../side-panel/usePins';
import type { OwnChanges } from '../sync/useLocalChanges';
import type { SheetOutboxState } from '../sync/useSheetOutbox';
import classes from './PracticeSheet.module.css';
import type { Happened, PracticeState } from './practiceState';
import type { Task } from './practiceTasks';
import { CurrentTask, TaskList } from './Tasks';

const RecordBatchDrawer = lazyPart(() => import('../batch/RecordBatchDrawer'));

const OpenRows = lazyPart(() =>
  import('../scanning/OpenRows').then(({ OpenRows }) => ({ default: OpenRows })),
);

interface Props {
  /** The name of the patient, who does not exist. */
  name: string;
  products: ProductView[];
  tasks: Task[];
  state: PracticeState;
  tell: (event: Happened) => void;
  onAgain: () => void;
}

const nothing = () => {};
const NO_REFUSED = { unrecorded: [], release: nothing, correct: nothing, drop: nothing };
const NO_ACTIVITY = {
  ...{ lines: [], unreachableSince: null, isStopped: false },
  ...{ recordedIds: [], repeats: [], repeatsTold: [], told: null },
};

/** The practice sheet: a real record bar and a real list, whose lines exist only here. */
export function PracticeSheet({ name, products, tasks, state, tell, onAgain }: Props) {
  const t = useText();
  const format = useFormat();
  const userId = useSession().user?.id ?? 0;
  const { lines, acts } = state;
  const form = useDetailForm();
  const [kit, setKit] = useState<Extract<DetailsBatch, { kind: 'kit' }> | null>(null);
  const pins = usePracticePins();

  const [isPhoto, setIsPhoto] = useState(false);
  const record = (items: DetailValues[], of?: { id: number; name: string }) =>
    tell({ type: 'recorded', items, kit: of, userId });
  const recorder: RecorderControl = useRecorder({
    sheetId: 0,
    roomId: undefined,
    patient: undefined,
    isOn: true,
    isReady: true,
    by: () => recorderOf(form),
    takeInHand: () => manual.takeInHand(),
    keepLine: () => manual.keepLine(),
    async onRecord(key, values) {
      record([values]);
      recorder.send({ type: 'stored', key });
    },
    onChange: nothing,
    otherMeaning: (code) => meaningOfNumber(code),
    focus: () => manual.toBar(),
  });
  const manual: ManualEntry = useManualEntry({
    form,
    recorder,
    // Rows of a spreadsheet are not practised.
    onBatch: (batch) => batch.kind === 'kit' && setKit(batch),
  });
  function meaningOfNumber(code: string) {
    const product = /^\d\d?$/.test(code) ? products[Number(code) - 1] : undefined;
    if (!product) return undefined;
    const label = t('scan.isUsual', { number: code, product: product.name });
    return { label, run: () => manual.choose(suggestionOf(product)) };
  }

  const undo = useCallbackRef(() => tell({ type: 'undone', isOpen: recorder.undo() }));
  useUndoKey(recorder.fresh !== undefined || acts.length > 0 ? undo : undefined);
  const skip = () => {
    tell({ type: 'skipped' });
    manual.toBar();
  };

  const sheet = useMemo(() => sheetOf(name, format.dayOf(new Date().toISOString())), [name, format]);
  const list = useMemo<DetailsList>(
    () => ({ details: lines, more: 0, onMore: nothing, loadingMore: false, fetching: false }),
    [lines],
  );
  const outbox = useMemo<SheetOutboxState>(() => ({ ...NO_ACTIVITY, acts }), [acts]);
  const changes = useMemo(() => ({ own: ownChanges(lines.map(({ id }) => id)), others: [] }), [lines]);
  const editing = useRef(() => false);
  const begin = () => state.startedAt === null && tell({ type: 'begun' });

  return (
    <div className={classes.frame} onKeyDownCapture={begin} onPointerDownCapture={begin}>
      <div className={classes.page}>
        <div className={classes.band}>
          <b className={classes.mark}>{t('practice.title')}</b>
          <h2 id="details-title" tabIndex={-1} className={classes.name}>
            {name}
          </h2>
          <span className={classes.notice}>{t('practice.notice')}</span>
          <div className={classes.actions}>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPhoto size={18} aria-hidden />}
              onClick={() => setIsPhoto(true)}
            >
              {t('photo.title')}
            </Button>
            <Button
              component={Link}
              to="/practice/codes"
              size="compact-sm"
              variant="default"
              leftSection={<IconPrinter size={18} aria-hidden />}
            >
              {t('practice.codes.short')}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconRefresh size={18} aria-hidden />}
              onClick={onAgain}
            >
              {t('practice.again')}
            </Button>
          </div>
        </div>
        <div className={classes.top}>
          <CurrentTask tasks={tasks} state={state} onSkip={skip} onAgain={onAgain} />
          <RecordBar
            sheet={sheet}
            form={form}
            manual={manual}
            recorder={recorder}
            pins={pins}
            usual={products}
            onPhoto={() => setIsPhoto(true)}
          />
        </div>
        <div className={classes.below}>
          <div className={classes.lines}>
            {isPhoto && (
              <Suspense>
                <PhotoPanel
                  sheetId={0}
                  here={name}
                  recorder={form.values}
                  onRecord={(items) => record(items)}
                  onAsk={(rows) => recorder.send({ type: 'restored', rows })}
                  onFilled={nothing}
                  onClose={() => setIsPhoto(false)}
                  toBar={manual.toBar}
                />
              </Suspense>
            )}
            {recorder.rows.length + recorder.waiting > 0 && (
              <Suspense>
                <OpenRows
                  recorder={recorder}
                  outbox={NO_REFUSED}
                  toBar={manual.toBar}
                  onLink={nothing}
                  onName={manual.chooseFor}
                />
              </Suspense>
            )}
            <VisuallyHidden role="status">
              {lines.length > 0 && t('sheets.recorded', { count: lines.length })}
            </VisuallyHidden>
            <DetailsTable
              sheet={sheet}
              looked={null}
              density="compact"
              closed={false}
              list={list}
              outbox={outbox}
              changes={changes}
              onUndo={undo}
              onRepeat={nothing}
              target={null}
              onReached={nothing}
              editing={editing}
            />
          </div>
          <div className={classes.side}>
            <TaskList tasks={tasks} outcomes={state.outcomes} />
          </div>
        </div>
        {kit && (
          <Suspense>
            <RecordBatchDrawer
              sheetId={0}
              patientId={0}
              batch={kit}
              recorder={form.values}
              onClose={() => setKit(null)}
              onSetAside={nothing}
              onRecord={(items) => {
                setKit(null);
                record(items, { id: kit.kit.id, name: kit.kit.name });
                manual.toBar();
              }}
            />
          </Suspense>
        )}
      </div>
    </div>
  );
}

/** Pin products for this round only. */
function usePracticePins(): Pins {
  const [pinned, setPinned] = useState<ReadonlySet<number>>(new Set());
  const toggle = useCallbackRef((id: number) => {
    setPinned((those) => {
      const next = new Set(those);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  });
  return useMemo(() => ({ pinned, toggle }), [pinned, toggle]);
}

/** The lines are all own, and the list has them at once. */
const ownChanges = (ids: number[]): OwnChanges => ({
  recorded: new Set(ids),
  saved: new Map(),
  removed: new Set(),
  save: nothing,
  remove: nothing,
});

const sheetOf = (name: string, today: string): SheetView => ({
  id: 0,
  version: 0,
  patient_id: 0,
  patient: { id: 0, name, first_surname: '', second_surname: null },
  room_id: 0,
  room: { id: 0, name: '', area_id: 0 },
  admission_date: today,
  diagnosis: '',
  doctor: '',
  closed: false,
  deleted_at: null,
  consumptions: [],
});
