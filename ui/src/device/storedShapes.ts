import type { AreaSheetView, DetailView, SheetView, VersionedCatalogueView } from '@/api/generated';

/** The catalogue of `GET /api/catalogue`, and when it was last current. */
export interface StoredCatalogue extends VersionedCatalogueView {
  fetched_at: string;
}

/** The stored fields of a sheet and its lines: no price, no total, no category code. */
export const STORED_SHEET_FIELDS = [
  'id',
  'patient_id',
  'room_id',
  'room',
  'admission_date',
  'consumptions',
  'visit_number',
] as const satisfies (keyof SheetView)[];
/** The stored fields of an area's page: no value. */
export const STORED_AREA_SHEET_FIELDS = [
  'id',
  'area',
  'month',
  'part',
  'lines',
  'unlisted_items',
  'late_entries',
] as const satisfies (keyof AreaSheetView)[];
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
  'use_reason',
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
export type KeptAreaSheet = Pick<AreaSheetView, (typeof STORED_AREA_SHEET_FIELDS)[number]> & {
  /** Without the value of each day. */
  consumptions: Pick<AreaSheetView['consumptions'][number], 'created_at' | 'details'>[];
};
export type KeptLine = Pick<DetailView, (typeof STORED_LINE_FIELDS)[number]> & {
  product: Pick<DetailView['product'], 'id' | 'name' | 'code'> & {
    category: Pick<DetailView['product']['category'], 'id' | 'name'>;
  };
};

/** An open sheet, or an area's page, as a user last saw it, without prices. */
export interface StoredSheet {
  id: number;
  user_id: number;
  seen_at: string;
  /** Deleted after this time in any case. */
  until: string;
  /** Null until it arrives: its parts are stored separately. */
  sheet: KeptSheet | null;
  /** What is stored of an area's page, which is no `sheet`. */
  area_sheet?: KeptAreaSheet;
  /** Null if this device has no lines: the sheet is only known from a list. */
  lines: KeptLine[] | null;
  /** The usual products, and which of them the user pinned. */
  usual: number[];
  pinned: number[];
  /** When the usual products were read. */
  usual_at?: string;
}
