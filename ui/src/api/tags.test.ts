import { readFileSync } from 'node:fs';
import { configureStore } from '@reduxjs/toolkit';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { sessionReducer } from '@/session/session';
import { server } from '@/test/server';
import { generatedApi } from './generated';
import './generatedSignIn';
import './tags';

/*
 * Tests of cache invalidation against openapi.json.
 *
 * It says what each response shows, by the tag of its operation and the records nested in it. A change must refetch
 * every query that shows what it changed. The tests run all queries, then one change.
 */

interface Schema {
  $ref?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}
interface Operation {
  operationId: string;
  tags: string[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
const {
  paths,
  components,
}: {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
} = JSON.parse(readFileSync('openapi.json', 'utf8'));

const NOUN_OF: Record<string, string> = {
  area: 'areas',
  category: 'categories',
  patient: 'patients',
  product: 'products',
  profile: 'staff',
  room: 'rooms',
  rooms: 'rooms',
  sheets: 'sheets',
  mine: 'sheets',
  staff: 'staff',
};

/** Fetched on demand, or meant not to change while someone looks at it. */
const NEVER_STALE = new Set([
  'isLive',
  'isReady',
  'readOwnAccount', // base.ts refetches it after a refusal for want of a passkey; topics/accounts/guards.tsx and the pages that change it refetch it
  'listAudit', // fetched when it is opened
  'listReaders', // fetched when it is opened
  'readImport', // no page reads a single one
  'listImplants', // fetched when it is opened
  'readOwnKey', // for programs alone
  'readLogoutUrl', // fetched before signing out
  'summarizeSheet', // fetched before each closing
  'readSheetVersion', // polled every few seconds
  'countWorklist', // polled every minute
  'listNotices', // fetched with each page
  'readStatus', // polled every half minute
  'checkPaper', // fetched for each paper
  'checkDocument', // fetched for each paper
  'readClosing', // frozen, even if a record is renamed
  'readCatalogue', // the copy on the device is refreshed by device/catalogue.ts
  'listRepeatable', // fetched when it is opened
  'listMissedCharges', // fetched before each closing, and with a kit
  'listUsualProducts', // usual products keep their numbers while one looks at them
  'lookUpProduct', // fetched for each code
  'readUsualQuantity', // the median of 21 quantities changes slowly
  'readPicture', // another picture has another address
  'readHospitalLogo', // an image, by its version
  'printSheet',
  'printClosing',
  'printImplantCard',
  'printAccount',
  'readRestockList', // frozen, even if a product is renamed
  'printRestockList',
  'exportRestockList',
  'readMonth', // frozen; what changed since is fetched with the page
  'printMonth',
  'exportMonth',
]);

function nested(
  schema: Schema | undefined,
  found = new Set<string>(),
  seen = new Set<string>(),
): Set<string> {
  if (!schema) return found;
  const name = schema.$ref?.split('/').pop();
  if (name) return seen.has(name) ? found : nested(components.schemas[name], found, seen.add(name));
  for (const one of [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])])
    nested(one, found, seen);
  nested(schema.items, found, seen);
  for (const [property, one] of Object.entries(schema.properties ?? {})) {
    const noun = NOUN_OF[property];
    if (noun) found.add(noun);
    nested(one, found, seen);
  }
  return found;
}

const operations = Object.values(paths).flatMap((methods) =>
  Object.entries(methods).map(([method, operation]) => ({ method, ...operation })),
);
const queries = operations
  .filter(({ method, operationId }) => method === 'get' && !NEVER_STALE.has(operationId))
  .map(({ operationId, tags, responses }) => ({
    name: operationId,
    own: tags[0] as string,
    shows: nested(responses['200']?.content?.['application/json']?.schema).add(tags[0] as string),
  }));

const showing = (...nouns: string[]) =>
  queries.filter(({ shows }) => nouns.some((noun) => shows.has(noun))).map(({ name }) => name);
const listing = (noun: string) => queries.filter(({ own }) => own === noun).map(({ name }) => name);
const SUMS = ['readOverview', 'readWard', 'reportConsumption'];
/** Patients show how many sheets they have, and rooms show the patients in them. */
const ABOUT_SHEETS = [...showing('sheets'), ...listing('patients'), ...listing('rooms'), ...SUMS];
const ABOUT_DETAILS = [...showing('details', 'sheets'), ...SUMS];
const ABOUT_MESSAGES = listing('outbound messages');
const EVERYTHING = queries
  .map(({ name }) => name)
  .filter(
    (name) =>
      ![
        'listUsers',
        'readUser',
        'listSessions',
        'listBadges',
        'listPasskeys',
        'readOwnAccount',
        'readOwnProfile',
        'listServiceAccounts',
        'readHospitalSettings',
        'readSettings',
      ].includes(name),
  )
  // Imported lines were charged by the system they come from.
  .filter((name) => !ABOUT_MESSAGES.includes(name));

/** What a record's creation, update and deletion change. */
const deleted = operations.flatMap(({ operationId }) => operationId.match(/^delete(.+)/)?.[1] ?? []);
const ofRecords = operations
  .filter(({ operationId }) => deleted.includes(operationId.replace(/^(create|update|delete)/, '')))
  .map(({ operationId, tags: [noun] }) => [
    operationId,
    (operationId.startsWith('update') ? showing : listing)(noun as string),
  ]);

const CHANGES: Record<string, string[]> = {
  ...Object.fromEntries(ofRecords),
  createArea: [...listing('areas'), 'readWard'],
  deleteArea: [...listing('areas'), 'readWard'],
  createRoom: [...listing('rooms'), 'readWard'],
  deleteRoom: [...listing('rooms'), 'readWard'],
  updateProduct: [...showing('products'), 'reportConsumption'],
  setPicture: listing('products'),
  removePicture: listing('products'),
  addProductCode: listing('products'),
  removeProductCode: listing('products'),
  ignoreUnknownCode: ['listUnknownCodes'],
  addTypedName: listing('products'),
  dismissTypedName: ['listTypedNames'],
  openRecall: listing('recalls'),
  updateRecall: listing('recalls'),
  acknowledgeRecalledUse: listing('recalls'),
  closeRestockList: listing('restock'),
  closeMonth: listing('months'),
  setShelf: listing('restock'),
  setAsideRecalled: listing('recalls'),
  mergePatients: [...showing('patients'), ...ABOUT_SHEETS],
  unmergePatients: [...showing('patients'), ...ABOUT_SHEETS],
  checkRoomRanges: [],
  createImportedLinks: [],
  createRoomRanges: listing('rooms'),
  identifyPatient: [...showing('patients'), ...ABOUT_SHEETS],
  updateStaff: [...showing('staff'), 'readOwnProfile'],
  completeProfile: [...showing('staff'), 'readOwnProfile'],
  inviteUser: [...listing('users'), ...listing('staff')],
  updateUser: [...listing('users'), ...listing('staff'), ...listing('sessions')],
  deleteUser: [...listing('users'), ...listing('staff')],
  unlinkOidc: [...listing('users'), ...listing('sessions')],
  endSession: listing('sessions'),
  endOtherSessions: listing('sessions'),
  endDeviceSessions: listing('sessions'),
  bindDevice: listing('sessions'),
  addBadge: listing('badges'),
  registerPasskey: listing('passkeys'),
  renamePasskey: listing('passkeys'),
  removePasskey: listing('passkeys'),
  createPasskeyLink: [...listing('passkeys'), ...listing('sessions')],
  removeBadge: listing('badges'),
  changeHospitalSettings: ['readHospitalSettings', 'readSettings'],
  setHospitalLogo: ['readHospitalSettings', 'readSettings'],
  removeHospitalLogo: ['readHospitalSettings', 'readSettings'],
  updateServiceAccount: [...listing('service accounts'), 'readWorklist'],
  deleteServiceAccount: [...listing('service accounts'), 'readWorklist'],
  createKey: [...listing('service accounts'), 'readWorklist'],
  revokeKey: [...listing('service accounts'), 'readWorklist'],
  markNoticesSeen: ['readShift'],
  judgeRight: ['readWorklist'],
  undoJudgement: ['readWorklist'],
  openSheet: ABOUT_SHEETS,
  admitUnidentified: ABOUT_SHEETS,
  updateSheet: ABOUT_SHEETS,
  deleteSheet: [...ABOUT_SHEETS, ...ABOUT_MESSAGES],
  transferPatient: [...showing('sheets'), ...listing('rooms'), ...SUMS],
  undoTransfer: [...showing('sheets'), ...listing('rooms'), ...SUMS],
  closeSheet: [...ABOUT_SHEETS, ...ABOUT_DETAILS, ...ABOUT_MESSAGES],
  reopenSheet: ABOUT_SHEETS,
  undoClosing: ABOUT_SHEETS,
  addDetail: ABOUT_DETAILS,
  addSheetDetail: ABOUT_DETAILS,
  recordDetails: ABOUT_DETAILS,
  editDetail: ABOUT_DETAILS,
  deleteDetail: ABOUT_DETAILS,
  voidDetail: ABOUT_DETAILS,
  voidDetails: ABOUT_DETAILS,
  moveDetails: ABOUT_DETAILS,
  returnDetail: ABOUT_DETAILS,
  markWaste: ABOUT_DETAILS,
  unmarkWaste: ABOUT_DETAILS,
  correctDetail: ABOUT_DETAILS,
  submitLateEntry: [...listing('late entries'), ...listing('sheets'), 'readOverview'],
  dismissInboundMessage: [...listing('messages'), 'readWorklist'],
  dismissInboundMessages: [...listing('messages'), 'readWorklist'],
  retryInboundMessage: [...listing('messages'), ...ABOUT_SHEETS],
  retryInboundMessages: [...listing('messages'), ...ABOUT_SHEETS],
  answerRoomOfMessage: [...listing('messages'), ...ABOUT_SHEETS],
  answerPatientOfMessage: [...listing('messages'), ...ABOUT_SHEETS],
  answerSheetOfMessage: [...listing('messages'), ...ABOUT_SHEETS],
  openSheetWithMessage: [...listing('messages'), ...ABOUT_SHEETS],
  dismissLateEntry: [...listing('late entries'), ...listing('sheets'), 'readOverview'],
  recordLateEntry: [...listing('late entries'), ...ABOUT_DETAILS],
  issueAccount: ['readAccount'],
  printForms: [...listing('contingency forms'), 'readWorklist'],
  discardForm: [...listing('contingency forms'), 'readWorklist'],
  recordForm: [...listing('contingency forms'), ...ABOUT_DETAILS],
  noteUnlistedItem: [...listing('unlisted items'), ...listing('sheets'), 'readOverview'],
  discardUnlistedItem: [...listing('unlisted items'), ...listing('sheets'), 'readOverview'],
  withdrawUnlistedItem: [...listing('unlisted items'), ...listing('sheets'), 'readOverview'],
  resolveUnlistedItem: [...listing('unlisted items'), ...ABOUT_DETAILS],
  retryOutboundMessage: [...ABOUT_MESSAGES, ...listing('sheets')],
  markOutboundMessageSent: [...ABOUT_MESSAGES, ...listing('sheets')],
  importFile: EVERYTHING,
  undoImport: EVERYTHING,
};
/** Mutations that change nothing on screen. */
const CHANGES_NOTHING = [
  'chooseOwnWard', // the home page reads the account again
  'pinProduct', // a page shows its own pins at once
  'unpinProduct',
  'reportOutbox', // shown to others, later
  'sendTestEmail',
  'putBackProduct', // the page shows its own ticks at once
  'undoPutBack',
  'answerMissedCharge', // the page that asks no longer shows the question
  'noteTypedName', // proposed to others, later
  'openAreaSheet', // a query, because it reads the page; the list of pages is read again with its own page
  'signIn',
  'signOut',
  'lockSession',
  'unlockSession',
  'makeNonce',
  'findBadge',
  'setPin', // the account page reads the account again
  'removePin',
  // In generatedOidc.ts. The pages themselves refetch one's own account.
  'beginOidcSignIn',
  'finishOidcSignIn',
  'beginLinkingOidc',
  'linkOidc',
  'requestPasswordReset',
  'choosePassword',
  'createFirstAdministrator',
  'checkOwnPassword',
  'checkPasswordOnLink',
  'readPasswordLink',
  'createPasswordLink',
  'beginPasskeySignIn',
  'signInWithPasskey',
  'giveSecondFactor',
  'beginPasskeyUnlock',
  'beginPasskeyRegistration',
  'readPasskeyLink',
  'registerPasskeyByLink',
  'checkImport',
  'readFile',
  'reconcileHandedOut',
  'exportReconciliation',
  'listRefusedRows',
  'previewHospitalSettings',
  'printLabels',
];

const ARGUMENTS = {
  areaId: 1,
  roomId: 1,
  categoryId: 1,
  productId: 1,
  patientId: 1,
  staffId: 1,
  userId: 1,
  sheetId: 1,
  detailId: 1,
  importId: 1,
  sessionId: 's-1',
  kitId: 1,
  recallId: 1,
  accountId: 1,
  keyId: 1,
  codeId: 1,
  typedNameId: 1,
  outboundMessageId: 1,
  restockListId: 1,
  monthId: 1,
};

// biome-ignore lint/suspicious/noExplicitAny: all endpoints, with any argument.
const endpoints = generatedApi.endpoints as any;

it('lists every mutation as changing data or not', () => {
  const changing = operations.filter(({ method }) => method !== 'get').map(({ operationId }) => operationId);
  expect([...Object.keys(CHANGES), ...CHANGES_NOTHING].sort()).toEqual(changing.sort());
});

it.each(Object.entries(CHANGES))('refetches everything that %s changes', async (change, stale) => {
  server.use(http.all('*/api/*', () => HttpResponse.json({ items: [], meta: {} })));
  const store = configureStore({
    reducer: { session: sessionReducer, [generatedApi.reducerPath]: generatedApi.reducer },
    middleware: (defaults) => defaults().concat(generatedApi.middleware),
  });
  const asked = queries.map(({ name }) => ({
    name,
    answer: store.dispatch(endpoints[name].initiate(ARGUMENTS)),
  }));
  await Promise.all(asked.map(({ answer }) => answer));
  const times = () =>
    new Map(
      asked.map(({ name, answer }) => [
        name,
        endpoints[name].select(answer.arg)(store.getState()).requestId as string,
      ]),
    );
  const before = times();
  await store.dispatch(endpoints[change].initiate(ARGUMENTS));
  await Promise.all(store.dispatch(generatedApi.util.getRunningQueriesThunk()));
  const after = times();
  const again = [...before].filter(([name, at]) => after.get(name) !== at).map(([name]) => name);
  expect(stale.filter((name) => !again.includes(name))).toEqual([]);
});
