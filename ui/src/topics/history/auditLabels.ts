import type { AuditAction, HistoryView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { fullName } from '@/shared/records/fullName';
import { roles } from '@/topics/accounts/roles';
import { roomStatusLabels, roomTypeLabels } from '@/topics/catalogue/roomLabels';
import { returnReasons } from '@/topics/sheets/lines/returnReasons';

/*
 * Words for the codes of the audit log.
 *
 * An entry becomes a sentence: the user, then the action, such as "Rosa Núñez" + "recorded 3 × gauze on the sheet of
 * José Ibáñez".
 */

interface ActionWords {
  did: MessageId;
  /** The name in a filter. */
  name: MessageId;
  /** True for created or deleted records: the sentence says enough without the fields. */
  whole?: boolean;
}

/** Words for actions that all kinds of records share, by the part after the dot. */
const verbs = {
  created: { did: 'audit.created', name: 'audit.creation', whole: true },
  updated: { did: 'audit.updated', name: 'audit.change' },
  deleted: { did: 'audit.deleted', name: 'audit.deletion', whole: true },
  read: { did: 'audit.read', name: 'audit.reading' },
  listed: { did: 'audit.listed', name: 'audit.listing' },
  exported: { did: 'audit.exported', name: 'audit.export' },
} satisfies Record<string, ActionWords>;

type Verb = keyof typeof verbs;

/** Words for all other actions; a missing one does not compile. A few shared verbs have special words here. */
const actions: Record<Exclude<AuditAction, `${string}.${Verb}`>, ActionWords> &
  Partial<Record<AuditAction, ActionWords>> = {
  'consumption_sheet.read': { did: 'audit.read', name: 'audit.reading' },
  'patient.sheets_listed': { did: 'audit.sheetsOf', name: 'audit.sheetsListing' },
  'sheet.opened': { did: 'audit.opened', name: 'audit.opening', whole: true },
  'sheet.closed': { did: 'audit.closed', name: 'audit.closing' },
  'sheet.printed': { did: 'audit.printed', name: 'audit.printing' },
  'sheet.implants_printed': { did: 'audit.implantsPrinted', name: 'audit.implantsPrinting' },
  'sheet.copied_from': { did: 'audit.copied', name: 'audit.copying' },
  'sheet.closing_undone': { did: 'audit.closingUndone', name: 'audit.closingUndoing' },
  'sheet.reopened': { did: 'audit.reopened', name: 'audit.reopening' },
  'sheet.transferred': { did: 'audit.transferred', name: 'audit.transferring' },
  'sheet.transfer_undone': { did: 'audit.transferUndone', name: 'audit.transferUndoing' },
  'detail.added': { did: 'audit.detailAdded', name: 'audit.recording', whole: true },
  'detail.edited': { did: 'audit.detailEdited', name: 'audit.correction' },
  'detail.voided': { did: 'audit.detailVoided', name: 'audit.voiding', whole: true },
  'detail.moved_away': { did: 'audit.detailMovedAway', name: 'audit.movingAway' },
  'detail.moved_here': { did: 'audit.detailMovedHere', name: 'audit.movingHere' },
  'detail.returned': { did: 'audit.detailReturned', name: 'audit.returning' },
  'detail.deleted': { did: 'audit.detailDeleted', name: 'audit.deletion', whole: true },
  'detail.judged_right': { did: 'audit.judgedRight', name: 'audit.judging', whole: true },
  'detail.judgement_undone': { did: 'audit.judgementUndone', name: 'audit.judgementUndoing', whole: true },
  'sheet.missed_charge_answered': { did: 'audit.missedAnswered', name: 'audit.missedAnswering' },
  'sheet.judged_right': { did: 'audit.judgedRight', name: 'audit.judging', whole: true },
  'sheet.judgement_undone': { did: 'audit.judgementUndone', name: 'audit.judgementUndoing', whole: true },
  'detail.recall_seen': { did: 'audit.recallSeen', name: 'audit.recallSeeing' },
  'patient.merged': { did: 'audit.patientMerged', name: 'audit.merging' },
  'patient.unmerged': { did: 'audit.patientUnmerged', name: 'audit.unmerging' },
  'patient.printed': { did: 'audit.labelsPrinted', name: 'audit.labelPrinting' },
  'patient.identified': { did: 'audit.patientIdentified', name: 'audit.identifying' },
  'sheet.patient_merged': { did: 'audit.sheetMerged', name: 'audit.merging' },
  'sheet.patient_unmerged': { did: 'audit.sheetUnmerged', name: 'audit.unmerging' },
  'late_entry.arrived': { did: 'audit.lateArrived', name: 'audit.lateArrival' },
  'late_entry.recorded': { did: 'audit.lateRecorded', name: 'audit.lateRecording' },
  'late_entry.dismissed': { did: 'audit.lateDismissed', name: 'audit.lateDismissal' },
  'form.printed': { did: 'audit.formPrinted', name: 'audit.formPrinting' },
  'form.recorded': { did: 'audit.formRecorded', name: 'audit.formRecording' },
  'form.discarded': { did: 'audit.formDiscarded', name: 'audit.formDiscarding' },
  'unlisted_item.noted': { did: 'audit.unlistedNoted', name: 'audit.unlistedNoting', whole: true },
  'unlisted_item.resolved': { did: 'audit.unlistedResolved', name: 'audit.unlistedResolving' },
  'unlisted_item.discarded': { did: 'audit.unlistedDiscarded', name: 'audit.unlistedDiscarding' },
  'unlisted_item.withdrawn': { did: 'audit.unlistedWithdrawn', name: 'audit.unlistedWithdrawing' },
  'outbound_message.retried': { did: 'audit.outboundRetried', name: 'audit.outboundRetrying' },
  'outbound_message.settled': { did: 'audit.outboundSettled', name: 'audit.outboundSettling' },
  'product.picture_set': { did: 'audit.pictureSet', name: 'audit.pictureSetting' },
  'product.picture_removed': { did: 'audit.pictureRemoved', name: 'audit.pictureRemoval' },
  'product.name_dismissed': { did: 'audit.nameDismissed', name: 'audit.nameDismissing' },
  'product_code.added': { did: 'audit.codeAdded', name: 'audit.codeAddition', whole: true },
  'product_code.removed': { did: 'audit.codeRemoved', name: 'audit.codeRemoval', whole: true },
  'unknown_code.ignored': { did: 'audit.codeIgnored', name: 'audit.codeIgnoring' },
  'recall.opened': { did: 'audit.recallOpened', name: 'audit.recallOpening', whole: true },
  'recall.closed': { did: 'audit.recallClosed', name: 'audit.recallClosing' },
  'set_aside.recorded': { did: 'audit.setAsideRecorded', name: 'audit.setAsideRecording', whole: true },
  'restock_list.closed': {
    did: 'audit.restockListClosed',
    name: 'audit.restockListClosing',
    whole: true,
  },
  'area.restock_ticked': { did: 'audit.restockTicked', name: 'audit.restockTicking' },
  'area.restock_unticked': { did: 'audit.restockUnticked', name: 'audit.restockUnticking' },
  'area.shelf_changed': { did: 'audit.shelfChanged', name: 'audit.shelfChanging' },
  'recall.read': { did: 'audit.recallRead', name: 'audit.reading' },
  'profile.completed': { did: 'audit.profileCompleted', name: 'audit.ownProfileNew', whole: true },
  'profile.updated': { did: 'audit.profileUpdated', name: 'audit.ownProfile' },
  'inbound_message.retried': { did: 'audit.messageRetried', name: 'audit.messageRetrying' },
  'inbound_message.dismissed': { did: 'audit.messageDismissed', name: 'audit.messageDismissing' },
  'inbound_message.answered': { did: 'audit.messageAnswered', name: 'audit.messageAnswering' },
  'import.done': { did: 'audit.imported', name: 'audit.importing', whole: true },
  'import.undone': { did: 'audit.importUndone', name: 'audit.importUndoing', whole: true },
  'session.signed_in': { did: 'audit.signedIn', name: 'audit.signingIn' },
  'session.signed_out': { did: 'audit.signedOut', name: 'audit.signingOut' },
  'session.sign_in_failed': { did: 'audit.signInFailed', name: 'audit.signingInFailed' },
  'session.oidc_refused': { did: 'audit.oidcRefused', name: 'audit.oidcRefusal' },
  'user.created_by_oidc': { did: 'audit.createdByOidc', name: 'audit.creationByOidc', whole: true },
  'user.oidc_linked': { did: 'audit.oidcLinked', name: 'audit.oidcLinking' },
  'user.oidc_unlinked': { did: 'audit.oidcUnlinked', name: 'audit.oidcUnlinking' },
  'user.role_from_oidc': { did: 'audit.roleFromOidc', name: 'audit.roleByOidc' },
  'user.role_kept': { did: 'audit.roleKept', name: 'audit.roleKeeping' },
  'user.refused_by_oidc': { did: 'audit.refusedByOidc', name: 'audit.refusalByOidc' },
  'user.admitted_by_oidc': { did: 'audit.admittedByOidc', name: 'audit.admissionByOidc' },
  'session.device_bound': { did: 'audit.deviceBound', name: 'audit.deviceBinding' },
  'session.ended': { did: 'audit.sessionEnded', name: 'audit.sessionEnding' },
  'session.unlocked': { did: 'audit.unlocked', name: 'audit.unlocking' },
  'session.unlock_failed': { did: 'audit.unlockFailed', name: 'audit.unlockingFailed' },
  'session.pin_exhausted': { did: 'audit.pinExhausted', name: 'audit.pinExhaustion' },
  'device.sessions_ended': { did: 'audit.deviceSessionsEnded', name: 'audit.deviceSessionsEnding' },
  'user.pin_set': { did: 'audit.pinSet', name: 'audit.pinSetting' },
  'user.pin_removed': { did: 'audit.pinRemoved', name: 'audit.pinRemoval' },
  'user.badge_added': { did: 'audit.badgeAdded', name: 'audit.badgeAdding' },
  'user.badge_removed': { did: 'audit.badgeRemoved', name: 'audit.badgeRemoval' },
  'hospital.updated': { did: 'audit.hospitalChanged', name: 'audit.hospitalChange' },
  'hospital.logo_changed': { did: 'audit.logoChanged', name: 'audit.logoChange' },
  'service_account.created': { did: 'audit.programCreated', name: 'audit.programCreation', whole: true },
  'service_account.updated': { did: 'audit.programRenamed', name: 'audit.programRenaming' },
  'service_account.deleted': { did: 'audit.programDeleted', name: 'audit.programDeletion', whole: true },
  'key.made': { did: 'audit.keyMade', name: 'audit.keyMaking' },
  'key.revoked': { did: 'audit.keyRevoked', name: 'audit.keyRevoking', whole: true },
  'user.invited': { did: 'audit.created', name: 'audit.creation', whole: true },
  'user.registered': { did: 'audit.registered', name: 'audit.registration', whole: true },
  'user.profile_assigned': { did: 'audit.updated', name: 'audit.profileChange' },
  'user.account_changed': { did: 'audit.accountChanged', name: 'audit.ownAccount' },
  'user.password_changed': { did: 'audit.passwordChanged', name: 'audit.passwordChange' },
  'user.password_chosen': { did: 'audit.passwordChosen', name: 'audit.passwordByLink' },
  'passkey.clone_suspected': { did: 'audit.passkeyCopied', name: 'audit.passkeyCopying' },
  'passkey.registered': { did: 'audit.passkeyAdded', name: 'audit.passkeyAdding' },
  'passkey.removed': { did: 'audit.passkeyRemoved', name: 'audit.passkeyRemoving' },
  'passkey.renamed': { did: 'audit.passkeyRenamed', name: 'audit.passkeyRenaming' },
  'session.second_factor_failed': { did: 'audit.secondFactorFailed', name: 'audit.secondFactorFailing' },
  'user.passkey_link_handed_out': { did: 'audit.passkeyLinkMade', name: 'audit.passkeyLink' },
  'user.reset_link_handed_out': { did: 'audit.linkHandedOut', name: 'audit.linkFromUs' },
  'user.reset_link_mailed': { did: 'audit.linkMailed', name: 'audit.linkByMail' },
  'user.outbox_judged_right': { did: 'audit.outboxJudgedRight', name: 'audit.judging', whole: true },
  'user.outbox_judgement_undone': {
    did: 'audit.outboxJudgementUndone',
    name: 'audit.judgementUndoing',
    whole: true,
  },
  'user.test_email_sent': { did: 'audit.testEmailSent', name: 'audit.testEmail' },
  'user.reset_requested': { did: 'audit.linkRequested', name: 'audit.linkAskedFor' },
};

interface Kind {
  title: MessageId;
  /** A single record, with its name. */
  one: MessageId;
  list: MessageId;
  /** Possible actions, apart from exports. */
  actions: AuditAction[];
}

type Upkept = 'area' | 'category' | 'kit' | 'patient' | 'product' | 'room' | 'staff';

const upkeep = (noun: Upkept): AuditAction[] => [`${noun}.created`, `${noun}.updated`, `${noun}.deleted`];

type ExportedBy<Action> = Action extends `${infer Entity}.exported` ? Entity : never;

/** Kinds of records whose list can be exported; a missing one does not compile. */
type ExportedKind = Exclude<ExportedBy<AuditAction>, 'consumption'>;

export const entityKinds: Record<ExportedKind, Kind> & Record<string, Kind> = {
  consumption_sheet: {
    title: 'sheets.title',
    one: 'audit.sheet',
    list: 'audit.sheets',
    actions: [
      'sheet.opened',
      'sheet.updated',
      'sheet.closed',
      'sheet.reopened',
      'sheet.closing_undone',
      'sheet.transferred',
      'sheet.transfer_undone',
      'sheet.printed',
      'sheet.copied_from',
      'sheet.patient_merged',
      'sheet.patient_unmerged',
      'sheet.missed_charge_answered',
      'sheet.judged_right',
      'sheet.judgement_undone',
      'sheet.deleted',
      'consumption_sheet.read',
      'consumption_sheet.listed',
    ],
  },
  consumption_detail: {
    title: 'details.title',
    one: 'audit.detail',
    list: 'audit.details',
    actions: [
      'detail.added',
      'detail.edited',
      'detail.voided',
      'detail.moved_away',
      'detail.moved_here',
      'detail.returned',
      'detail.deleted',
      'detail.judged_right',
      'detail.judgement_undone',
      'detail.recall_seen',
    ],
  },
  late_entry: {
    title: 'late.entries',
    one: 'audit.other',
    list: 'audit.details',
    actions: ['late_entry.arrived', 'late_entry.recorded', 'late_entry.dismissed'],
  },
  contingency_form: {
    title: 'forms.title',
    one: 'audit.other',
    list: 'audit.details',
    actions: ['form.printed', 'form.recorded', 'form.discarded'],
  },
  unlisted_item: {
    title: 'unlisted.items',
    one: 'audit.other',
    list: 'audit.details',
    actions: [
      'unlisted_item.noted',
      'unlisted_item.resolved',
      'unlisted_item.discarded',
      'unlisted_item.withdrawn',
    ],
  },
  outbound_message: {
    title: 'outbound.title',
    one: 'audit.outbound',
    list: 'audit.outbounds',
    actions: ['outbound_message.read', 'outbound_message.retried', 'outbound_message.settled'],
  },
  patient: {
    title: 'patients.title',
    one: 'audit.patient',
    list: 'audit.patients',
    actions: [
      ...upkeep('patient'),
      'patient.merged',
      'patient.unmerged',
      'patient.identified',
      'patient.printed',
      'patient.read',
      'patient.listed',
      'patient.sheets_listed',
    ],
  },
  area: {
    title: 'areas.title',
    one: 'audit.area',
    list: 'audit.areas',
    actions: [...upkeep('area'), 'area.restock_ticked', 'area.restock_unticked', 'area.shelf_changed'],
  },
  room: {
    title: 'rooms.title',
    one: 'audit.room',
    list: 'audit.rooms',
    actions: [...upkeep('room'), 'room.read', 'room.listed'],
  },
  product: {
    title: 'products.title',
    one: 'audit.product',
    list: 'audit.products',
    actions: [
      ...upkeep('product'),
      'product.picture_set',
      'product.picture_removed',
      'product.name_dismissed',
    ],
  },
  recall: {
    title: 'recalls.title',
    one: 'audit.recall',
    list: 'audit.recalls',
    actions: ['recall.opened', 'recall.updated', 'recall.closed', 'recall.read'],
  },
  implant: {
    title: 'implants.title',
    one: 'audit.other',
    list: 'audit.implants',
    actions: ['implant.listed'],
  },
  set_aside: {
    title: 'recalls.setAside',
    one: 'audit.other',
    list: 'audit.recalls',
    actions: ['set_aside.recorded'],
  },
  restock_list: {
    title: 'restock.title',
    one: 'audit.other',
    list: 'audit.areas',
    actions: ['restock_list.closed'],
  },
  product_code: {
    title: 'products.codes',
    one: 'audit.code',
    list: 'audit.products',
    actions: ['product_code.added', 'product_code.removed'],
  },
  unknown_code: {
    title: 'codes.unknown',
    one: 'audit.other',
    list: 'audit.products',
    actions: ['unknown_code.ignored'],
  },
  category: {
    title: 'categories.title',
    one: 'audit.category',
    list: 'audit.categories',
    actions: upkeep('category'),
  },
  kit: { title: 'kits.title', one: 'audit.kit', list: 'audit.kits', actions: upkeep('kit') },
  staff: {
    title: 'staff.title',
    one: 'audit.staff',
    list: 'audit.staffList',
    actions: [...upkeep('staff'), 'profile.completed', 'profile.updated'],
  },
  user: {
    title: 'users.title',
    one: 'audit.user',
    list: 'audit.users',
    actions: [
      'session.signed_in',
      'session.signed_out',
      'session.sign_in_failed',
      'session.oidc_refused',
      'session.ended',
      'user.created_by_oidc',
      'user.oidc_linked',
      'user.oidc_unlinked',
      'user.role_from_oidc',
      'user.role_kept',
      'user.refused_by_oidc',
      'user.admitted_by_oidc',
      'session.device_bound',
      'session.unlocked',
      'session.unlock_failed',
      'session.pin_exhausted',
      'user.pin_set',
      'user.pin_removed',
      'user.badge_added',
      'user.badge_removed',
      'session.second_factor_failed',
      'passkey.registered',
      'passkey.renamed',
      'passkey.removed',
      'passkey.clone_suspected',
      'user.passkey_link_handed_out',
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
      'user.outbox_judged_right',
      'user.outbox_judgement_undone',
      'user.test_email_sent',
      'service_account.created',
      'service_account.updated',
      'service_account.deleted',
    ],
  },
  api_key: {
    title: 'keys.many',
    one: 'audit.key',
    list: 'audit.keys',
    actions: ['key.made', 'key.revoked'],
  },
  inbound_message: {
    title: 'messages.title',
    one: 'audit.message',
    list: 'audit.messages',
    actions: [
      'inbound_message.read',
      'inbound_message.retried',
      'inbound_message.answered',
      'inbound_message.dismissed',
    ],
  },
  device: {
    title: 'audit.devices',
    one: 'audit.other',
    list: 'audit.list',
    actions: ['device.sessions_ended'],
  },
  hospital: {
    title: 'hospital.title',
    one: 'audit.other',
    list: 'audit.list',
    actions: ['hospital.updated', 'hospital.logo_changed'],
  },
  import: {
    title: 'imports.title',
    one: 'audit.import',
    list: 'audit.imports',
    actions: ['import.done', 'import.undone'],
  },
  overview: {
    title: 'home.title',
    one: 'audit.other',
    list: 'audit.overview',
    actions: ['overview.listed'],
  },
  worklist: {
    title: 'worklist.title',
    one: 'audit.other',
    list: 'audit.worklist',
    actions: ['worklist.listed'],
  },
  shift: { title: 'shift.title', one: 'audit.other', list: 'audit.shift', actions: ['shift.listed'] },
  notice: { title: 'notices.title', one: 'audit.other', list: 'audit.notices', actions: ['notice.listed'] },
  ward: { title: 'home.title', one: 'audit.other', list: 'audit.ward', actions: ['ward.listed'] },
  audit: { title: 'audit.title', one: 'audit.other', list: 'audit.itself', actions: [] },
};

const oneTakenOut: ActionWords = { did: 'audit.exportedOne', name: 'audit.export' };

/** A newer server may log actions that this client does not know. */
const wordsOf = (action: string): ActionWords | undefined =>
  actions[action as AuditAction] ?? verbs[action.slice(action.indexOf('.') + 1) as Verb];

/** Return the possible actions of a kind of record, for a filter. */
export const actionsOf = (entity: string) =>
  [...(entityKinds[entity]?.actions ?? []), `${entity}.exported`].map((action) => ({
    value: action,
    label: wordsOf(action)?.name ?? 'audit.change',
  }));

type Value = string | number | boolean | null;

const money = new Set(['price', 'unit_price', 'total']);
const days = new Set(['date_of_birth', 'admission_date', 'expiry']);

/** Labels of fields. A field without one is already part of the sentence. */
const fields: Record<string, MessageId> = {
  active: 'products.active',
  admission_cancelled_at: 'sheets.cancelled',
  discharge_proposed_at: 'sheets.discharged',
  former_record_number: 'audit.formerNumber',
  message_id: 'audit.messageOf',
  visit_number: 'sheets.visit',
  address: 'audit.address',
  also_called: 'products.alsoCalled',
  admission_date: 'sheets.admissionDate',
  area_id: 'details.area',
  category_id: 'products.category',
  client: 'audit.client',
  code: 'products.code',
  created_at: 'details.date',
  corrected_from: 'audit.correctedFrom',
  date_of_birth: 'person.dateOfBirth',
  diagnosis: 'sheets.diagnosis',
  document_digest: 'audit.documentDigest',
  doctor: 'sheets.doctor',
  email: 'session.email',
  filled: 'merge.filled',
  first_surname: 'person.firstSurname',
  expires_at: 'keys.expiresOn',
  failures: 'audit.failures',
  expiry: 'details.expiry',
  groups: 'audit.groups',
  gtin: 'products.gtin',
  lot: 'details.lot',
  networks: 'keys.networks',
  note: 'audit.note',
  recall_reason: 'audit.recallReason',
  implant: 'products.implant',
  implant_reason: 'audit.implantReason',
  serial: 'details.serial',
  job_title: 'person.jobTitle',
  kit_id: 'kits.one',
  lines: 'kits.lines',
  moved_at: 'sheets.transfer.at',
  patient_class: 'audit.patientClass',
  merged_into: 'merge.stays',
  unidentified_number: 'unidentified.number',
  name: 'person.name',
  patient_id: 'sheets.patient',
  typed_name: 'typedNames.title',
  price: 'details.price',
  product_id: 'details.product',
  because_id: 'audit.because',
  used: 'audit.used',
  denials: 'audit.denials',
  asked: 'audit.stillAsked',
  quantity: 'details.quantity',
  reason: 'reason.label',
  record_number: 'person.recordNumber',
  returned: 'audit.returned',
  role: 'users.role',
  room_id: 'sheets.room',
  scopes: 'keys.scopes',
  second_surname: 'person.secondSurname',
  occurred_at: 'audit.usedAt',
  sheets: 'merge.moved',
  stayed: 'merge.stayedThere',
  sheet_id: 'audit.sheetOf',
  badge: 'audit.badge',
  device: 'audit.deviceKey',
  how: 'audit.how',
  locked_since: 'audit.lockedSince',
  sessions: 'audit.sessions',
  passkey: 'audit.passkey',
  session_address: 'audit.sessionAddress',
  session_client: 'audit.sessionClient',
  staff_id: 'details.staff',
  status: 'rooms.status',
  telephone_number: 'person.telephone',
  total: 'sheets.total',
  type: 'rooms.type',
  unit: 'products.unit',
  unit_price: 'details.price',
  'hospital.address': 'hospital.address',
  'hospital.name': 'hospital.name',
  tax_number: 'hospital.taxNumber',
  letterhead: 'hospital.letterhead',
  time_zone: 'hospital.timeZone',
  currency: 'hospital.currency',
  number_format: 'hospital.numberFormat',
  idle_minutes: 'hospital.idleMinutes',
  ask_above_total: 'hospital.askAbove',
  shift_starts: 'hospital.shifts',
  logo: 'hospital.logo',
};

/** Return the value of a field after the change, or else before it. */
function told(entry: HistoryView, field: string): Value {
  const [before = null, after = null] = entry.changes[field] ?? [];
  return after ?? before;
}

function fieldName(entry: HistoryView, field: string): string | null {
  const [before = null, after = null] = entry.names[field] ?? [];
  return after ?? before;
}

/** Return the logged name of a record. A deleted record has no other. */
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

/** A changed field in words; null on a side without a value. */
export interface AuditChange {
  field: string;
  label: string;
  before: string | null;
  after: string | null;
}

/** Put audit log entries into words. */
export function useAuditLabels() {
  const t = useText();
  const format = useFormat();

  function sentence(entry: HistoryView) {
    const kind = entityKinds[entry.entity];
    const name =
      entry.subject ?? fieldName(entry, 'product_id') ?? formerName(entry) ?? `#${entry.entity_id}`;
    const patient = entry.patient ?? fieldName(entry, 'patient_id') ?? `#${entry.sheet_id}`;
    const ofSheet = entry.entity === 'consumption_sheet';
    const quantity = told(entry, 'quantity');
    // Someone requested a password link for an unknown account.
    const isUnknownAccount = entry.entity === 'user' && entry.entity_id === 0;
    const who = entry.person ?? entry.user?.email ?? t('audit.someone');
    // The export of a list names no record, except for the details of one sheet.
    const words =
      entry.action === 'consumption_sheet.exported' && entry.entity_id ? oneTakenOut : wordsOf(entry.action);
    return {
      whole: words?.whole ?? false,
      who: entry.api_key ? t('audit.byKey', { who, key: entry.api_key.name }) : who,
      did: t(words?.did ?? 'audit.unknown', {
        name,
        action: entry.action,
        thing: isUnknownAccount
          ? t('audit.noAccount')
          : t(kind?.one ?? 'audit.other', { name: ofSheet ? patient : name }),
        list: t(kind?.list ?? 'audit.list'),
        sheet: t('audit.sheet', { name: patient }),
        quantity: quantity === null ? '' : format.quantity(Number(quantity)),
      }),
    };
  }

  function inWords(field: string, value: Value, name: string | null | undefined): string | null {
    if (value === null || value === '') return null;
    if (field === 'sheet_id') return t('audit.sheetNumber', { number: Number(value), name: name ?? '' });
    if (name !== undefined) return name ?? `#${value}`;
    if (field === 'ask_above_total' || money.has(field)) return format.money(Number(value));
    if (days.has(field)) return format.day(String(value));
    if (field === 'created_at' || field === 'moved_at' || field === 'occurred_at' || field === 'expires_at')
      return format.moment(String(value));
    if (['quantity', 'returned', 'corrected_from'].includes(field)) return format.quantity(Number(value));
    // A list of field names.
    if (field === 'filled')
      return value
        .toString()
        .split('; ')
        .map((name) => (fields[name] ? t(fields[name]) : name))
        .join(', ');
    if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
    if (field === 'number_format')
      return { comma: '1.250,00', point: '1,250.00' }[value.toString()] ?? t('hospital.formatLanguage');
    const word =
      field === 'role'
        ? roles[value.toString()]?.name
        : {
            status: roomStatusLabels,
            type: roomTypeLabels,
            reason: returnReasons as Record<string, MessageId>,
          }[field]?.[value.toString()];
    return word ? t(word) : value.toString();
  }

  function changes(entry: HistoryView): AuditChange[] {
    return Object.entries(entry.changes).flatMap(([field, [before = null, after = null]]) => {
      const label = fields[`${entry.entity}.${field}`] ?? fields[field];
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
