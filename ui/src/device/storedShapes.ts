import type { DetailView, SheetView, VersionedCatalogueView } from '@/api/generated';

/** The catalogue as `GET /api/catalogue` answers it, and when it was last known to be that of the server. */
export interface StoredCatalogue extends VersionedCatalogueView {
  fetched_at: string;
}

/** What is kept of a sheet, and of its lines. A price, a total or a category's code is none of it. */
export const STORED_SHEET_FIELDS = [
  'id',
  'patient_id',
  'room_id',
  'room',
  'admission_date',
  'consumptions',
  'visit_number',
] as const satisfies (keyof SheetView)[];
export const STORED_LINE_FIELDS = [
  'id',
  'consumption_sheet_id',
  'product_id',
  'quantity',
  'returned',
  'staff_id',
  'staff',
  'area_id',
  'area',
  'room_id',
  'kit_id',
  'kit',
  'user_id',
  'created_at',
  'occurred_at',
  'day',
  'gtin',
  'lot',
  'expiry',
  'serial',
  'version',
] as const satisfies (keyof DetailView)[];

export type KeptSheet = Pick<SheetView, (typeof STORED_SHEET_FIELDS)[number]> & {
  patient: Pick<
    SheetView['patient'],
    'id' | 'name' | 'first_surname' | 'second_surname' | 'record_number' | 'date_of_birth'
  >;
};
export type KeptLine = Pick<DetailView, (typeof STORED_LINE_FIELDS)[number]> & {
  product: Pick<DetailView['product'], 'id' | 'name' | 'code'> & {
    category: Pick<DetailView['product']['category'], 'id' | 'name'>;
  };
};

/** An open sheet as it was last seen by a person, without prices. */
export interface StoredSheet {
  id: number;
  user_id: number;
  seen_at: string;
  /** From then on it is gone, whatever happens. */
  until: string;
  /** Null until it came: its parts come one by one. */
  sheet: KeptSheet | null;
  /** Null where no line was ever seen on this device: the sheet is known from a list. */
  lines: KeptLine[] | null;
  /** The products that are likely to be recorded next, and those of them that the person pinned. */
  usual: number[];
  pinned: number[];
}
