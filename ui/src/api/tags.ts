import { generatedApi } from './generated';

/** What a file may bring. */
const IMPORTED = [
  'Sheet',
  'Detail',
  'Area',
  'Room',
  'Product',
  'Category',
  'Patient',
  'Staff',
  'Import',
] as const;

const isSentOrUnchanged = ({ ok, status }: Response) => ok || status === 304;

/** What each answer shows, and so what each change makes stale. The only place for cache tags. */
export const api = generatedApi.enhanceEndpoints({
  addTagTypes: [
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
    'Import',
    'Kit',
    'Recall',
    'Code',
    'TypedName',
    'ServiceAccount',
    'OutboundMessage',
    'Message',
  ],
  endpoints: {
    readOwnProfile: { providesTags: ['Profile'] },
    completeProfile: { invalidatesTags: ['Profile', 'User', 'Staff', 'Detail'] },

    listAreas: { providesTags: ['Area'] },
    readArea: { providesTags: ['Area'] },
    createArea: { invalidatesTags: ['Area'] },
    // Rooms and details show the name of their area.
    updateArea: { invalidatesTags: ['Area', 'Room', 'Detail'] },
    deleteArea: { invalidatesTags: ['Area'] },

    // They tell who lies there.
    listRooms: { providesTags: ['Room', 'Sheet'] },
    readRoom: { providesTags: ['Room', 'Sheet'] },
    createRoom: { invalidatesTags: ['Room'] },
    // Sheets show the name of their room.
    updateRoom: { invalidatesTags: ['Room', 'Sheet'] },
    deleteRoom: { invalidatesTags: ['Room'] },

    // They show the names of their area and of their products.
    listKits: { providesTags: ['Kit', 'Area', 'Product'] },
    readKit: { providesTags: ['Kit', 'Area', 'Product'] },
    createKit: { invalidatesTags: ['Kit'] },
    updateKit: { invalidatesTags: ['Kit'] },
    deleteKit: { invalidatesTags: ['Kit'] },

    listProducts: { providesTags: ['Product'] },
    readProduct: { providesTags: ['Product'] },
    createProduct: { invalidatesTags: ['Product'] },
    // Details show the name and today's price of their product.
    updateProduct: { invalidatesTags: ['Product', 'Detail'] },
    deleteProduct: { invalidatesTags: ['Product'] },

    // What is known of a code changes with the products; one that was scanned is unknown until a product has it.
    lookUpProduct: { providesTags: ['Product', 'Recall'] },
    readPriceHistory: { providesTags: ['Product'] },
    listProductCodes: { providesTags: ['Code', 'Product'] },
    listUnknownCodes: { providesTags: ['Code', 'Product'] },
    ignoreUnknownCode: { invalidatesTags: ['Code'] },
    // A product's own GTIN is one of its codes.
    addProductCode: { invalidatesTags: ['Code', 'Product'] },
    removeProductCode: { invalidatesTags: ['Code', 'Product'] },
    // What finds a product is not proposed for it.
    listTypedNames: { providesTags: ['TypedName', 'Product'] },
    addTypedName: { invalidatesTags: ['TypedName', 'Product'] },
    dismissTypedName: { invalidatesTags: ['TypedName'] },

    // They show the name of their product.
    listRecalls: { providesTags: ['Recall', 'Product'] },
    readRecall: { providesTags: ['Recall', 'Product'] },
    listRecalledDetails: { providesTags: ['Recall', 'Detail', 'Patient', 'Room'] },
    openRecall: { invalidatesTags: ['Recall'] },
    updateRecall: { invalidatesTags: ['Recall'] },
    seeRecalledUse: { invalidatesTags: ['Recall'] },

    // What came to a sheet or a patient tells which.
    listInboundMessages: { providesTags: ['Message', 'Sheet', 'Patient'] },
    readInboundMessage: { providesTags: ['Message', 'Sheet', 'Patient'] },
    dismissInboundMessage: { invalidatesTags: ['Message'] },
    // What waited for it is done.
    retryInboundMessage: { invalidatesTags: ['Message', 'Sheet', 'Patient'] },
    answerRoomOfMessage: { invalidatesTags: ['Message', 'Sheet', 'Patient'] },
    answerPatientOfMessage: { invalidatesTags: ['Message', 'Sheet', 'Patient'] },

    listCategories: { providesTags: ['Category'] },
    readCategory: { providesTags: ['Category'] },
    createCategory: { invalidatesTags: ['Category'] },
    // Products and details show the name and the code of their category.
    updateCategory: { invalidatesTags: ['Category', 'Product', 'Detail'] },
    deleteCategory: { invalidatesTags: ['Category'] },

    listUsers: { providesTags: ['User'] },
    readUser: { providesTags: ['User'] },
    // Whose account it is, staff tell too. Of the own account the page itself reads anew what changed.
    inviteUser: { invalidatesTags: ['User', 'Staff'] },
    // Another role or password ends sessions.
    updateUser: { invalidatesTags: ['User', 'Staff', 'Session'] },
    deleteUser: { invalidatesTags: ['User', 'Staff'] },

    listServiceAccounts: { providesTags: ['ServiceAccount'] },
    createServiceAccount: { invalidatesTags: ['ServiceAccount'] },
    updateServiceAccount: { invalidatesTags: ['ServiceAccount'] },
    deleteServiceAccount: { invalidatesTags: ['ServiceAccount'] },
    makeKey: { invalidatesTags: ['ServiceAccount'] },
    revokeKey: { invalidatesTags: ['ServiceAccount'] },

    listSessions: { providesTags: ['Session'] },
    endSession: { invalidatesTags: ['Session'] },
    endOtherSessions: { invalidatesTags: ['Session'] },

    listPatients: { providesTags: ['Patient'] },
    readPatient: { providesTags: ['Patient'] },
    createPatient: { invalidatesTags: ['Patient'] },
    // Sheets show the name of their patient.
    updatePatient: { invalidatesTags: ['Patient', 'Sheet'] },
    deletePatient: { invalidatesTags: ['Patient'] },
    previewMerge: { providesTags: ['Patient', 'Sheet'] },
    mergePatients: { invalidatesTags: ['Patient', 'Sheet'] },
    unmergePatients: { invalidatesTags: ['Patient', 'Sheet'] },

    listStaff: { providesTags: ['Staff'] },
    readStaff: { providesTags: ['Staff'] },
    createStaff: { invalidatesTags: ['Staff'] },
    // Details and users show the name; it may be the own profile.
    updateStaff: { invalidatesTags: ['Staff', 'Detail', 'User', 'Profile'] },
    deleteStaff: { invalidatesTags: ['Staff'] },

    listSheets: { providesTags: ['Sheet'] },
    readSheet: { providesTags: ['Sheet'] },
    readCatalogue: (endpoint) => {
      const { query } = endpoint;
      if (!query) return;
      endpoint.query = (arg) => ({
        ...(query(arg) as object),
        url: '/api/catalogue',
        validateStatus: isSentOrUnchanged,
      });
    },
    listClosings: { providesTags: ['Sheet'] },
    // What was frozen stays, but for the deletion of its sheet.
    readClosing: { providesTags: ['Sheet'] },
    readSheetHistory: { providesTags: ['Sheet', 'Detail'] },
    // It names products. A sheet tells how many wait.
    listLateEntries: { providesTags: ['Sheet', 'Product'] },
    keepLateEntry: { invalidatesTags: ['Sheet'] },
    dismissLateEntry: { invalidatesTags: ['Sheet'] },
    recordLateEntry: { invalidatesTags: ['Detail', 'Sheet'] },
    listUnlistedItems: { providesTags: ['Sheet', 'Staff', 'Area'] },
    noteUnlistedItem: { invalidatesTags: ['Sheet'] },
    discardUnlistedItem: { invalidatesTags: ['Sheet'] },
    withdrawUnlistedItem: { invalidatesTags: ['Sheet'] },
    resolveUnlistedItem: { invalidatesTags: ['Detail', 'Sheet'] },
    // A patient tells how many sheets are open.
    openSheet: { invalidatesTags: ['Sheet', 'Patient'] },
    updateSheet: { invalidatesTags: ['Sheet', 'Patient'] },
    deleteSheet: { invalidatesTags: ['Sheet', 'Patient', 'OutboundMessage'] },
    // Lines recorded from then on tell the room.
    transferPatient: { invalidatesTags: ['Sheet'] },
    undoTransfer: { invalidatesTags: ['Sheet'] },
    // Refused, it is because someone recorded meanwhile.
    closeSheet: { invalidatesTags: ['Sheet', 'Detail', 'Patient', 'OutboundMessage'] },
    reopenSheet: { invalidatesTags: ['Sheet', 'Patient'] },

    listOutboundMessages: { providesTags: ['OutboundMessage'] },
    // What it says stays, but whether it was sent does not.
    readOutboundMessage: { providesTags: ['OutboundMessage'] },
    // A sheet tells what became of its messages.
    retryOutboundMessage: { invalidatesTags: ['OutboundMessage', 'Sheet'] },
    settleOutboundMessage: { invalidatesTags: ['OutboundMessage', 'Sheet'] },

    listImports: { providesTags: ['Import'] },
    importFile: { invalidatesTags: IMPORTED },
    undoImport: { invalidatesTags: IMPORTED },

    readOverview: { providesTags: ['Sheet', 'Detail', 'Product', 'Recall', 'ServiceAccount', 'Message'] },
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
