import type { ProductLookupView, ReadingView } from '@/api/generated';
import { type DetailValues, EMPTY_SCAN } from '@/outbox/outboxSlice';
import { reduceRecorder } from '@/recording/scanning/recorder';
import type {
  Effect,
  Match,
  Recorder,
  RecorderEvent,
  RecorderState,
  Row,
} from '@/recording/scanning/recorderState';

export const NOW = { at: '2026-11-25T18:00:00Z', today: '2026-11-25' };
export const by: Recorder = { staff_id: 7, staff: null, area_id: 2, used_at: '2026-11-25T10:00:00Z' };

export const match = (
  id: number,
  change: Omit<Partial<Match>, 'product'> & { product?: Partial<Match['product']> } = {},
): Match =>
  ({
    system: 'gtin',
    units: 1,
    label: null,
    ...change,
    product: {
      id,
      name: `Producto ${id}`,
      code: `P-${id}`,
      gtin: null,
      unit: 'pieza',
      active: true,
      decimals: 0,
      asks_lot: false,
      asks_serial: false,
      implant: false,
      category: { id: 1, name: '' },
      category_id: 1,
      ...change.product,
    },
  }) as Match;

export const reading = (change: Partial<ReadingView> = {}): ReadingView => ({
  gtin: '09520000001858',
  lot: null,
  expiry: null,
  serial: null,
  count: null,
  separator_lost: false,
  expiry_unreadable: false,
  incomplete: false,
  bare: false,
  ...change,
});

export const answer = (change: Partial<ProductLookupView> = {}): ProductLookupView => ({
  reading: null,
  matches: [],
  recall: null,
  expired: false,
  serial_used: null,
  noted: null,
  read_as: null,
  people: [],
  label: null,
  ...change,
});
export const means = (id: number, read?: Partial<ReadingView>, change?: Parameters<typeof match>[1]) =>
  answer({ matches: [match(id, change)], reading: read ? reading(read) : null });

export const byHand = (id: number, quantity: number, change: Partial<DetailValues> = {}): DetailValues => ({
  ...EMPTY_SCAN,
  ...by,
  corrects: null,
  product_id: id,
  product: match(id).product,
  quantity,
  ...change,
});

let keys = 0;

/** A sheet's recorder with its collected effects, on a device that stores each entry at once. */
export class Sheet {
  state: RecorderState = { sheetId: 1, rows: [] };
  effects: Effect[] = [];

  send(event: RecorderEvent) {
    const { state, effects } = reduceRecorder(this.state, event, NOW);
    this.state = state;
    this.effects.push(...effects);
    for (const effect of effects) if (effect.do === 'record') this.send({ type: 'stored', key: effect.key });
    return this;
  }

  /** Hand over a scan with its answer, as the queue does. */
  scan(raw: string, answered: ProductLookupView, times?: number, isOld = false) {
    keys += 1;
    const key = `k${keys}`;
    this.send({ type: 'lookedUp', scan: { key, raw, times, by, answer: answered, visit: '', isOld } });
    return key;
  }

  wait() {
    for (const row of this.state.rows)
      if (row.kind === 'line') this.send({ type: 'delayElapsed', key: row.key, changes: row.changes });
    return this;
  }

  get recorded() {
    return this.effects.flatMap((effect) =>
      effect.do === 'record' ? [[effect.values.product_id, effect.values.quantity] as const] : [],
    );
  }

  get lastRecorded() {
    return this.effects.findLast((effect) => effect.do === 'record')?.values;
  }

  get signals() {
    return this.effects.flatMap((effect) => (effect.do === 'signal' ? [effect.signal] : []));
  }

  get kinds() {
    return this.state.rows.map(({ kind }) => kind);
  }

  row<Kind extends Row['kind']>(kind: Kind) {
    return this.state.rows.find((row): row is Extract<Row, { kind: Kind }> => row.kind === kind) as Extract<
      Row,
      { kind: Kind }
    >;
  }
}
