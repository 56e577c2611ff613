import type { FetchArgs } from '@reduxjs/toolkit/query';
import { generatedApi, type WardView } from './generated';

/** A ward, with the time when it was read, and what the device says about its copy. */
type ReadWard = WardView & { read_at?: string; seen_at?: string; is_partial?: boolean };

const NAMED = [
  'Profile',
  'Sheet',
  'Detail',
  'Area',
  'Room',
  'Product',
  'Category',
  'Patient',
  'Staff',
  'User',
  'Session',
  'Passkey',
  'Badge',
  'Import',
  'Kit',
  'Recall',
  'Code',
  'TypedName',
  'ServiceAccount',
  'OutboundMessage',
  'Message',
  'Worklist',
  'Notice',
  'Hospital',
  'ContingencyForm',
  'Restock',
  'Account',
  'Month',
] as const;

const plural = (noun: string) => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`);
const operations = Object.keys(generatedApi.endpoints);
/** Nouns that are listed, created, updated and deleted, such as Area. */
const NOUNS = operations
  .filter((id) => id.startsWith('create'))
  .map((id) => id.replace('create', ''))
  .filter(
    (noun) => operations.includes(`delete${noun}`) && operations.includes(`list${plural(noun)}`),
  ) as (typeof NAMED)[number][];
/** Their operations show and change only their own noun, unless it is said otherwise below. */
const ofNouns = NOUNS.flatMap((noun) => [
  ...[`list${plural(noun)}`, `read${noun}`].map((id) => [id, { providesTags: [noun] }]),
  ...['create', 'update', 'delete'].map((verb) => [`${verb}${noun}`, { invalidatesTags: [noun] }]),
]);
const withNouns = generatedApi.enhanceEndpoints({ endpoints: Object.fromEntries(ofNouns) });

/** The tags of all data that pages show. */
export const TAGS = [...NAMED, ...NOUNS];

/** Tags that an import may change. */
const IMPORTED = ['Sheet', 'Detail', 'Staff', 'Import', 'Month', ...NOUNS] as const;

/** Cache tags: what each response shows, and what each mutation invalidates. This is the only place for them. */
export const api = withNouns.enhanceEndpoints({
  addTagTypes: TAGS,
  endpoints: {
    readOwnProfile: { providesTags: ['Profile'] },
    completeProfile: { invalidatesTags: ['Profile', 'User', 'Staff', 'Detail'] },

    // Rooms and details show the name of their area.
    updateArea: { invalidatesTags: ['Area', 'Room', 'Detail'] },

    // Rooms show their patients.
    listRooms: { providesTags: ['Room', 'Sheet'] },
    readRoom: { providesTags: ['Room', 'Sheet'] },
    createRoomRanges: { invalidatesTags: ['Room'] },
    // Sheets show the name of their room.
    updateRoom: { invalidatesTags: ['Room', 'Sheet'] },

    readHospitalSettings: { providesTags: ['Hospital'] },
    changeHospitalSettings: { invalidatesTags: ['Hospital'] },
    setHospitalLogo: { invalidatesTags: ['Hospital'] },
    removeHospitalLogo: { invalidatesTags: ['Hospital'] },

    // Kits show the names of their area and products.
    listKits: { providesTags: ['Kit', 'Area', 'Product'] },
    readKit: { providesTags: ['Kit', 'Area', 'Product'] },
    reviewKit: { providesTags: ['Kit', 'Product', 'Detail'] },

    // Details show the name and current price of their product.
    updateProduct: { invalidatesTags: ['Product', 'Detail'] },
    setPicture: { invalidatesTags: ['Product'] },
    removePicture: { invalidatesTags: ['Product'] },

    // A scan result changes with the products: an unknown code stays unknown until a product has it.
    lookUpProduct: { providesTags: ['Product', 'Recall'] },
    readPriceHistory: { providesTags: ['Product'] },
    listProductCodes: { providesTags: ['Code', 'Product'] },
    listUnknownCodes: { providesTags: ['Code', 'Product'] },
    listTypedProducts: { providesTags: ['Product', 'Area'] },
    ignoreUnknownCode: { invalidatesTags: ['Code'] },
    // A product's own GTIN is one of its codes.
    addProductCode: { invalidatesTags: ['Code', 'Product'] },
    removeProductCode: { invalidatesTags: ['Code', 'Product'] },
    // A typed name that finds its product is no longer proposed.
    listTypedNames: { providesTags: ['TypedName', 'Product'] },
    addTypedName: { invalidatesTags: ['TypedName', 'Product'] },
    dismissTypedName: { invalidatesTags: ['TypedName'] },

    // Recalls show the name of their product.
    listRecalls: { providesTags: ['Recall', 'Product'] },
    readRecall: { providesTags: ['Recall', 'Product'] },
    listRecalledDetails: { providesTags: ['Recall', 'Detail', 'Patient', 'Room'] },
    openRecall: { invalidatesTags: ['Recall'] },
    updateRecall: { invalidatesTags: ['Recall'] },
    listSetAside: { providesTags: ['Recall', 'Room', 'Area'] },
    setAsideRecalled: { invalidatesTags: ['Recall'] },
    acknowledgeRecalledUse: { invalidatesTags: ['Recall'] },

    // What is used meanwhile is fetched with the list, not after each line.
    readRestock: { providesTags: ['Restock', 'Area', 'Product'] },
    closeRestockList: { invalidatesTags: ['Restock'] },
    listClosedRestock: { providesTags: ['Restock', 'Area'] },
    // Closed figures keep their names. What changes since is fetched with the page.
    listMonths: { providesTags: ['Month'] },
    // It shows its versions.
    readMonth: { providesTags: ['Month'] },
    // Invalidated on refusal, too: another user may have closed it.
    closeMonth: { invalidatesTags: ['Month'] },
    listShelves: { providesTags: ['Restock', 'Product'] },
    setShelf: { invalidatesTags: ['Restock'] },

    // A message shows the sheet or patient that it was applied to.
    listInboundMessages: { providesTags: ['Message', 'Sheet', 'Patient'] },
    readInboundMessage: { providesTags: ['Message', 'Sheet', 'Patient'] },
    dismissInboundMessage: { invalidatesTags: ['Message'] },
    dismissInboundMessages: { invalidatesTags: ['Message'] },
    // A retry applies the held message to its sheet and patient.
    retryInboundMessage: { invalidatesTags: ['Message', 'Sheet', 'Patient'] },
    retryInboundMessages: { invalidatesTags: ['Message', 'Sheet', 'Patient'] },
    answerRoomOfMessage: { invalidatesTags: ['Message', 'Sheet', 'Patient'] },
    answerPatientOfMessage: { invalidatesTags: ['Message', 'Sheet', 'Patient'] },
    answerSheetOfMessage: { invalidatesTags: ['Message', 'Sheet', 'Patient'] },
    openSheetWithMessage: { invalidatesTags: ['Message', 'Sheet', 'Patient'] },

    // Products and details show the name and code of their category.
    updateCategory: { invalidatesTags: ['Category', 'Product', 'Detail'] },

    listUsers: { providesTags: ['User'] },
    readUser: { providesTags: ['User'] },
    // Staff lists show accounts, too. The pages themselves refetch one's own account.
    inviteUser: { invalidatesTags: ['User', 'Staff'] },
    // A new role or password ends sessions.
    updateUser: { invalidatesTags: ['User', 'Staff', 'Session'] },
    deleteUser: { invalidatesTags: ['User', 'Staff'] },
    unlinkOidc: { invalidatesTags: ['User', 'Session'] },

    createKey: { invalidatesTags: ['ServiceAccount'] },
    revokeKey: { invalidatesTags: ['ServiceAccount'] },

    readOwnAccount: { providesTags: ['OwnAccount'] },
    listSessions: { providesTags: ['Session'] },
    listPasskeys: { providesTags: ['Passkey'] },
    registerPasskey: { invalidatesTags: ['Passkey', 'OwnAccount'] },
    renamePasskey: { invalidatesTags: ['Passkey'] },
    removePasskey: { invalidatesTags: ['Passkey', 'OwnAccount'] },
    createPasskeyLink: { invalidatesTags: ['Passkey', 'Session'] },
    endSession: { invalidatesTags: ['Session'] },
    endOtherSessions: { invalidatesTags: ['Session'] },
    endDeviceSessions: { invalidatesTags: ['Session'] },
    bindDevice: { invalidatesTags: ['Session'] },

    listBadges: { providesTags: ['Badge'] },
    addBadge: { invalidatesTags: ['Badge'] },
    removeBadge: { invalidatesTags: ['Badge'] },

    // Sheets show the name of their patient.
    updatePatient: { invalidatesTags: ['Patient', 'Sheet'] },
    previewMerge: { providesTags: ['Patient', 'Sheet'] },
    mergePatients: { invalidatesTags: ['Patient', 'Sheet'] },
    unmergePatients: { invalidatesTags: ['Patient', 'Sheet'] },
    identifyPatient: { invalidatesTags: ['Patient', 'Sheet'] },

    listStaff: { providesTags: ['Staff'] },
    readStaff: { providesTags: ['Staff'] },
    createStaff: { invalidatesTags: ['Staff'] },
    // Details and users show the name. It may be one's own profile.
    updateStaff: { invalidatesTags: ['Staff', 'Detail', 'User', 'Profile'] },
    deleteStaff: { invalidatesTags: ['Staff'] },

    // A page that was opened is read from then on, also when the month changes.
    openAreaSheet: {
      keepUnusedDataFor: 0,
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const opened = await queryFulfilled.catch(() => undefined);
        if (opened)
          dispatch(
            generatedApi.util.upsertQueryData('readAreaSheet', { sheetId: opened.data.id }, opened.data),
          );
      },
    },
    readAreaSheet: { providesTags: ['Sheet', 'Area'] },
    listAreaSheets: { providesTags: ['Sheet', 'Area'] },
    listSheets: { providesTags: ['Sheet'] },
    readSheet: { providesTags: ['Sheet'] },
    listClosings: { providesTags: ['Sheet'] },
    // A frozen version only changes when its sheet is deleted.
    readClosing: { providesTags: ['Sheet'] },
    checkPaper: { providesTags: ['Sheet'] },
    checkDocument: { providesTags: ['Sheet'] },
    readAccount: { providesTags: ['Account', 'Sheet', 'Detail', 'Product', 'Category'] },
    compareAccounts: { providesTags: ['Sheet', 'Detail', 'Product', 'Category'] },
    // It is one of the moments of the account.
    issueAccount: { invalidatesTags: ['Account'] },
    readSheetHistory: { providesTags: ['Sheet', 'Detail', 'Words'] },
    listReaders: { providesTags: ['Words'] },
    listAudit: { providesTags: ['Words'] },
    // Late entries show products. A sheet shows its number of late entries.
    listLateEntries: { providesTags: ['Sheet', 'Product'] },
    submitLateEntry: { invalidatesTags: ['Sheet'] },
    dismissLateEntry: { invalidatesTags: ['Sheet'] },
    recordLateEntry: { invalidatesTags: ['Detail', 'Sheet'] },
    markWaste: { invalidatesTags: ['Detail', 'Sheet'] },
    unmarkWaste: { invalidatesTags: ['Detail', 'Sheet'] },
    // A form shows its sheet and patient.
    listForms: { providesTags: ['ContingencyForm', 'Sheet', 'Patient', 'Room', 'Area'] },
    readForm: { providesTags: ['ContingencyForm', 'Sheet', 'Patient', 'Room', 'Area', 'Product'] },
    printForms: { invalidatesTags: ['ContingencyForm'] },
    recordForm: { invalidatesTags: ['ContingencyForm', 'Detail', 'Sheet'] },
    discardForm: { invalidatesTags: ['ContingencyForm'] },
    listUnlistedItems: { providesTags: ['Sheet', 'Staff', 'Area'] },
    noteUnlistedItem: { invalidatesTags: ['Sheet'] },
    discardUnlistedItem: { invalidatesTags: ['Sheet'] },
    withdrawUnlistedItem: { invalidatesTags: ['Sheet'] },
    resolveUnlistedItem: { invalidatesTags: ['Detail', 'Sheet'] },
    // A patient shows its number of open sheets.
    openSheet: { invalidatesTags: ['Sheet', 'Patient'] },
    admitUnidentified: { invalidatesTags: ['Sheet', 'Patient'] },
    updateSheet: { invalidatesTags: ['Sheet', 'Patient'] },
    deleteSheet: { invalidatesTags: ['Sheet', 'Patient', 'OutboundMessage'] },
    // Lines recorded from now on show the new room.
    transferPatient: { invalidatesTags: ['Sheet'] },
    undoTransfer: { invalidatesTags: ['Sheet'] },
    // Invalidated on refusal, too: someone else may have recorded meanwhile.
    closeSheet: { invalidatesTags: ['Sheet', 'Detail', 'Patient', 'OutboundMessage'] },
    reopenSheet: { invalidatesTags: ['Sheet', 'Patient'] },
    undoClosing: { invalidatesTags: ['Sheet', 'Patient'] },

    listOutboundMessages: { providesTags: ['OutboundMessage'] },
    // The content of a message is fixed, but its status changes.
    readOutboundMessage: { providesTags: ['OutboundMessage'] },
    // A sheet shows the status of its messages.
    retryOutboundMessage: { invalidatesTags: ['OutboundMessage', 'Sheet'] },
    markOutboundMessageSent: { invalidatesTags: ['OutboundMessage', 'Sheet'] },

    listImports: { providesTags: ['Import'] },
    importFile: { invalidatesTags: IMPORTED },
    undoImport: { invalidatesTags: IMPORTED },

    readOverview: { providesTags: ['Sheet', 'Detail'] },
    readWard: {
      providesTags: ['Area', 'Room', 'Sheet', 'Detail'],
      transformResponse: (ward: WardView) => ({ read_at: new Date().toISOString(), ...ward }),
      // The copy on the device lacks rooms: a board that is shown stays, with the time when it was read.
      merge: (shown: ReadWard, answer: ReadWard) => {
        if (!answer.seen_at || shown.is_partial) return answer;
        shown.seen_at ??= shown.read_at;
      },
    },
    readWorklist: {
      providesTags: [
        'Worklist',
        'Sheet',
        'Detail',
        'Product',
        'Recall',
        'Code',
        'ServiceAccount',
        'Message',
        'ContingencyForm',
      ],
    },
    // Fetched with each page (app/notices), so changes by this user do not refetch it.
    listNotices: { providesTags: ['Notice'] },
    markNoticesSeen: { invalidatesTags: ['Notice'] },
    readShift: { providesTags: ['Notice', 'Sheet', 'Detail', 'Patient', 'Room', 'Product', 'Staff', 'User'] },
    // Polled: lines that this user records do not change it at once.
    countWorklist: { providesTags: ['Worklist'] },
    judgeRight: { invalidatesTags: ['Worklist'] },
    undoJudgement: { invalidatesTags: ['Worklist'] },
    reportOutbox: (endpoint) => {
      const { query } = endpoint;
      // It is sent while the page is being left, too.
      if (query) endpoint.query = (arg) => ({ ...(query(arg) as FetchArgs), keepalive: true });
    },
    reportConsumption: { providesTags: ['Sheet', 'Detail', 'Product'] },

    listDetails: { providesTags: ['Detail'] },
    listSheetDetails: { providesTags: ['Detail'] },
    readDetail: { providesTags: ['Detail'] },
    // A sheet shows its total and its days.
    addDetail: { invalidatesTags: ['Detail', 'Sheet'] },
    addSheetDetail: { invalidatesTags: ['Detail', 'Sheet'] },
    recordDetails: { invalidatesTags: ['Detail', 'Sheet'] },
    editDetail: { invalidatesTags: ['Detail', 'Sheet'] },
    deleteDetail: { invalidatesTags: ['Detail', 'Sheet'] },
    voidDetail: { invalidatesTags: ['Detail', 'Sheet'] },
    voidDetails: { invalidatesTags: ['Detail', 'Sheet'] },
    moveDetails: { invalidatesTags: ['Detail', 'Sheet'] },
    returnDetail: { invalidatesTags: ['Detail', 'Sheet'] },
    correctDetail: { invalidatesTags: ['Detail', 'Sheet'] },
  },
});
