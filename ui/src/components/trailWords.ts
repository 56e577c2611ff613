import type { HistoryView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { fullName } from './fullName';
import { roles } from './roles';
import { roomStatusWords, roomTypeWords } from './roomWords';

/*
 * What the audit trail's codes mean, in words. An entry becomes a sentence: who, then what they did, such as
 * "Rosa Núñez" + "recorded 3 × gauze on the sheet of José Ibáñez".
 */

interface Deed {
  did: MessageId;
  /** What it is called in a filter. */
  name: MessageId;
  /** True when it came or went whole: of its fields the sentence says enough. */
  whole?: boolean;
}

/** By the whole action, or by what follows its dot where that is said alike of everything. */
const deeds: Record<string, Deed> = {
  created: { did: 'trail.created', name: 'trail.creation', whole: true },
  updated: { did: 'trail.updated', name: 'trail.change' },
  deleted: { did: 'trail.deleted', name: 'trail.deletion', whole: true },
  read: { did: 'trail.read', name: 'trail.reading' },
  listed: { did: 'trail.listed', name: 'trail.listing' },
  exported: { did: 'trail.exported', name: 'trail.export' },
  'consumption_sheet.read': { did: 'trail.read', name: 'trail.reading' },
  'patient.sheets_listed': { did: 'trail.sheetsOf', name: 'trail.sheetsListing' },
  'sheet.opened': { did: 'trail.opened', name: 'trail.opening', whole: true },
  'sheet.closed': { did: 'trail.closed', name: 'trail.closing' },
  'sheet.printed': { did: 'trail.printed', name: 'trail.printing' },
  'sheet.reopened': { did: 'trail.reopened', name: 'trail.reopening' },
  'detail.added': { did: 'trail.detailAdded', name: 'trail.recording', whole: true },
  'detail.edited': { did: 'trail.detailEdited', name: 'trail.correction' },
  'detail.deleted': { did: 'trail.detailDeleted', name: 'trail.deletion', whole: true },
  'profile.completed': { did: 'trail.profileCompleted', name: 'trail.ownProfileNew', whole: true },
  'profile.updated': { did: 'trail.profileUpdated', name: 'trail.ownProfile' },
  'import.done': { did: 'trail.imported', name: 'trail.importing', whole: true },
  'import.undone': { did: 'trail.importUndone', name: 'trail.importUndoing', whole: true },
  'session.signed_in': { did: 'trail.signedIn', name: 'trail.signingIn' },
  'session.signed_out': { did: 'trail.signedOut', name: 'trail.signingOut' },
  'session.sign_in_failed': { did: 'trail.signInFailed', name: 'trail.signingInFailed' },
  'session.ended': { did: 'trail.sessionEnded', name: 'trail.sessionEnding' },
  'user.invited': { did: 'trail.created', name: 'trail.creation', whole: true },
  'user.registered': { did: 'trail.registered', name: 'trail.registration', whole: true },
  'user.profile_assigned': { did: 'trail.updated', name: 'trail.profileChange' },
  'user.account_changed': { did: 'trail.accountChanged', name: 'trail.ownAccount' },
  'user.password_changed': { did: 'trail.passwordChanged', name: 'trail.passwordChange' },
  'user.password_chosen': { did: 'trail.passwordChosen', name: 'trail.passwordByLink' },
  'user.reset_link_handed_out': { did: 'trail.linkHandedOut', name: 'trail.linkFromUs' },
  'user.reset_link_mailed': { did: 'trail.linkMailed', name: 'trail.linkByMail' },
  'user.reset_requested': { did: 'trail.linkRequested', name: 'trail.linkAskedFor' },
};

interface Kind {
  title: MessageId;
  /** One of them, by name. */
  one: MessageId;
  list: MessageId;
  /** What can befall it, beside being exported. */
  actions: string[];
}

const upkeep = (noun: string) => [`${noun}.created`, `${noun}.updated`, `${noun}.deleted`];

export const kinds: Record<string, Kind> = {
  consumption_sheet: {
    title: 'sheets.title',
    one: 'trail.sheet',
    list: 'trail.sheets',
    actions: [
      'sheet.opened',
      'sheet.updated',
      'sheet.closed',
      'sheet.reopened',
      'sheet.printed',
      'sheet.deleted',
      'consumption_sheet.read',
      'consumption_sheet.listed',
    ],
  },
  consumption_detail: {
    title: 'details.title',
    one: 'trail.detail',
    list: 'trail.details',
    actions: ['detail.added', 'detail.edited', 'detail.deleted'],
  },
  patient: {
    title: 'patients.title',
    one: 'trail.patient',
    list: 'trail.patients',
    actions: [...upkeep('patient'), 'patient.read', 'patient.listed', 'patient.sheets_listed'],
  },
  area: { title: 'areas.title', one: 'trail.area', list: 'trail.areas', actions: upkeep('area') },
  room: {
    title: 'rooms.title',
    one: 'trail.room',
    list: 'trail.rooms',
    actions: [...upkeep('room'), 'room.read', 'room.listed'],
  },
  product: {
    title: 'products.title',
    one: 'trail.product',
    list: 'trail.products',
    actions: upkeep('product'),
  },
  category: {
    title: 'categories.title',
    one: 'trail.category',
    list: 'trail.categories',
    actions: upkeep('category'),
  },
  staff: {
    title: 'staff.title',
    one: 'trail.staff',
    list: 'trail.staffList',
    actions: [...upkeep('staff'), 'profile.completed', 'profile.updated'],
  },
  user: {
    title: 'users.title',
    one: 'trail.user',
    list: 'trail.users',
    actions: [
      'session.signed_in',
      'session.signed_out',
      'session.sign_in_failed',
      'session.ended',
      'user.invited',
      'user.registered',
      'user.updated',
      'user.deleted',
      'user.profile_assigned',
      'user.account_changed',
      'user.password_changed',
      'user.password_chosen',
      'user.reset_link_handed_out',
      'user.reset_requested',
      'user.reset_link_mailed',
    ],
  },
  import: {
    title: 'imports.title',
    one: 'trail.import',
    list: 'trail.imports',
    actions: ['import.done', 'import.undone'],
  },
  overview: {
    title: 'home.title',
    one: 'trail.other',
    list: 'trail.overview',
    actions: ['overview.listed'],
  },
  audit: { title: 'audit.title', one: 'trail.other', list: 'trail.itself', actions: [] },
};

const oneTakenOut: Deed = { did: 'trail.exportedOne', name: 'trail.export' };

const deedOf = (action: string) => deeds[action] ?? deeds[action.slice(action.indexOf('.') + 1)];

/** What can befall that kind of thing, to choose from. */
export const actionsOf = (entity: string) =>
  [...(kinds[entity]?.actions ?? []), `${entity}.exported`].map((action) => ({
    value: action,
    label: deedOf(action)?.name ?? 'trail.change',
  }));

type Value = string | number | boolean | null;

const money = new Set(['price', 'unit_price', 'total']);
const days = new Set(['date_of_birth', 'admission_date']);

/** What the fields are called. One that is not here says what the sentence says already. */
const fields: Record<string, MessageId> = {
  active: 'products.active',
  address: 'trail.address',
  admission_date: 'sheets.admissionDate',
  area_id: 'details.area',
  category_id: 'products.category',
  client: 'trail.client',
  code: 'products.code',
  created_at: 'details.date',
  date_of_birth: 'person.dateOfBirth',
  diagnosis: 'sheets.diagnosis',
  doctor: 'sheets.doctor',
  email: 'session.email',
  first_surname: 'person.firstSurname',
  gtin: 'products.gtin',
  job_title: 'person.jobTitle',
  name: 'person.name',
  patient_id: 'sheets.patient',
  price: 'details.price',
  product_id: 'details.product',
  quantity: 'details.quantity',
  reason: 'sheets.reopen.reason',
  record_number: 'person.recordNumber',
  role: 'users.role',
  room_id: 'sheets.room',
  second_surname: 'person.secondSurname',
  session_address: 'trail.sessionAddress',
  session_client: 'trail.sessionClient',
  staff_id: 'details.staff',
  status: 'rooms.status',
  telephone_number: 'person.telephone',
  total: 'sheets.total',
  type: 'rooms.type',
  unit: 'products.unit',
  unit_price: 'details.price',
};

/** What the trail tells of a field, before or after. */
function told(entry: HistoryView, field: string): Value {
  const [before = null, after = null] = entry.changes[field] ?? [];
  return after ?? before;
}

function toldName(entry: HistoryView, field: string): string | null {
  const [before = null, after = null] = entry.names[field] ?? [];
  return after ?? before;
}

/** What it was called when that was told: what is no more has no name but this. */
function formerName(entry: HistoryView): string | null {
  const [name, first_surname, second_surname, email, fileName] = [
    'name',
    'first_surname',
    'second_surname',
    'email',
    'file_name',
  ].map((field) => told(entry, field)?.toString() ?? '');
  return (
    fullName({ name: name ?? '', first_surname: first_surname ?? '', second_surname }) ||
    email ||
    fileName ||
    null
  );
}

/** One change of a field, in words; null on a side where there was nothing. */
export interface Change {
  field: string;
  label: string;
  before: string | null;
  after: string | null;
}

/** Puts entries of the trail into words. */
export function useTrailWords() {
  const t = useText();
  const format = useFormat();

  function sentence(entry: HistoryView) {
    const kind = kinds[entry.entity];
    const name = entry.subject ?? toldName(entry, 'product_id') ?? formerName(entry) ?? `#${entry.entity_id}`;
    const patient = entry.patient ?? toldName(entry, 'patient_id') ?? `#${entry.sheet_id}`;
    const ofSheet = entry.entity === 'consumption_sheet';
    const quantity = told(entry, 'quantity');
    // Somebody asked for a link to an account that there is not.
    const nobody = entry.entity === 'user' && entry.entity_id === 0;
    // Of a list that was taken out nothing is named, but a sheet whose details were.
    const deed =
      entry.action === 'consumption_sheet.exported' && entry.entity_id ? oneTakenOut : deedOf(entry.action);
    return {
      whole: deed?.whole ?? false,
      who: entry.person ?? entry.user?.email ?? t('trail.someone'),
      did: t(deed?.did ?? 'trail.unknown', {
        name,
        action: entry.action,
        thing: nobody ? t('trail.nobody') : t(kind?.one ?? 'trail.other', { name: ofSheet ? patient : name }),
        list: t(kind?.list ?? 'trail.list'),
        sheet: t('trail.sheet', { name: patient }),
        quantity: quantity === null ? '' : format.quantity(Number(quantity)),
      }),
    };
  }

  function inWords(field: string, value: Value, name: string | null | undefined): string | null {
    if (value === null || value === '') return null;
    if (name !== undefined) return name ?? `#${value}`;
    if (money.has(field)) return format.money(Number(value));
    if (days.has(field)) return format.day(String(value));
    if (field === 'created_at') return format.moment(String(value));
    if (field === 'quantity') return format.quantity(Number(value));
    if (typeof value === 'boolean') return t(value ? 'trail.yes' : 'trail.no');
    const word =
      field === 'role'
        ? roles[value.toString()]?.name
        : { status: roomStatusWords, type: roomTypeWords }[field]?.[value.toString()];
    return word ? t(word) : value.toString();
  }

  function changes(entry: HistoryView): Change[] {
    return Object.entries(entry.changes).flatMap(([field, [before = null, after = null]]) => {
      const label = fields[field];
      if (!label) return [];
      const names = entry.names[field];
      return {
        field,
        label: t(label),
        before: inWords(field, before, names?.[0]),
        after: inWords(field, after, names?.[1]),
      };
    });
  }

  return { sentence, changes };
}
