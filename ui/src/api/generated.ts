import { api } from './base';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    readAreaSheet: build.query<ReadAreaSheetApiResponse, ReadAreaSheetApiArg>({
      extraOptions: { success: [200, 304] },
      query: (queryArg) => ({
        url: `/api/area-sheets/${queryArg.sheetId}`,
        headers: {
          'If-None-Match': queryArg['If-None-Match'],
        },
      }),
    }),
    listAreas: build.query<ListAreasApiResponse, ListAreasApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/areas`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
          format: queryArg.format,
        },
      }),
    }),
    createArea: build.mutation<CreateAreaApiResponse, CreateAreaApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/areas`,
        method: 'POST',
        body: queryArg.areaDraft,
      }),
    }),
    deleteArea: build.mutation<DeleteAreaApiResponse, DeleteAreaApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/areas/${queryArg.areaId}`,
        method: 'DELETE',
      }),
    }),
    readArea: build.query<ReadAreaApiResponse, ReadAreaApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/areas/${queryArg.areaId}` }),
    }),
    updateArea: build.mutation<UpdateAreaApiResponse, UpdateAreaApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/areas/${queryArg.areaId}`,
        method: 'PUT',
        body: queryArg.areaDraft,
      }),
    }),
    readRestock: build.query<ReadRestockApiResponse, ReadRestockApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/areas/${queryArg.areaId}/restock` }),
    }),
    closeRestockList: build.mutation<CloseRestockListApiResponse, CloseRestockListApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/areas/${queryArg.areaId}/restock/close`,
        method: 'POST',
        body: queryArg.closeRestockDraft,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    listClosedRestock: build.query<ListClosedRestockApiResponse, ListClosedRestockApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/areas/${queryArg.areaId}/restock/lists`,
        params: {
          before: queryArg.before,
        },
      }),
    }),
    undoPutBack: build.mutation<UndoPutBackApiResponse, UndoPutBackApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/areas/${queryArg.areaId}/restock/products/${queryArg.productId}`,
        method: 'DELETE',
        params: {
          number: queryArg['number'],
        },
      }),
    }),
    putBackProduct: build.mutation<PutBackProductApiResponse, PutBackProductApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/areas/${queryArg.areaId}/restock/products/${queryArg.productId}`,
        method: 'PUT',
        body: queryArg.putBackDraft,
      }),
    }),
    openAreaSheet: build.query<OpenAreaSheetApiResponse, OpenAreaSheetApiArg>({
      extraOptions: { success: [200, 201] },
      query: (queryArg) => ({
        url: `/api/areas/${queryArg.areaId}/sheet`,
        method: 'POST',
      }),
    }),
    listAreaSheets: build.query<ListAreaSheetsApiResponse, ListAreaSheetsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/areas/${queryArg.areaId}/sheets`,
        params: {
          before: queryArg.before,
        },
      }),
    }),
    listShelves: build.query<ListShelvesApiResponse, ListShelvesApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/areas/${queryArg.areaId}/shelves` }),
    }),
    setShelf: build.mutation<SetShelfApiResponse, SetShelfApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/areas/${queryArg.areaId}/shelves/${queryArg.productId}`,
        method: 'PUT',
        body: queryArg.shelfDraft,
      }),
    }),
    listAudit: build.query<ListAuditApiResponse, ListAuditApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/audit`,
        params: {
          user_id: queryArg.userId,
          action: queryArg.action,
          from: queryArg['from'],
          to: queryArg.to,
          page: queryArg.page,
          limit: queryArg.limit,
          q: queryArg.q,
          cursor: queryArg.cursor,
          entity: queryArg.entity,
          entity_id: queryArg.entityId,
          format: queryArg.format,
        },
      }),
    }),
    findBadge: build.mutation<FindBadgeApiResponse, FindBadgeApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/auth/badge`,
        method: 'POST',
        body: queryArg.scannedBadge,
      }),
    }),
    bindDevice: build.mutation<BindDeviceApiResponse, BindDeviceApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/auth/device`,
        method: 'PUT',
        body: queryArg.deviceDraft,
      }),
    }),
    createFirstAdministrator: build.mutation<
      CreateFirstAdministratorApiResponse,
      CreateFirstAdministratorApiArg
    >({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/auth/first-administrator`,
        method: 'POST',
        body: queryArg.firstAdministratorDraft,
      }),
    }),
    lockSession: build.mutation<LockSessionApiResponse, LockSessionApiArg>({
      extraOptions: { success: [204] },
      query: () => ({ url: `/api/auth/lock`, method: 'POST' }),
    }),
    signOut: build.mutation<SignOutApiResponse, SignOutApiArg>({
      extraOptions: { success: [204] },
      query: () => ({ url: `/api/auth/logout`, method: 'POST' }),
    }),
    makeNonce: build.mutation<MakeNonceApiResponse, MakeNonceApiArg>({
      extraOptions: { success: [201] },
      query: () => ({ url: `/api/auth/nonce`, method: 'POST' }),
    }),
    registerPasskeyByLink: build.mutation<RegisterPasskeyByLinkApiResponse, RegisterPasskeyByLinkApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/auth/passkey-link`,
        method: 'POST',
        body: queryArg.linkedPasskeyDraft,
      }),
    }),
    readPasskeyLink: build.mutation<ReadPasskeyLinkApiResponse, ReadPasskeyLinkApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/auth/passkey-link/options`,
        method: 'POST',
        body: queryArg.passkeyLinkToken,
      }),
    }),
    signInWithPasskey: build.mutation<SignInWithPasskeyApiResponse, SignInWithPasskeyApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/auth/passkey-sign-in`,
        method: 'POST',
        body: queryArg.givenPasskey,
      }),
    }),
    beginPasskeySignIn: build.mutation<BeginPasskeySignInApiResponse, BeginPasskeySignInApiArg>({
      extraOptions: { success: [201] },
      query: () => ({
        url: `/api/auth/passkey-sign-in/options`,
        method: 'POST',
      }),
    }),
    registerPasskey: build.mutation<RegisterPasskeyApiResponse, RegisterPasskeyApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/auth/passkeys`,
        method: 'POST',
        body: queryArg.passkeyDraft,
      }),
    }),
    beginPasskeyRegistration: build.mutation<
      BeginPasskeyRegistrationApiResponse,
      BeginPasskeyRegistrationApiArg
    >({
      extraOptions: { success: [201] },
      query: () => ({ url: `/api/auth/passkeys/options`, method: 'POST' }),
    }),
    requestPasswordReset: build.mutation<RequestPasswordResetApiResponse, RequestPasswordResetApiArg>({
      extraOptions: { success: [202] },
      query: (queryArg) => ({
        url: `/api/auth/password-reset`,
        method: 'POST',
        body: queryArg.resetRequest,
      }),
    }),
    readPasswordLink: build.mutation<ReadPasswordLinkApiResponse, ReadPasswordLinkApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/auth/password-reset/account`,
        method: 'POST',
        body: queryArg.linkToken,
      }),
    }),
    choosePassword: build.mutation<ChoosePasswordApiResponse, ChoosePasswordApiArg>({
      extraOptions: { success: [201, 202] },
      query: (queryArg) => ({
        url: `/api/auth/password-reset/confirm`,
        method: 'POST',
        body: queryArg.chosenPassword,
      }),
    }),
    checkPasswordOnLink: build.mutation<CheckPasswordOnLinkApiResponse, CheckPasswordOnLinkApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/auth/password-reset/strength`,
        method: 'POST',
        body: queryArg.passwordTypedOnLink,
      }),
    }),
    checkOwnPassword: build.mutation<CheckOwnPasswordApiResponse, CheckOwnPasswordApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/auth/password-strength`,
        method: 'POST',
        body: queryArg.typedPassword,
      }),
    }),
    removePin: build.mutation<RemovePinApiResponse, RemovePinApiArg>({
      extraOptions: { success: [204] },
      query: () => ({ url: `/api/auth/pin`, method: 'DELETE' }),
    }),
    setPin: build.mutation<SetPinApiResponse, SetPinApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/auth/pin`,
        method: 'PUT',
        body: queryArg.pinDraft,
      }),
    }),
    readOwnAccount: build.query<ReadOwnAccountApiResponse, ReadOwnAccountApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/api/auth/profile` }),
    }),
    inviteUser: build.mutation<InviteUserApiResponse, InviteUserApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/auth/register-by-admin`,
        method: 'POST',
        body: queryArg.userDraft,
      }),
    }),
    giveSecondFactor: build.mutation<GiveSecondFactorApiResponse, GiveSecondFactorApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/auth/second-factor`,
        method: 'POST',
        body: queryArg.givenSecondFactor,
      }),
    }),
    unlockSession: build.mutation<UnlockSessionApiResponse, UnlockSessionApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/auth/unlock`,
        method: 'POST',
        body: queryArg.unlockDraft,
      }),
    }),
    beginPasskeyUnlock: build.mutation<BeginPasskeyUnlockApiResponse, BeginPasskeyUnlockApiArg>({
      extraOptions: { success: [201] },
      query: () => ({ url: `/api/auth/unlock/options`, method: 'POST' }),
    }),
    readCatalogue: build.mutation<ReadCatalogueApiResponse, ReadCatalogueApiArg>({
      extraOptions: { success: [200, 304] },
      query: (queryArg) => ({
        url: `/api/catalogue`,
        method: 'GET',
        headers: {
          'If-None-Match': queryArg['If-None-Match'],
        },
      }),
    }),
    listCategories: build.query<ListCategoriesApiResponse, ListCategoriesApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/categories`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
          format: queryArg.format,
        },
      }),
    }),
    createCategory: build.mutation<CreateCategoryApiResponse, CreateCategoryApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/categories`,
        method: 'POST',
        body: queryArg.categoryDraft,
      }),
    }),
    deleteCategory: build.mutation<DeleteCategoryApiResponse, DeleteCategoryApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/categories/${queryArg.categoryId}`,
        method: 'DELETE',
      }),
    }),
    readCategory: build.query<ReadCategoryApiResponse, ReadCategoryApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/categories/${queryArg.categoryId}` }),
    }),
    updateCategory: build.mutation<UpdateCategoryApiResponse, UpdateCategoryApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/categories/${queryArg.categoryId}`,
        method: 'PUT',
        body: queryArg.categoryDraft,
      }),
    }),
    listDetails: build.query<ListDetailsApiResponse, ListDetailsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-details`,
        params: {
          product_id: queryArg.productId,
          category_id: queryArg.categoryId,
          staff_id: queryArg.staffId,
          area_id: queryArg.areaId,
          room_id: queryArg.roomId,
          patient_id: queryArg.patientId,
          shift: queryArg.shift,
          from: queryArg['from'],
          to: queryArg.to,
          lot: queryArg.lot,
          serial: queryArg.serial,
          form_id: queryArg.formId,
          used_for: queryArg.usedFor,
          use_reason: queryArg.useReason,
          voided: queryArg.voided,
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
          consumption_sheet_id: queryArg.consumptionSheetId,
          format: queryArg.format,
        },
      }),
    }),
    addDetail: build.mutation<AddDetailApiResponse, AddDetailApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/consumption-details`,
        method: 'POST',
        body: queryArg.detailDraft,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    voidDetails: build.mutation<VoidDetailsApiResponse, VoidDetailsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-details/void`,
        method: 'POST',
        body: queryArg.voidDraft,
      }),
    }),
    deleteDetail: build.mutation<DeleteDetailApiResponse, DeleteDetailApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/consumption-details/${queryArg.detailId}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    readDetail: build.query<ReadDetailApiResponse, ReadDetailApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-details/${queryArg.detailId}`,
      }),
    }),
    editDetail: build.mutation<EditDetailApiResponse, EditDetailApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-details/${queryArg.detailId}`,
        method: 'PUT',
        body: queryArg.detailDraft,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    correctDetail: build.mutation<CorrectDetailApiResponse, CorrectDetailApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/consumption-details/${queryArg.detailId}/correct`,
        method: 'POST',
        body: queryArg.correctionDraft,
        headers: {
          'If-Match': queryArg['If-Match'],
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    acknowledgeRecalledUse: build.mutation<AcknowledgeRecalledUseApiResponse, AcknowledgeRecalledUseApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/consumption-details/${queryArg.detailId}/recall-seen`,
        method: 'POST',
      }),
    }),
    returnDetail: build.mutation<ReturnDetailApiResponse, ReturnDetailApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-details/${queryArg.detailId}/return`,
        method: 'POST',
        body: queryArg.returnDraft,
        headers: {
          'If-Match': queryArg['If-Match'],
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    voidDetail: build.mutation<VoidDetailApiResponse, VoidDetailApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-details/${queryArg.detailId}/void`,
        method: 'POST',
        body: queryArg.voidDraft,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    unmarkWaste: build.mutation<UnmarkWasteApiResponse, UnmarkWasteApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-details/${queryArg.detailId}/waste`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    markWaste: build.mutation<MarkWasteApiResponse, MarkWasteApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-details/${queryArg.detailId}/waste`,
        method: 'POST',
        body: queryArg.wasteDraft,
        headers: {
          'If-Match': queryArg['If-Match'],
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    listSheets: build.query<ListSheetsApiResponse, ListSheetsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets`,
        params: {
          closed: queryArg.closed,
          patient_id: queryArg.patientId,
          room_id: queryArg.roomId,
          area_id: queryArg.areaId,
          from: queryArg['from'],
          to: queryArg.to,
          without_visit: queryArg.withoutVisit,
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
          format: queryArg.format,
        },
      }),
    }),
    openSheet: build.mutation<OpenSheetApiResponse, OpenSheetApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets`,
        method: 'POST',
        body: queryArg.sheetDraft,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    checkPaper: build.query<CheckPaperApiResponse, CheckPaperApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/paper`,
        params: {
          text: queryArg.text,
        },
      }),
    }),
    admitUnidentified: build.mutation<AdmitUnidentifiedApiResponse, AdmitUnidentifiedApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/unidentified`,
        method: 'POST',
        body: queryArg.unidentifiedDraft,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    deleteSheet: build.mutation<DeleteSheetApiResponse, DeleteSheetApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    readSheet: build.query<ReadSheetApiResponse, ReadSheetApiArg>({
      extraOptions: { success: [200, 304] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}`,
        headers: {
          'If-None-Match': queryArg['If-None-Match'],
        },
      }),
    }),
    updateSheet: build.mutation<UpdateSheetApiResponse, UpdateSheetApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}`,
        method: 'PUT',
        body: queryArg.sheetDraft,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    readAccount: build.query<ReadAccountApiResponse, ReadAccountApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/account`,
      }),
    }),
    compareAccounts: build.query<CompareAccountsApiResponse, CompareAccountsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/account/changes`,
        params: {
          since: queryArg.since,
        },
      }),
    }),
    printAccount: build.query<PrintAccountApiResponse, PrintAccountApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/account/pdf`,
        params: {
          of: queryArg['of'],
          prices: queryArg.prices,
        },
      }),
    }),
    issueAccount: build.mutation<IssueAccountApiResponse, IssueAccountApiArg>({
      extraOptions: { success: [200, 201] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/accounts`,
        method: 'POST',
      }),
    }),
    closeSheet: build.mutation<CloseSheetApiResponse, CloseSheetApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/close`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
        params: {
          acknowledged: queryArg.acknowledged,
        },
      }),
    }),
    undoClosing: build.mutation<UndoClosingApiResponse, UndoClosingApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/close/undo`,
        method: 'POST',
      }),
    }),
    listClosings: build.query<ListClosingsApiResponse, ListClosingsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/closings`,
      }),
    }),
    readClosing: build.query<ReadClosingApiResponse, ReadClosingApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/closings/${queryArg.turn}`,
      }),
    }),
    listSheetDetails: build.query<ListSheetDetailsApiResponse, ListSheetDetailsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/consumption-details`,
        params: {
          product_id: queryArg.productId,
          category_id: queryArg.categoryId,
          staff_id: queryArg.staffId,
          area_id: queryArg.areaId,
          room_id: queryArg.roomId,
          patient_id: queryArg.patientId,
          shift: queryArg.shift,
          from: queryArg['from'],
          to: queryArg.to,
          lot: queryArg.lot,
          serial: queryArg.serial,
          form_id: queryArg.formId,
          used_for: queryArg.usedFor,
          use_reason: queryArg.useReason,
          voided: queryArg.voided,
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
          format: queryArg.format,
        },
      }),
    }),
    addSheetDetail: build.mutation<AddSheetDetailApiResponse, AddSheetDetailApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/consumption-details`,
        method: 'POST',
        body: queryArg.detailDraft,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    recordDetails: build.mutation<RecordDetailsApiResponse, RecordDetailsApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/consumption-details/several`,
        method: 'POST',
        body: queryArg.detailsDraft,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    readSheetHistory: build.query<ReadSheetHistoryApiResponse, ReadSheetHistoryApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/history`,
        params: {
          user_id: queryArg.userId,
          action: queryArg.action,
          from: queryArg['from'],
          to: queryArg.to,
          page: queryArg.page,
          limit: queryArg.limit,
          q: queryArg.q,
          cursor: queryArg.cursor,
          format: queryArg.format,
        },
      }),
    }),
    listLateEntries: build.query<ListLateEntriesApiResponse, ListLateEntriesApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/late-entries`,
      }),
    }),
    submitLateEntry: build.mutation<SubmitLateEntryApiResponse, SubmitLateEntryApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/late-entries`,
        method: 'POST',
        body: queryArg.lateEntryDraft,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    listMissedCharges: build.query<ListMissedChargesApiResponse, ListMissedChargesApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/missed-charges`,
        params: {
          kit_id: queryArg.kitId,
        },
      }),
    }),
    answerMissedCharge: build.mutation<AnswerMissedChargeApiResponse, AnswerMissedChargeApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/missed-charges/${queryArg.productId}`,
        method: 'PUT',
        body: queryArg.missedChargeDraft,
      }),
    }),
    moveDetails: build.mutation<MoveDetailsApiResponse, MoveDetailsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/move-details`,
        method: 'POST',
        body: queryArg.moveDraft,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    reopenSheet: build.mutation<ReopenSheetApiResponse, ReopenSheetApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/reopen`,
        method: 'POST',
        body: queryArg.reopenDraft,
      }),
    }),
    listRepeatable: build.query<ListRepeatableApiResponse, ListRepeatableApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/repeatable`,
        params: {
          day: queryArg.day,
          from_sheet: queryArg.fromSheet,
        },
      }),
    }),
    undoTransfer: build.mutation<UndoTransferApiResponse, UndoTransferApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/stays/last`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    summarizeSheet: build.query<SummarizeSheetApiResponse, SummarizeSheetApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/summary`,
      }),
    }),
    transferPatient: build.mutation<TransferPatientApiResponse, TransferPatientApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/transfer`,
        method: 'POST',
        body: queryArg.transferDraft,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    listUnlistedItems: build.query<ListUnlistedItemsApiResponse, ListUnlistedItemsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/unlisted-items`,
      }),
    }),
    noteUnlistedItem: build.mutation<NoteUnlistedItemApiResponse, NoteUnlistedItemApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/unlisted-items`,
        method: 'POST',
        body: queryArg.unlistedItemDraft,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    listUsualProducts: build.query<ListUsualProductsApiResponse, ListUsualProductsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/usual-products`,
      }),
    }),
    readSheetVersion: build.query<ReadSheetVersionApiResponse, ReadSheetVersionApiArg>({
      extraOptions: { success: [200, 204] },
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/version`,
        params: {
          version: queryArg.version,
        },
      }),
    }),
    listForms: build.query<ListFormsApiResponse, ListFormsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/contingency-forms`,
        params: {
          state: queryArg.state,
        },
      }),
    }),
    printForms: build.mutation<PrintFormsApiResponse, PrintFormsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/contingency-forms`,
        method: 'POST',
        body: queryArg.formsDraft,
      }),
    }),
    readForm: build.query<ReadFormApiResponse, ReadFormApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/contingency-forms/${queryArg.formId}`,
      }),
    }),
    discardForm: build.mutation<DiscardFormApiResponse, DiscardFormApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/contingency-forms/${queryArg.formId}/discard`,
        method: 'POST',
        body: queryArg.discardFormDraft,
      }),
    }),
    recordForm: build.mutation<RecordFormApiResponse, RecordFormApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/contingency-forms/${queryArg.formId}/record`,
        method: 'POST',
        body: queryArg.formRecordDraft,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    reportOutbox: build.mutation<ReportOutboxApiResponse, ReportOutboxApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/devices/${queryArg.deviceId}/outbox`,
        method: 'PUT',
        body: queryArg.outboxDraft,
      }),
    }),
    endDeviceSessions: build.mutation<EndDeviceSessionsApiResponse, EndDeviceSessionsApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/devices/${queryArg.device}/sessions`,
        method: 'DELETE',
      }),
    }),
    checkDocument: build.query<CheckDocumentApiResponse, CheckDocumentApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/documents/paper`,
        params: {
          text: queryArg.text,
        },
      }),
    }),
    removeHospitalLogo: build.mutation<RemoveHospitalLogoApiResponse, RemoveHospitalLogoApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/hospital/logo`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    setHospitalLogo: build.mutation<SetHospitalLogoApiResponse, SetHospitalLogoApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/hospital/logo`,
        method: 'PUT',
        body: queryArg.body,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    readHospitalSettings: build.query<ReadHospitalSettingsApiResponse, ReadHospitalSettingsApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/api/hospital/settings` }),
    }),
    changeHospitalSettings: build.mutation<ChangeHospitalSettingsApiResponse, ChangeHospitalSettingsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/hospital/settings`,
        method: 'PUT',
        body: queryArg.hospitalDraft,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    listImplants: build.query<ListImplantsApiResponse, ListImplantsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/implants`,
        params: {
          product_id: queryArg.productId,
          patient_id: queryArg.patientId,
          from: queryArg['from'],
          to: queryArg.to,
          lot: queryArg.lot,
          serial: queryArg.serial,
          incomplete: queryArg.incomplete,
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
          format: queryArg.format,
        },
      }),
    }),
    listImports: build.query<ListImportsApiResponse, ListImportsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/imports`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
          format: queryArg.format,
        },
      }),
    }),
    importFile: build.mutation<ImportFileApiResponse, ImportFileApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/imports`,
        method: 'POST',
        body: queryArg.body,
        params: {
          encoding: queryArg.encoding,
          separator: queryArg.separator,
          sheet: queryArg.sheet,
          header_row: queryArg.headerRow,
          decimal: queryArg.decimal,
          dates: queryArg.dates,
          mapping: queryArg.mapping,
          noun: queryArg.noun,
          file_name: queryArg.fileName,
          rows: queryArg.rows,
          leave_out: queryArg.leaveOut,
          good_rows: queryArg.goodRows,
          confirmed: queryArg.confirmed,
        },
      }),
    }),
    checkImport: build.mutation<CheckImportApiResponse, CheckImportApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/imports/check`,
        method: 'POST',
        body: queryArg.body,
        params: {
          encoding: queryArg.encoding,
          separator: queryArg.separator,
          sheet: queryArg.sheet,
          header_row: queryArg.headerRow,
          decimal: queryArg.decimal,
          dates: queryArg.dates,
          mapping: queryArg.mapping,
          noun: queryArg.noun,
          rows: queryArg.rows,
          leave_out: queryArg.leaveOut,
        },
      }),
    }),
    readFile: build.mutation<ReadFileApiResponse, ReadFileApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/imports/read`,
        method: 'POST',
        body: queryArg.body,
        params: {
          encoding: queryArg.encoding,
          separator: queryArg.separator,
          sheet: queryArg.sheet,
          header_row: queryArg.headerRow,
          decimal: queryArg.decimal,
          dates: queryArg.dates,
          mapping: queryArg.mapping,
          noun: queryArg.noun,
        },
      }),
    }),
    readImport: build.query<ReadImportApiResponse, ReadImportApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/imports/${queryArg.importId}` }),
    }),
    undoImport: build.mutation<UndoImportApiResponse, UndoImportApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/imports/${queryArg.importId}/undo`,
        method: 'POST',
      }),
    }),
    listInboundMessages: build.query<ListInboundMessagesApiResponse, ListInboundMessagesApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/inbound-messages`,
        params: {
          state: queryArg.state,
          kind: queryArg.kind,
          reason: queryArg.reason,
          q: queryArg.q,
          after: queryArg.after,
        },
      }),
    }),
    dismissInboundMessages: build.mutation<DismissInboundMessagesApiResponse, DismissInboundMessagesApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/inbound-messages/dismiss`,
        method: 'POST',
        body: queryArg.dismissMessageDraft,
      }),
    }),
    retryInboundMessages: build.mutation<RetryInboundMessagesApiResponse, RetryInboundMessagesApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/inbound-messages/retry`,
        method: 'POST',
        body: queryArg.retryMessagesDraft,
      }),
    }),
    readInboundMessage: build.query<ReadInboundMessageApiResponse, ReadInboundMessageApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/inbound-messages/${queryArg.messageId}`,
      }),
    }),
    dismissInboundMessage: build.mutation<DismissInboundMessageApiResponse, DismissInboundMessageApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/inbound-messages/${queryArg.messageId}/dismiss`,
        method: 'POST',
        body: queryArg.dismissMessageDraft,
      }),
    }),
    openSheetWithMessage: build.mutation<OpenSheetWithMessageApiResponse, OpenSheetWithMessageApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/inbound-messages/${queryArg.messageId}/open`,
        method: 'POST',
        body: queryArg.roomAnswerDraft,
      }),
    }),
    answerPatientOfMessage: build.mutation<AnswerPatientOfMessageApiResponse, AnswerPatientOfMessageApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/inbound-messages/${queryArg.messageId}/patient`,
        method: 'POST',
        body: queryArg.patientAnswerDraft,
      }),
    }),
    retryInboundMessage: build.mutation<RetryInboundMessageApiResponse, RetryInboundMessageApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/inbound-messages/${queryArg.messageId}/retry`,
        method: 'POST',
      }),
    }),
    answerRoomOfMessage: build.mutation<AnswerRoomOfMessageApiResponse, AnswerRoomOfMessageApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/inbound-messages/${queryArg.messageId}/room`,
        method: 'POST',
        body: queryArg.roomAnswerDraft,
      }),
    }),
    answerSheetOfMessage: build.mutation<AnswerSheetOfMessageApiResponse, AnswerSheetOfMessageApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/inbound-messages/${queryArg.messageId}/sheet`,
        method: 'POST',
        body: queryArg.sheetAnswerDraft,
      }),
    }),
    readOwnKey: build.query<ReadOwnKeyApiResponse, ReadOwnKeyApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/api/keys/self` }),
    }),
    revokeKey: build.mutation<RevokeKeyApiResponse, RevokeKeyApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/keys/${queryArg.keyId}`,
        method: 'DELETE',
      }),
    }),
    listKits: build.query<ListKitsApiResponse, ListKitsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/kits`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
          area_id: queryArg.areaId,
          own: queryArg.own,
          format: queryArg.format,
        },
      }),
    }),
    createKit: build.mutation<CreateKitApiResponse, CreateKitApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/kits`,
        method: 'POST',
        body: queryArg.kitDraft,
      }),
    }),
    deleteKit: build.mutation<DeleteKitApiResponse, DeleteKitApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/kits/${queryArg.kitId}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    readKit: build.query<ReadKitApiResponse, ReadKitApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/kits/${queryArg.kitId}` }),
    }),
    updateKit: build.mutation<UpdateKitApiResponse, UpdateKitApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/kits/${queryArg.kitId}`,
        method: 'PUT',
        body: queryArg.kitDraft,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    reviewKit: build.query<ReviewKitApiResponse, ReviewKitApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/kits/${queryArg.kitId}/review`,
        params: {
          days: queryArg.days,
        },
      }),
    }),
    printLabels: build.mutation<PrintLabelsApiResponse, PrintLabelsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/labels`,
        method: 'POST',
        body: queryArg.labelsDraft,
      }),
    }),
    dismissLateEntry: build.mutation<DismissLateEntryApiResponse, DismissLateEntryApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/late-entries/${queryArg.lateEntryId}/dismiss`,
        method: 'POST',
        body: queryArg.dismissDraft,
      }),
    }),
    recordLateEntry: build.mutation<RecordLateEntryApiResponse, RecordLateEntryApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/late-entries/${queryArg.lateEntryId}/record`,
        method: 'POST',
        body: queryArg.recordLateDraft,
      }),
    }),
    listMonths: build.query<ListMonthsApiResponse, ListMonthsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/months`,
        params: {
          area_id: queryArg.areaId,
          before: queryArg.before,
        },
      }),
    }),
    closeMonth: build.mutation<CloseMonthApiResponse, CloseMonthApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/months`,
        method: 'POST',
        body: queryArg.monthDraft,
      }),
    }),
    readMonth: build.query<ReadMonthApiResponse, ReadMonthApiArg>({
      extraOptions: { success: [200, 304] },
      query: (queryArg) => ({
        url: `/api/months/${queryArg.monthId}`,
        headers: {
          'If-None-Match': queryArg['If-None-Match'],
        },
      }),
    }),
    printMonth: build.query<PrintMonthApiResponse, PrintMonthApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/months/${queryArg.monthId}/pdf` }),
    }),
    exportMonth: build.query<ExportMonthApiResponse, ExportMonthApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/months/${queryArg.monthId}/xlsx` }),
    }),
    listNotices: build.query<ListNoticesApiResponse, ListNoticesApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/api/notices` }),
    }),
    markNoticesSeen: build.mutation<MarkNoticesSeenApiResponse, MarkNoticesSeenApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/notices/seen`,
        method: 'POST',
        body: queryArg.seenDraft,
      }),
    }),
    listOutboundMessages: build.query<ListOutboundMessagesApiResponse, ListOutboundMessagesApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/outbound-messages`,
        params: {
          state: queryArg.state,
          consumption_sheet_id: queryArg.consumptionSheetId,
          page: queryArg.page,
          limit: queryArg.limit,
          q: queryArg.q,
          cursor: queryArg.cursor,
          format: queryArg.format,
        },
      }),
    }),
    readOutboundMessage: build.query<ReadOutboundMessageApiResponse, ReadOutboundMessageApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/outbound-messages/${queryArg.outboundMessageId}`,
      }),
    }),
    retryOutboundMessage: build.mutation<RetryOutboundMessageApiResponse, RetryOutboundMessageApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/outbound-messages/${queryArg.outboundMessageId}/retry`,
        method: 'POST',
      }),
    }),
    markOutboundMessageSent: build.mutation<
      MarkOutboundMessageSentApiResponse,
      MarkOutboundMessageSentApiArg
    >({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/outbound-messages/${queryArg.outboundMessageId}/settle`,
        method: 'POST',
        body: queryArg.settleDraft,
      }),
    }),
    readOverview: build.query<ReadOverviewApiResponse, ReadOverviewApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/api/overview` }),
    }),
    listPatients: build.query<ListPatientsApiResponse, ListPatientsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/patients`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
          active: queryArg.active,
          merged: queryArg.merged,
          format: queryArg.format,
        },
      }),
    }),
    createPatient: build.mutation<CreatePatientApiResponse, CreatePatientApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/patients`,
        method: 'POST',
        body: queryArg.patientDraft,
      }),
    }),
    deletePatient: build.mutation<DeletePatientApiResponse, DeletePatientApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/patients/${queryArg.patientId}`,
        method: 'DELETE',
      }),
    }),
    readPatient: build.query<ReadPatientApiResponse, ReadPatientApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/patients/${queryArg.patientId}` }),
    }),
    updatePatient: build.mutation<UpdatePatientApiResponse, UpdatePatientApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/patients/${queryArg.patientId}`,
        method: 'PUT',
        body: queryArg.patientDraft,
      }),
    }),
    identifyPatient: build.mutation<IdentifyPatientApiResponse, IdentifyPatientApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/patients/${queryArg.patientId}/identify`,
        method: 'POST',
        body: queryArg.identityDraft,
      }),
    }),
    mergePatients: build.mutation<MergePatientsApiResponse, MergePatientsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/patients/${queryArg.patientId}/merge`,
        method: 'POST',
        body: queryArg.mergeDraft,
      }),
    }),
    previewMerge: build.query<PreviewMergeApiResponse, PreviewMergeApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/patients/${queryArg.patientId}/merge-preview`,
        params: {
          into: queryArg.into,
        },
      }),
    }),
    listReaders: build.query<ListReadersApiResponse, ListReadersApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/patients/${queryArg.patientId}/readers`,
        params: {
          user_id: queryArg.userId,
          action: queryArg.action,
          from: queryArg['from'],
          to: queryArg.to,
          page: queryArg.page,
          limit: queryArg.limit,
          q: queryArg.q,
          cursor: queryArg.cursor,
          format: queryArg.format,
        },
      }),
    }),
    unmergePatients: build.mutation<UnmergePatientsApiResponse, UnmergePatientsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/patients/${queryArg.patientId}/unmerge`,
        method: 'POST',
      }),
    }),
    removeProductCode: build.mutation<RemoveProductCodeApiResponse, RemoveProductCodeApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/product-codes/${queryArg.codeId}`,
        method: 'DELETE',
      }),
    }),
    listProducts: build.query<ListProductsApiResponse, ListProductsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/products`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          name: queryArg.name,
          category_id: queryArg.categoryId,
          active: queryArg.active,
          implant: queryArg.implant,
          included_in_stay: queryArg.includedInStay,
          plain_name: queryArg.plainName,
          format: queryArg.format,
        },
      }),
    }),
    createProduct: build.mutation<CreateProductApiResponse, CreateProductApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/products`,
        method: 'POST',
        body: queryArg.productDraft,
      }),
    }),
    lookUpProduct: build.query<LookUpProductApiResponse, LookUpProductApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/products/lookup`,
        params: {
          scan: queryArg.scan,
          gtin: queryArg.gtin,
          code: queryArg.code,
          hibc: queryArg.hibc,
          text: queryArg.text,
          lot: queryArg.lot,
          expiry: queryArg.expiry,
          serial: queryArg.serial,
          only_tried: queryArg.onlyTried,
        },
      }),
    }),
    listTypedProducts: build.query<ListTypedProductsApiResponse, ListTypedProductsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/products/typed`,
        params: {
          weeks: queryArg.weeks,
          area_id: queryArg.areaId,
        },
      }),
    }),
    deleteProduct: build.mutation<DeleteProductApiResponse, DeleteProductApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/products/${queryArg.productId}`,
        method: 'DELETE',
      }),
    }),
    readProduct: build.query<ReadProductApiResponse, ReadProductApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/products/${queryArg.productId}` }),
    }),
    updateProduct: build.mutation<UpdateProductApiResponse, UpdateProductApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/products/${queryArg.productId}`,
        method: 'PUT',
        body: queryArg.productDraft,
      }),
    }),
    listProductCodes: build.query<ListProductCodesApiResponse, ListProductCodesApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/products/${queryArg.productId}/codes`,
      }),
    }),
    addProductCode: build.mutation<AddProductCodeApiResponse, AddProductCodeApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/products/${queryArg.productId}/codes`,
        method: 'POST',
        body: queryArg.productCodeDraft,
      }),
    }),
    unpinProduct: build.mutation<UnpinProductApiResponse, UnpinProductApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/products/${queryArg.productId}/favourite`,
        method: 'DELETE',
      }),
    }),
    pinProduct: build.mutation<PinProductApiResponse, PinProductApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/products/${queryArg.productId}/favourite`,
        method: 'PUT',
      }),
    }),
    removePicture: build.mutation<RemovePictureApiResponse, RemovePictureApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/products/${queryArg.productId}/picture`,
        method: 'DELETE',
      }),
    }),
    readPicture: build.query<ReadPictureApiResponse, ReadPictureApiArg>({
      extraOptions: { success: [200, 304] },
      query: (queryArg) => ({
        url: `/api/products/${queryArg.productId}/picture`,
        headers: {
          'If-None-Match': queryArg['If-None-Match'],
        },
        params: {
          digest: queryArg.digest,
        },
      }),
    }),
    setPicture: build.mutation<SetPictureApiResponse, SetPictureApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/products/${queryArg.productId}/picture`,
        method: 'PUT',
        body: queryArg.body,
      }),
    }),
    readPriceHistory: build.query<ReadPriceHistoryApiResponse, ReadPriceHistoryApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/products/${queryArg.productId}/prices`,
      }),
    }),
    listTypedNames: build.query<ListTypedNamesApiResponse, ListTypedNamesApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/products/${queryArg.productId}/typed-names`,
      }),
    }),
    noteTypedName: build.mutation<NoteTypedNameApiResponse, NoteTypedNameApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/products/${queryArg.productId}/typed-names`,
        method: 'POST',
        body: queryArg.typedNameDraft,
      }),
    }),
    readUsualQuantity: build.query<ReadUsualQuantityApiResponse, ReadUsualQuantityApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/products/${queryArg.productId}/usual-quantity`,
      }),
    }),
    listRecalls: build.query<ListRecallsApiResponse, ListRecallsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/recalls`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
          product_id: queryArg.productId,
          closed: queryArg.closed,
          format: queryArg.format,
        },
      }),
    }),
    openRecall: build.mutation<OpenRecallApiResponse, OpenRecallApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/recalls`,
        method: 'POST',
        body: queryArg.recallDraft,
      }),
    }),
    readRecall: build.query<ReadRecallApiResponse, ReadRecallApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/recalls/${queryArg.recallId}` }),
    }),
    updateRecall: build.mutation<UpdateRecallApiResponse, UpdateRecallApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/recalls/${queryArg.recallId}`,
        method: 'PUT',
        body: queryArg.recallDraft,
      }),
    }),
    listRecalledDetails: build.query<ListRecalledDetailsApiResponse, ListRecalledDetailsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/recalls/${queryArg.recallId}/consumption-details`,
        params: {
          product_id: queryArg.productId,
          category_id: queryArg.categoryId,
          staff_id: queryArg.staffId,
          area_id: queryArg.areaId,
          room_id: queryArg.roomId,
          patient_id: queryArg.patientId,
          shift: queryArg.shift,
          from: queryArg['from'],
          to: queryArg.to,
          lot: queryArg.lot,
          serial: queryArg.serial,
          form_id: queryArg.formId,
          used_for: queryArg.usedFor,
          use_reason: queryArg.useReason,
          voided: queryArg.voided,
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
          format: queryArg.format,
        },
      }),
    }),
    listSetAside: build.query<ListSetAsideApiResponse, ListSetAsideApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/recalls/${queryArg.recallId}/set-aside`,
      }),
    }),
    setAsideRecalled: build.mutation<SetAsideRecalledApiResponse, SetAsideRecalledApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/recalls/${queryArg.recallId}/set-aside`,
        method: 'POST',
        body: queryArg.setAsideDraft,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    reportConsumption: build.query<ReportConsumptionApiResponse, ReportConsumptionApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/reports/consumption`,
        params: {
          by: queryArg.by,
          from: queryArg['from'],
          to: queryArg.to,
          area_id: queryArg.areaId,
          product_id: queryArg.productId,
          returns: queryArg.returns,
          used_for: queryArg.usedFor,
          compare: queryArg.compare,
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          cursor: queryArg.cursor,
          format: queryArg.format,
        },
      }),
    }),
    reconcileHandedOut: build.mutation<ReconcileHandedOutApiResponse, ReconcileHandedOutApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/reports/reconciliation`,
        method: 'POST',
        body: queryArg.body,
        params: {
          encoding: queryArg.encoding,
          separator: queryArg.separator,
          sheet: queryArg.sheet,
          header_row: queryArg.headerRow,
          decimal: queryArg.decimal,
          dates: queryArg.dates,
          mapping: queryArg.mapping,
          area_id: queryArg.areaId,
          from: queryArg['from'],
          to: queryArg.to,
          leave_out: queryArg.leaveOut,
        },
      }),
    }),
    exportReconciliation: build.mutation<ExportReconciliationApiResponse, ExportReconciliationApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/reports/reconciliation/workbook`,
        method: 'POST',
        body: queryArg.body,
        params: {
          encoding: queryArg.encoding,
          separator: queryArg.separator,
          sheet: queryArg.sheet,
          header_row: queryArg.headerRow,
          decimal: queryArg.decimal,
          dates: queryArg.dates,
          mapping: queryArg.mapping,
          area_id: queryArg.areaId,
          from: queryArg['from'],
          to: queryArg.to,
          leave_out: queryArg.leaveOut,
        },
      }),
    }),
    readRestockList: build.query<ReadRestockListApiResponse, ReadRestockListApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/restock-lists/${queryArg.restockListId}`,
      }),
    }),
    listRooms: build.query<ListRoomsApiResponse, ListRoomsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/rooms`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
          area_id: queryArg.areaId,
          status: queryArg.status,
          format: queryArg.format,
        },
      }),
    }),
    createRoom: build.mutation<CreateRoomApiResponse, CreateRoomApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/rooms`,
        method: 'POST',
        body: queryArg.roomDraft,
      }),
    }),
    createRoomRanges: build.mutation<CreateRoomRangesApiResponse, CreateRoomRangesApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/rooms/ranges`,
        method: 'POST',
        body: queryArg.roomRangesDraft,
      }),
    }),
    checkRoomRanges: build.mutation<CheckRoomRangesApiResponse, CheckRoomRangesApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/rooms/ranges/check`,
        method: 'POST',
        body: queryArg.roomRangesDraft,
      }),
    }),
    deleteRoom: build.mutation<DeleteRoomApiResponse, DeleteRoomApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/rooms/${queryArg.roomId}`,
        method: 'DELETE',
      }),
    }),
    readRoom: build.query<ReadRoomApiResponse, ReadRoomApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/rooms/${queryArg.roomId}` }),
    }),
    updateRoom: build.mutation<UpdateRoomApiResponse, UpdateRoomApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/rooms/${queryArg.roomId}`,
        method: 'PUT',
        body: queryArg.roomDraft,
      }),
    }),
    listServiceAccounts: build.query<ListServiceAccountsApiResponse, ListServiceAccountsApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/api/service-accounts` }),
    }),
    createServiceAccount: build.mutation<CreateServiceAccountApiResponse, CreateServiceAccountApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/service-accounts`,
        method: 'POST',
        body: queryArg.serviceAccountDraft,
      }),
    }),
    deleteServiceAccount: build.mutation<DeleteServiceAccountApiResponse, DeleteServiceAccountApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/service-accounts/${queryArg.accountId}`,
        method: 'DELETE',
      }),
    }),
    updateServiceAccount: build.mutation<UpdateServiceAccountApiResponse, UpdateServiceAccountApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/service-accounts/${queryArg.accountId}`,
        method: 'PUT',
        body: queryArg.serviceAccountDraft,
      }),
    }),
    createKey: build.mutation<CreateKeyApiResponse, CreateKeyApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/service-accounts/${queryArg.accountId}/keys`,
        method: 'POST',
        body: queryArg.apiKeyDraft,
      }),
    }),
    readShift: build.query<ReadShiftApiResponse, ReadShiftApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/shift`,
        params: {
          since: queryArg.since,
        },
      }),
    }),
    listStaff: build.query<ListStaffApiResponse, ListStaffApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/staff`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
          unassigned: queryArg.unassigned,
          format: queryArg.format,
        },
      }),
    }),
    createStaff: build.mutation<CreateStaffApiResponse, CreateStaffApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/staff`,
        method: 'POST',
        body: queryArg.staffDraft,
      }),
    }),
    readOwnProfile: build.query<ReadOwnProfileApiResponse, ReadOwnProfileApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/api/staff/profile` }),
    }),
    completeProfile: build.mutation<CompleteProfileApiResponse, CompleteProfileApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/staff/profile`,
        method: 'PUT',
        body: queryArg.staffDraft,
      }),
    }),
    deleteStaff: build.mutation<DeleteStaffApiResponse, DeleteStaffApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/staff/${queryArg.staffId}`,
        method: 'DELETE',
      }),
    }),
    readStaff: build.query<ReadStaffApiResponse, ReadStaffApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/staff/${queryArg.staffId}` }),
    }),
    updateStaff: build.mutation<UpdateStaffApiResponse, UpdateStaffApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/staff/${queryArg.staffId}`,
        method: 'PUT',
        body: queryArg.staffDraft,
      }),
    }),
    readStatus: build.query<ReadStatusApiResponse, ReadStatusApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/api/status` }),
    }),
    sendTestEmail: build.mutation<SendTestEmailApiResponse, SendTestEmailApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/api/status/test-email`, method: 'POST' }),
    }),
    addTypedName: build.mutation<AddTypedNameApiResponse, AddTypedNameApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/typed-names/${queryArg.typedNameId}/add`,
        method: 'POST',
      }),
    }),
    dismissTypedName: build.mutation<DismissTypedNameApiResponse, DismissTypedNameApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/typed-names/${queryArg.typedNameId}/dismiss`,
        method: 'POST',
      }),
    }),
    listUnknownCodes: build.query<ListUnknownCodesApiResponse, ListUnknownCodesApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/api/unknown-codes` }),
    }),
    ignoreUnknownCode: build.mutation<IgnoreUnknownCodeApiResponse, IgnoreUnknownCodeApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/unknown-codes/${queryArg.system}`,
        method: 'DELETE',
        params: {
          code: queryArg.code,
        },
      }),
    }),
    withdrawUnlistedItem: build.mutation<WithdrawUnlistedItemApiResponse, WithdrawUnlistedItemApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/unlisted-items/${queryArg.unlistedItemId}`,
        method: 'DELETE',
      }),
    }),
    discardUnlistedItem: build.mutation<DiscardUnlistedItemApiResponse, DiscardUnlistedItemApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/unlisted-items/${queryArg.unlistedItemId}/discard`,
        method: 'POST',
        body: queryArg.discardDraft,
      }),
    }),
    resolveUnlistedItem: build.mutation<ResolveUnlistedItemApiResponse, ResolveUnlistedItemApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/unlisted-items/${queryArg.unlistedItemId}/resolve`,
        method: 'POST',
        body: queryArg.resolveDraft,
      }),
    }),
    listUsers: build.query<ListUsersApiResponse, ListUsersApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/users`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
          format: queryArg.format,
        },
      }),
    }),
    chooseOwnWard: build.mutation<ChooseOwnWardApiResponse, ChooseOwnWardApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/users/account/ward`,
        method: 'PUT',
        body: queryArg.ownWardDraft,
      }),
    }),
    createImportedLinks: build.mutation<CreateImportedLinksApiResponse, CreateImportedLinksApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/users/imported-links`,
        method: 'POST',
        body: queryArg.importedLinksDraft,
      }),
    }),
    deleteUser: build.mutation<DeleteUserApiResponse, DeleteUserApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/users/${queryArg.userId}`,
        method: 'DELETE',
      }),
    }),
    readUser: build.query<ReadUserApiResponse, ReadUserApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/users/${queryArg.userId}` }),
    }),
    updateUser: build.mutation<UpdateUserApiResponse, UpdateUserApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/users/${queryArg.userId}`,
        method: 'PUT',
        body: queryArg.userDraft,
      }),
    }),
    listBadges: build.query<ListBadgesApiResponse, ListBadgesApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/users/${queryArg.userId}/badges` }),
    }),
    addBadge: build.mutation<AddBadgeApiResponse, AddBadgeApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/users/${queryArg.userId}/badges`,
        method: 'POST',
        body: queryArg.badgeDraft,
      }),
    }),
    removeBadge: build.mutation<RemoveBadgeApiResponse, RemoveBadgeApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/users/${queryArg.userId}/badges/${queryArg.badgeId}`,
        method: 'DELETE',
      }),
    }),
    unlinkOidc: build.mutation<UnlinkOidcApiResponse, UnlinkOidcApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/users/${queryArg.userId}/oidc`,
        method: 'DELETE',
      }),
    }),
    createPasskeyLink: build.mutation<CreatePasskeyLinkApiResponse, CreatePasskeyLinkApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/users/${queryArg.userId}/passkey-link`,
        method: 'POST',
        body: queryArg.lostPasskeys,
      }),
    }),
    listPasskeys: build.query<ListPasskeysApiResponse, ListPasskeysApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/users/${queryArg.userId}/passkeys` }),
    }),
    removePasskey: build.mutation<RemovePasskeyApiResponse, RemovePasskeyApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/users/${queryArg.userId}/passkeys/${queryArg.passkeyId}`,
        method: 'DELETE',
      }),
    }),
    renamePasskey: build.mutation<RenamePasskeyApiResponse, RenamePasskeyApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/users/${queryArg.userId}/passkeys/${queryArg.passkeyId}`,
        method: 'PUT',
        body: queryArg.passkeyName,
      }),
    }),
    createPasswordLink: build.mutation<CreatePasswordLinkApiResponse, CreatePasswordLinkApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/users/${queryArg.userId}/reset-link`,
        method: 'POST',
      }),
    }),
    endOtherSessions: build.mutation<EndOtherSessionsApiResponse, EndOtherSessionsApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/users/${queryArg.userId}/sessions`,
        method: 'DELETE',
      }),
    }),
    listSessions: build.query<ListSessionsApiResponse, ListSessionsApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({ url: `/api/users/${queryArg.userId}/sessions` }),
    }),
    endSession: build.mutation<EndSessionApiResponse, EndSessionApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/users/${queryArg.userId}/sessions/${queryArg.sessionId}`,
        method: 'DELETE',
      }),
    }),
    readWard: build.query<ReadWardApiResponse, ReadWardApiArg>({
      extraOptions: { success: [200] },
      query: (queryArg) => ({
        url: `/api/ward`,
        params: {
          area_id: queryArg.areaId,
        },
      }),
    }),
    readWorklist: build.query<ReadWorklistApiResponse, ReadWorklistApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/api/worklist` }),
    }),
    countWorklist: build.query<CountWorklistApiResponse, CountWorklistApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/api/worklist/count` }),
    }),
    undoJudgement: build.mutation<UndoJudgementApiResponse, UndoJudgementApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/worklist/judgements`,
        method: 'DELETE',
        params: {
          kind: queryArg.kind,
          detail_id: queryArg.detailId,
          sheet_id: queryArg.sheetId,
          outbox_id: queryArg.outboxId,
        },
      }),
    }),
    judgeRight: build.mutation<JudgeRightApiResponse, JudgeRightApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/worklist/judgements`,
        method: 'POST',
        body: queryArg.judgementDraft,
      }),
    }),
    isLive: build.query<IsLiveApiResponse, IsLiveApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/health/live` }),
    }),
    isReady: build.query<IsReadyApiResponse, IsReadyApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/health/ready` }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedApi };
export type ReadAreaSheetApiResponse = /** status 200 Request fulfilled, document follows */ AreaSheetView;
export type ReadAreaSheetApiArg = {
  sheetId: number;
  /** ETag of the version known to the client */
  'If-None-Match'?: string;
};
export type ListAreasApiResponse = /** status 200 Request fulfilled, document follows */ PageAreaView;
export type ListAreasApiArg = {
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type CreateAreaApiResponse = /** status 201 Document created, URL follows */ AreaView;
export type CreateAreaApiArg = {
  areaDraft: {
    code?: string;
    name: string;
  };
};
export type DeleteAreaApiResponse = unknown;
export type DeleteAreaApiArg = {
  areaId: number;
};
export type ReadAreaApiResponse = /** status 200 Request fulfilled, document follows */ AreaView;
export type ReadAreaApiArg = {
  areaId: number;
};
export type UpdateAreaApiResponse = /** status 200 Request fulfilled, document follows */ AreaView;
export type UpdateAreaApiArg = {
  areaId: number;
  areaDraft: {
    code?: string;
    name: string;
  };
};
export type ReadRestockApiResponse = /** status 200 Request fulfilled, document follows */ RestockView;
export type ReadRestockApiArg = {
  areaId: number;
};
export type CloseRestockListApiResponse = /** status 201 Document created, URL follows */ RestockDocumentView;
export type CloseRestockListApiArg = {
  areaId: number;
  /** Makes retries safe: a repeated key returns the first answer */
  'Idempotency-Key'?: string;
  closeRestockDraft: {
    number: number;
    settle_rest?: boolean;
  };
};
export type ListClosedRestockApiResponse =
  /** status 200 Request fulfilled, document follows */ RestockListsView;
export type ListClosedRestockApiArg = {
  areaId: number;
  before?: number;
};
export type UndoPutBackApiResponse = unknown;
export type UndoPutBackApiArg = {
  areaId: number;
  productId: number;
  /** Number of the list */
  number: number;
};
export type PutBackProductApiResponse = /** status 200 Request fulfilled, document follows */ PutBackView;
export type PutBackProductApiArg = {
  areaId: number;
  productId: number;
  putBackDraft: {
    number: number;
    quantity: number;
  };
};
export type OpenAreaSheetApiResponse =
  | /** status 200 The existing page */ AreaSheetView
  | /** status 201 Document created, URL follows */ AreaSheetView;
export type OpenAreaSheetApiArg = {
  areaId: number;
};
export type ListAreaSheetsApiResponse = /** status 200 Request fulfilled, document follows */ AreaPagesView;
export type ListAreaSheetsApiArg = {
  areaId: number;
  before?: number;
};
export type ListShelvesApiResponse = /** status 200 Request fulfilled, document follows */ ShelvesView;
export type ListShelvesApiArg = {
  areaId: number;
};
export type SetShelfApiResponse = /** status 200 Request fulfilled, document follows */ ShelfView;
export type SetShelfApiArg = {
  areaId: number;
  productId: number;
  shelfDraft: {
    fixed_amount?: number;
    shelf?: string;
  };
};
export type ListAuditApiResponse = /** status 200 Request fulfilled, document follows */ AuditPage;
export type ListAuditApiArg = {
  userId?: number;
  action?: string;
  from?: string;
  to?: string;
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  entity?: string;
  entityId?: number;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type FindBadgeApiResponse = /** status 200 Request fulfilled, document follows */ BadgeHolderView;
export type FindBadgeApiArg = {
  scannedBadge: {
    badge: string;
    nonce: string;
    signature: string;
  };
};
export type BindDeviceApiResponse = unknown;
export type BindDeviceApiArg = {
  deviceDraft: {
    nonce: string;
    public_key: {
      [key: string]: any;
    };
    signature: string;
  };
};
export type CreateFirstAdministratorApiResponse = /** status 201 Document created, URL follows */ AccessToken;
export type CreateFirstAdministratorApiArg = {
  firstAdministratorDraft: {
    email: string;
    password: string;
    password_confirmation: string;
    token: string;
  };
};
export type LockSessionApiResponse = unknown;
export type LockSessionApiArg = void;
export type SignOutApiResponse = unknown;
export type SignOutApiArg = void;
export type MakeNonceApiResponse = /** status 201 Document created, URL follows */ NonceView;
export type MakeNonceApiArg = void;
export type RegisterPasskeyByLinkApiResponse = /** status 201 Document created, URL follows */ PasskeyView;
export type RegisterPasskeyByLinkApiArg = {
  linkedPasskeyDraft: {
    credential: {
      [key: string]: any;
    };
    name: string;
    token: string;
  };
};
export type ReadPasskeyLinkApiResponse = /** status 201 Document created, URL follows */ PasskeyLinkOptions;
export type ReadPasskeyLinkApiArg = {
  passkeyLinkToken: {
    token: string;
  };
};
export type SignInWithPasskeyApiResponse = /** status 201 Document created, URL follows */ AccessToken;
export type SignInWithPasskeyApiArg = {
  givenPasskey: {
    credential: {
      [key: string]: any;
    };
  };
};
export type BeginPasskeySignInApiResponse = /** status 201 Document created, URL follows */ PasskeyOptions;
export type BeginPasskeySignInApiArg = void;
export type RegisterPasskeyApiResponse = /** status 201 Document created, URL follows */ PasskeyView;
export type RegisterPasskeyApiArg = {
  passkeyDraft: {
    credential: {
      [key: string]: any;
    };
    name: string;
  };
};
export type BeginPasskeyRegistrationApiResponse =
  /** status 201 Document created, URL follows */ PasskeyOptions;
export type BeginPasskeyRegistrationApiArg = void;
export type RequestPasswordResetApiResponse =
  /** status 202 Request accepted, processing continues off-line */ null;
export type RequestPasswordResetApiArg = {
  resetRequest: {
    email: string;
  };
};
export type ReadPasswordLinkApiResponse = /** status 200 Request fulfilled, document follows */ LinkAccount;
export type ReadPasswordLinkApiArg = {
  linkToken: {
    token: string;
  };
};
export type ChoosePasswordApiResponse =
  | /** status 201 Document created, URL follows */ AccessToken
  | /** status 202 Second factor required: continue with a passkey */ SecondFactor;
export type ChoosePasswordApiArg = {
  chosenPassword: {
    password: string;
    password_confirmation: string;
    token: string;
  };
};
export type CheckPasswordOnLinkApiResponse =
  /** status 200 Request fulfilled, document follows */ PasswordStrength;
export type CheckPasswordOnLinkApiArg = {
  passwordTypedOnLink: {
    password: string;
    token: string;
  };
};
export type CheckOwnPasswordApiResponse =
  /** status 200 Request fulfilled, document follows */ PasswordStrength;
export type CheckOwnPasswordApiArg = {
  typedPassword: {
    email?: string;
    password: string;
  };
};
export type RemovePinApiResponse = unknown;
export type RemovePinApiArg = void;
export type SetPinApiResponse = unknown;
export type SetPinApiArg = {
  pinDraft: {
    pin: string;
    pin_confirmation: string;
  };
};
export type ReadOwnAccountApiResponse = /** status 200 Request fulfilled, document follows */ OwnAccountView;
export type ReadOwnAccountApiArg = void;
export type InviteUserApiResponse = /** status 201 Document created, URL follows */ InvitedUser;
export type InviteUserApiArg = {
  userDraft: {
    email: string;
    role: number;
    staff_id?: number;
  };
};
export type GiveSecondFactorApiResponse = /** status 201 Document created, URL follows */ AccessToken;
export type GiveSecondFactorApiArg = {
  givenSecondFactor: {
    credential: {
      [key: string]: any;
    };
    ticket: string;
  };
};
export type UnlockSessionApiResponse = unknown;
export type UnlockSessionApiArg = {
  unlockDraft: {
    badge?: string;
    nonce?: string;
    passkey?: {
      [key: string]: any;
    };
    password?: string;
    pin?: string;
    signature?: string;
  };
};
export type BeginPasskeyUnlockApiResponse = /** status 201 Document created, URL follows */ PasskeyOptions;
export type BeginPasskeyUnlockApiArg = void;
export type ReadCatalogueApiResponse =
  /** status 200 Request fulfilled, document follows */ VersionedCatalogueView;
export type ReadCatalogueApiArg = {
  /** ETag of the version known to the client */
  'If-None-Match'?: string;
};
export type ListCategoriesApiResponse =
  /** status 200 Request fulfilled, document follows */ PageCategoryView;
export type ListCategoriesApiArg = {
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type CreateCategoryApiResponse = /** status 201 Document created, URL follows */ CategoryView;
export type CreateCategoryApiArg = {
  categoryDraft: {
    code: string;
    name: string;
  };
};
export type DeleteCategoryApiResponse = unknown;
export type DeleteCategoryApiArg = {
  categoryId: number;
};
export type ReadCategoryApiResponse = /** status 200 Request fulfilled, document follows */ CategoryView;
export type ReadCategoryApiArg = {
  categoryId: number;
};
export type UpdateCategoryApiResponse = /** status 200 Request fulfilled, document follows */ CategoryView;
export type UpdateCategoryApiArg = {
  categoryId: number;
  categoryDraft: {
    code: string;
    name: string;
  };
};
export type ListDetailsApiResponse = /** status 200 Request fulfilled, document follows */ PageDetailView;
export type ListDetailsApiArg = {
  productId?: number;
  categoryId?: number;
  staffId?: number;
  areaId?: number;
  roomId?: number;
  patientId?: number;
  /** Number of the shift in the settings, from 0 */
  shift?: number;
  from?: string;
  to?: string;
  /** Lot number, ignoring case */
  lot?: string;
  serial?: string;
  formId?: number;
  /** Lines for patients, areas or all (default: patients; of one sheet or recall: all) */
  usedFor?: UsedFor;
  /** Reason for which the supply was not used for treatment */
  useReason?: UseReason;
  /** Include voided lines, or return only them */
  voided?: Voided;
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  consumptionSheetId?: number;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type AddDetailApiResponse = /** status 201 Document created, URL follows */ DetailView;
export type AddDetailApiArg = {
  /** Makes retries safe: a repeated key returns the first answer */
  'Idempotency-Key'?: string;
  detailDraft: {
    acknowledged?: string[];
    area_id?: number;
    charged?: boolean;
    consumption_sheet_id: number;
    /** YYYY-MM-DD, or a full ISO date-time */
    expiry?: string;
    gtin?: string;
    implant_reason?: string;
    input_method?: string;
    kit_id?: number;
    lot?: string;
    /** An ISO date-time with its zone */
    occurred_at?: string;
    product_id: number;
    quantity: number;
    recall_reason?: string;
    scan?: string;
    serial?: string;
    staff_id?: number;
    total?: number;
    use_reason?: string;
  };
};
export type VoidDetailsApiResponse = /** status 200 Request fulfilled, document follows */ DetailsView;
export type VoidDetailsApiArg = {
  voidDraft: {
    ids: number[];
    reason: string;
  };
};
export type DeleteDetailApiResponse = unknown;
export type DeleteDetailApiArg = {
  detailId: number;
  /** ETag of the version being changed */
  'If-Match'?: string;
};
export type ReadDetailApiResponse = /** status 200 Request fulfilled, document follows */ DetailView;
export type ReadDetailApiArg = {
  detailId: number;
};
export type EditDetailApiResponse = /** status 200 Request fulfilled, document follows */ DetailView;
export type EditDetailApiArg = {
  detailId: number;
  /** ETag of the version being changed */
  'If-Match'?: string;
  detailDraft: {
    acknowledged?: string[];
    area_id?: number;
    charged?: boolean;
    consumption_sheet_id?: number;
    /** YYYY-MM-DD, or a full ISO date-time */
    expiry?: string;
    gtin?: string;
    implant_reason?: string;
    lot?: string;
    /** An ISO date-time with its zone */
    occurred_at?: string;
    product_id: number;
    quantity: number;
    recall_reason?: string;
    scan?: string;
    serial?: string;
    staff_id?: number;
    total?: number;
    use_reason?: string;
  };
};
export type CorrectDetailApiResponse = /** status 201 Document created, URL follows */ DetailView;
export type CorrectDetailApiArg = {
  detailId: number;
  /** ETag of the version being changed */
  'If-Match'?: string;
  /** Makes retries safe: a repeated key returns the first answer */
  'Idempotency-Key'?: string;
  correctionDraft: {
    acknowledged?: string[];
    quantity: number;
  };
};
export type AcknowledgeRecalledUseApiResponse = unknown;
export type AcknowledgeRecalledUseApiArg = {
  detailId: number;
};
export type ReturnDetailApiResponse = /** status 200 Request fulfilled, document follows */ DetailView;
export type ReturnDetailApiArg = {
  detailId: number;
  /** ETag of the version being changed */
  'If-Match'?: string;
  /** Makes retries safe: a repeated key returns the first answer */
  'Idempotency-Key'?: string;
  returnDraft: {
    note?: string;
    quantity: number;
    reason: string;
    total?: number;
  };
};
export type VoidDetailApiResponse = /** status 200 Request fulfilled, document follows */ DetailView;
export type VoidDetailApiArg = {
  detailId: number;
  /** ETag of the version being changed */
  'If-Match'?: string;
  voidDraft: {
    reason: string;
  };
};
export type UnmarkWasteApiResponse = /** status 200 Request fulfilled, document follows */ DetailView;
export type UnmarkWasteApiArg = {
  detailId: number;
  /** ETag of the version being changed */
  'If-Match'?: string;
};
export type MarkWasteApiResponse = /** status 200 Request fulfilled, document follows */ DetailsView;
export type MarkWasteApiArg = {
  detailId: number;
  /** ETag of the version being changed */
  'If-Match'?: string;
  /** Makes retries safe: a repeated key returns the first answer */
  'Idempotency-Key'?: string;
  wasteDraft: {
    quantity: number;
    use_reason: string;
  };
};
export type ListSheetsApiResponse = /** status 200 Request fulfilled, document follows */ SheetPage;
export type ListSheetsApiArg = {
  closed?: boolean;
  patientId?: number;
  roomId?: number;
  areaId?: number;
  from?: string;
  to?: string;
  /** Only open sheets without a visit number */
  withoutVisit?: boolean;
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type OpenSheetApiResponse = /** status 201 Document created, URL follows */ SheetView;
export type OpenSheetApiArg = {
  /** Makes retries safe: a repeated key returns the first answer */
  'Idempotency-Key'?: string;
  sheetDraft: {
    /** YYYY-MM-DD, or a full ISO date-time */
    admission_date: string;
    diagnosis?: string;
    doctor?: string;
    patient_id: number;
    room_id: number;
  };
};
export type CheckPaperApiResponse = /** status 200 Request fulfilled, document follows */ PaperCheckView;
export type CheckPaperApiArg = {
  /** Text in the paper's symbol */
  text: string;
};
export type AdmitUnidentifiedApiResponse = /** status 201 Document created, URL follows */ SheetView;
export type AdmitUnidentifiedApiArg = {
  /** Makes retries safe: a repeated key returns the first answer */
  'Idempotency-Key'?: string;
  unidentifiedDraft: {
    /** YYYY-MM-DD, or a full ISO date-time */
    admission_date?: string;
    age?: number;
    diagnosis?: string;
    doctor?: string;
    room_id: number;
    sex?: string;
  };
};
export type DeleteSheetApiResponse = unknown;
export type DeleteSheetApiArg = {
  sheetId: number;
  /** ETag of the version being changed */
  'If-Match'?: string;
};
export type ReadSheetApiResponse = /** status 200 Request fulfilled, document follows */ SheetView;
export type ReadSheetApiArg = {
  sheetId: number;
  /** ETag of the version known to the client */
  'If-None-Match'?: string;
};
export type UpdateSheetApiResponse = /** status 200 Request fulfilled, document follows */ SheetView;
export type UpdateSheetApiArg = {
  sheetId: number;
  /** ETag of the version being changed */
  'If-Match'?: string;
  sheetDraft: {
    /** YYYY-MM-DD, or a full ISO date-time */
    admission_date: string;
    diagnosis?: string;
    doctor?: string;
    patient_id: number;
    room_id: number;
  };
};
export type ReadAccountApiResponse = /** status 200 Request fulfilled, document follows */ AccountView;
export type ReadAccountApiArg = {
  sheetId: number;
};
export type CompareAccountsApiResponse =
  /** status 200 Request fulfilled, document follows */ AccountChangesView;
export type CompareAccountsApiArg = {
  sheetId: number;
  /** Issued account or closing to compare with, such as account-1 or closing-1 */
  since: string;
};
export type PrintAccountApiResponse = /** status 200 Request fulfilled, document follows */ string;
export type PrintAccountApiArg = {
  sheetId: number;
  /** Issued account or closing to print, such as account-2 or closing-1 */
  of: string;
  /** Print amounts; ignored for users who may not see prices */
  prices?: boolean;
};
export type IssueAccountApiResponse =
  | /** status 200 Unchanged since the last issued account, which is returned */ IssuedAccountView
  | /** status 201 Document created, URL follows */ IssuedAccountView;
export type IssueAccountApiArg = {
  sheetId: number;
};
export type CloseSheetApiResponse = /** status 200 Request fulfilled, document follows */ SheetView;
export type CloseSheetApiArg = {
  sheetId: number;
  /** ETag of the version being changed */
  'If-Match'?: string;
  acknowledged?: string;
};
export type UndoClosingApiResponse = /** status 200 Request fulfilled, document follows */ SheetView;
export type UndoClosingApiArg = {
  sheetId: number;
};
export type ListClosingsApiResponse = /** status 200 Request fulfilled, document follows */ ClosingsView;
export type ListClosingsApiArg = {
  sheetId: number;
};
export type ReadClosingApiResponse = /** status 200 Request fulfilled, document follows */ WholeSheetView;
export type ReadClosingApiArg = {
  sheetId: number;
  turn: number;
};
export type ListSheetDetailsApiResponse =
  /** status 200 Request fulfilled, document follows */ PageDetailView;
export type ListSheetDetailsApiArg = {
  productId?: number;
  categoryId?: number;
  staffId?: number;
  areaId?: number;
  roomId?: number;
  patientId?: number;
  /** Number of the shift in the settings, from 0 */
  shift?: number;
  from?: string;
  to?: string;
  /** Lot number, ignoring case */
  lot?: string;
  serial?: string;
  formId?: number;
  /** Lines for patients, areas or all (default: patients; of one sheet or recall: all) */
  usedFor?: UsedFor;
  /** Reason for which the supply was not used for treatment */
  useReason?: UseReason;
  /** Include voided lines, or return only them */
  voided?: Voided;
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  sheetId: number;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type AddSheetDetailApiResponse = /** status 201 Document created, URL follows */ DetailView;
export type AddSheetDetailApiArg = {
  sheetId: number;
  /** Makes retries safe: a repeated key returns the first answer */
  'Idempotency-Key'?: string;
  detailDraft: {
    acknowledged?: string[];
    area_id?: number;
    charged?: boolean;
    consumption_sheet_id?: number;
    /** YYYY-MM-DD, or a full ISO date-time */
    expiry?: string;
    gtin?: string;
    implant_reason?: string;
    input_method?: string;
    kit_id?: number;
    lot?: string;
    /** An ISO date-time with its zone */
    occurred_at?: string;
    product_id: number;
    quantity: number;
    recall_reason?: string;
    scan?: string;
    serial?: string;
    staff_id?: number;
    total?: number;
    use_reason?: string;
  };
};
export type RecordDetailsApiResponse = /** status 201 Document created, URL follows */ RecordedDetailsView;
export type RecordDetailsApiArg = {
  sheetId: number;
  /** Makes retries safe: a repeated key returns the first answer */
  'Idempotency-Key'?: string;
  detailsDraft: {
    items: {
      acknowledged?: string[];
      area_id?: number;
      charged?: boolean;
      /** YYYY-MM-DD, or a full ISO date-time */
      expiry?: string;
      gtin?: string;
      implant_reason?: string;
      input_method?: string;
      lot?: string;
      /** An ISO date-time with its zone */
      occurred_at?: string;
      product_id: number;
      quantity: number;
      recall_reason?: string;
      scan?: string;
      serial?: string;
      staff_id?: number;
      use_reason?: string;
    }[];
    kit_id?: number;
  };
};
export type ReadSheetHistoryApiResponse =
  /** status 200 Request fulfilled, document follows */ PageHistoryView;
export type ReadSheetHistoryApiArg = {
  userId?: number;
  action?: string;
  from?: string;
  to?: string;
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  sheetId: number;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type ListLateEntriesApiResponse =
  /** status 200 Request fulfilled, document follows */ LateEntriesView;
export type ListLateEntriesApiArg = {
  sheetId: number;
};
export type SubmitLateEntryApiResponse = /** status 201 Document created, URL follows */ LateEntryView;
export type SubmitLateEntryApiArg = {
  sheetId: number;
  /** Makes retries safe: a repeated key returns the first answer */
  'Idempotency-Key'?: string;
  lateEntryDraft: {
    items: {
      acknowledged?: string[];
      area_id?: number;
      charged?: boolean;
      /** YYYY-MM-DD, or a full ISO date-time */
      expiry?: string;
      gtin?: string;
      implant_reason?: string;
      lot?: string;
      product_id: number;
      quantity: number;
      recall_reason?: string;
      scan?: string;
      serial?: string;
      staff_id?: number;
      use_reason?: string;
    }[];
    kit_id?: number;
    /** An ISO date-time with its zone */
    occurred_at: string;
  };
};
export type ListMissedChargesApiResponse =
  /** status 200 Request fulfilled, document follows */ MissedChargesView;
export type ListMissedChargesApiArg = {
  sheetId: number;
  kitId?: number;
};
export type AnswerMissedChargeApiResponse = unknown;
export type AnswerMissedChargeApiArg = {
  sheetId: number;
  productId: number;
  missedChargeDraft: {
    because_id: number;
    used: boolean;
  };
};
export type MoveDetailsApiResponse = /** status 200 Request fulfilled, document follows */ MovedDetailsView;
export type MoveDetailsApiArg = {
  sheetId: number;
  /** ETag of the version being changed */
  'If-Match'?: string;
  moveDraft: {
    acknowledged?: string[];
    detail_ids: number[];
    reason: string;
    to_sheet_id: number;
    use_reason?: string;
  };
};
export type ReopenSheetApiResponse = /** status 200 Request fulfilled, document follows */ SheetView;
export type ReopenSheetApiArg = {
  sheetId: number;
  reopenDraft: {
    reason: string;
  };
};
export type ListRepeatableApiResponse = /** status 200 Request fulfilled, document follows */ RepeatableView;
export type ListRepeatableApiArg = {
  sheetId: number;
  day?: string;
  fromSheet?: number;
};
export type UndoTransferApiResponse = /** status 200 Request fulfilled, document follows */ SheetView;
export type UndoTransferApiArg = {
  sheetId: number;
  /** ETag of the version being changed */
  'If-Match'?: string;
};
export type SummarizeSheetApiResponse =
  /** status 200 Request fulfilled, document follows */ SheetSummaryView;
export type SummarizeSheetApiArg = {
  sheetId: number;
};
export type TransferPatientApiResponse = /** status 200 Request fulfilled, document follows */ SheetView;
export type TransferPatientApiArg = {
  sheetId: number;
  /** ETag of the version being changed */
  'If-Match'?: string;
  transferDraft: {
    /** An ISO date-time with its zone */
    at?: string;
    room_id: number;
  };
};
export type ListUnlistedItemsApiResponse =
  /** status 200 Request fulfilled, document follows */ UnlistedItemsView;
export type ListUnlistedItemsApiArg = {
  sheetId: number;
};
export type NoteUnlistedItemApiResponse = /** status 201 Document created, URL follows */ UnlistedItemView;
export type NoteUnlistedItemApiArg = {
  sheetId: number;
  /** Makes retries safe: a repeated key returns the first answer */
  'Idempotency-Key'?: string;
  unlistedItemDraft: {
    acknowledged?: string[];
    area_id?: number;
    description: string;
    /** An ISO date-time with its zone */
    occurred_at?: string;
    quantity: number;
    staff_id?: number;
    use_reason?: string;
  };
};
export type ListUsualProductsApiResponse =
  /** status 200 Request fulfilled, document follows */ UsualProductsView;
export type ListUsualProductsApiArg = {
  sheetId: number;
};
export type ReadSheetVersionApiResponse =
  /** status 200 Request fulfilled, document follows */ SheetVersionView;
export type ReadSheetVersionApiArg = {
  sheetId: number;
  /** Version known to the client */
  version?: number;
};
export type ListFormsApiResponse = /** status 200 Request fulfilled, document follows */ FormsView;
export type ListFormsApiArg = {
  /** Only forms in this state; `standby`: printed in advance */
  state?: FormState;
};
export type PrintFormsApiResponse = /** status 200 Request fulfilled, document follows */ string;
export type PrintFormsApiArg = {
  formsDraft: {
    area_id?: number;
    blank?: number;
    sheet_ids?: number[];
  };
};
export type ReadFormApiResponse = /** status 200 Request fulfilled, document follows */ FormWithProductsView;
export type ReadFormApiArg = {
  formId: number;
};
export type DiscardFormApiResponse = /** status 200 Request fulfilled, document follows */ FormView;
export type DiscardFormApiArg = {
  formId: number;
  discardFormDraft: {
    reason: string;
  };
};
export type RecordFormApiResponse = /** status 201 Document created, URL follows */ RecordedFormView;
export type RecordFormApiArg = {
  formId: number;
  /** Makes retries safe: a repeated key returns the first answer */
  'Idempotency-Key'?: string;
  formRecordDraft: {
    acknowledged?: string[];
    as_late_entry?: boolean;
    items: {
      acknowledged?: string[];
      area_id?: number;
      charged?: boolean;
      /** YYYY-MM-DD, or a full ISO date-time */
      expiry?: string;
      gtin?: string;
      implant_reason?: string;
      input_method?: string;
      lot?: string;
      product_id: number;
      quantity: number;
      recall_reason?: string;
      scan?: string;
      serial?: string;
      staff_id?: number;
      use_reason?: string;
    }[];
    /** An ISO date-time with its zone */
    occurred_at: string;
    sheet_id: number;
  };
};
export type ReportOutboxApiResponse = unknown;
export type ReportOutboxApiArg = {
  /** Random id of the device, 16 to 64 characters */
  deviceId: string;
  outboxDraft: {
    count: number;
    /** An ISO date-time with its zone */
    oldest_at?: string;
    user_id?: number;
  };
};
export type EndDeviceSessionsApiResponse = unknown;
export type EndDeviceSessionsApiArg = {
  /** Thumbprint of the device's key, from the list of sessions */
  device: string;
};
export type CheckDocumentApiResponse = /** status 200 Request fulfilled, document follows */ PaperCheckView;
export type CheckDocumentApiArg = {
  /** Text in the paper's symbol */
  text: string;
};
export type RemoveHospitalLogoApiResponse =
  /** status 200 Request fulfilled, document follows */ HospitalSettingsView;
export type RemoveHospitalLogoApiArg = {
  /** ETag of the version being changed */
  'If-Match'?: string;
};
export type SetHospitalLogoApiResponse =
  /** status 200 Request fulfilled, document follows */ HospitalSettingsView;
export type SetHospitalLogoApiArg = {
  /** ETag of the version being changed */
  'If-Match'?: string;
  body: Blob;
};
export type ReadHospitalSettingsApiResponse =
  /** status 200 Request fulfilled, document follows */ HospitalSettingsView;
export type ReadHospitalSettingsApiArg = void;
export type ChangeHospitalSettingsApiResponse =
  /** status 200 Request fulfilled, document follows */ HospitalSettingsView;
export type ChangeHospitalSettingsApiArg = {
  /** ETag of the version being changed */
  'If-Match'?: string;
  hospitalDraft: {
    address?: string[];
    ask_above_total: number;
    billed_waste?: string[];
    currency: string;
    idle_minutes: number;
    letterhead?: string[];
    name?: string;
    number_format: string;
    shift_starts: string[];
    tax_number?: string;
    time_zone: string;
  };
};
export type ListImplantsApiResponse = /** status 200 Request fulfilled, document follows */ PageImplantView;
export type ListImplantsApiArg = {
  productId?: number;
  patientId?: number;
  from?: string;
  to?: string;
  /** Lot number, ignoring case */
  lot?: string;
  serial?: string;
  /** true: only lines without lot or serial number */
  incomplete?: boolean;
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type ListImportsApiResponse = /** status 200 Request fulfilled, document follows */ PageImportView;
export type ListImportsApiArg = {
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type ImportFileApiResponse = /** status 200 Request fulfilled, document follows */ ImportLine;
export type ImportFileApiArg = {
  encoding?: Encoding;
  separator?: Separator;
  /** Sheet of a workbook */
  sheet?: string;
  /** Line with the column names; 0: no such line */
  headerRow?: number;
  /** Decimal mark: with `point`, 1.234 is a fraction */
  decimal?: DecimalMark;
  /** Order of dates: with `day-first`, 03/04/2026 is in April */
  dates?: DateOrder;
  /** Column mapping `field=column`, repeatable; an empty column ignores the field */
  mapping?: string[];
  /** Kind of records */
  noun: Noun;
  /** File name to show */
  fileName: string;
  /** `all`: stream one result per row before the summary */
  rows?: WhichRows;
  /** Line numbers to skip, such as 12,15-20 */
  leaveOut?: string;
  /** Import valid rows even if others are rejected */
  goodRows?: boolean;
  /** Warnings of the preview that the user has confirmed */
  confirmed?: string;
  body: Blob;
};
export type CheckImportApiResponse = /** status 200 Request fulfilled, document follows */ ImportLine;
export type CheckImportApiArg = {
  encoding?: Encoding;
  separator?: Separator;
  /** Sheet of a workbook */
  sheet?: string;
  /** Line with the column names; 0: no such line */
  headerRow?: number;
  /** Decimal mark: with `point`, 1.234 is a fraction */
  decimal?: DecimalMark;
  /** Order of dates: with `day-first`, 03/04/2026 is in April */
  dates?: DateOrder;
  /** Column mapping `field=column`, repeatable; an empty column ignores the field */
  mapping?: string[];
  /** Kind of records */
  noun: Noun;
  /** `all`: stream one result per row before the summary */
  rows?: WhichRows;
  /** Line numbers to skip, such as 12,15-20 */
  leaveOut?: string;
  body: Blob;
};
export type ReadFileApiResponse = /** status 200 Request fulfilled, document follows */ LikelyReading;
export type ReadFileApiArg = {
  encoding?: Encoding;
  separator?: Separator;
  /** Sheet of a workbook */
  sheet?: string;
  /** Line with the column names; 0: no such line */
  headerRow?: number;
  /** Decimal mark: with `point`, 1.234 is a fraction */
  decimal?: DecimalMark;
  /** Order of dates: with `day-first`, 03/04/2026 is in April */
  dates?: DateOrder;
  /** Column mapping `field=column`, repeatable; an empty column ignores the field */
  mapping?: string[];
  /** Kind of records (default: detected) */
  noun?: Noun;
  body: Blob;
};
export type ReadImportApiResponse = /** status 200 Request fulfilled, document follows */ ImportView;
export type ReadImportApiArg = {
  importId: number;
};
export type UndoImportApiResponse = /** status 200 Request fulfilled, document follows */ ImportView;
export type UndoImportApiArg = {
  importId: number;
};
export type ListInboundMessagesApiResponse =
  /** status 200 Request fulfilled, document follows */ InboundMessagesView;
export type ListInboundMessagesApiArg = {
  /** Only messages in this state */
  state?: InboundState;
  /** Only messages of this event */
  kind?: string;
  /** Only messages held for this reason */
  reason?: string;
  /** a visit number, a record number, a control id, a source or a location, or its beginning */
  q?: string;
  after?: number;
};
export type DismissInboundMessagesApiResponse =
  /** status 200 Request fulfilled, document follows */ DecidedMessagesView;
export type DismissInboundMessagesApiArg = {
  dismissMessageDraft: {
    ids: number[];
    reason: string;
  };
};
export type RetryInboundMessagesApiResponse =
  /** status 200 Request fulfilled, document follows */ DecidedMessagesView;
export type RetryInboundMessagesApiArg = {
  retryMessagesDraft: {
    ids: number[];
  };
};
export type ReadInboundMessageApiResponse =
  /** status 200 Request fulfilled, document follows */ InboundMessageView;
export type ReadInboundMessageApiArg = {
  messageId: number;
};
export type DismissInboundMessageApiResponse = unknown;
export type DismissInboundMessageApiArg = {
  messageId: number;
  dismissMessageDraft: {
    reason: string;
  };
};
export type OpenSheetWithMessageApiResponse = unknown;
export type OpenSheetWithMessageApiArg = {
  messageId: number;
  roomAnswerDraft: {
    room_id?: number;
  };
};
export type AnswerPatientOfMessageApiResponse = unknown;
export type AnswerPatientOfMessageApiArg = {
  messageId: number;
  patientAnswerDraft: {
    patient_id: number;
  };
};
export type RetryInboundMessageApiResponse = unknown;
export type RetryInboundMessageApiArg = {
  messageId: number;
};
export type AnswerRoomOfMessageApiResponse = unknown;
export type AnswerRoomOfMessageApiArg = {
  messageId: number;
  roomAnswerDraft: {
    room_id: number;
  };
};
export type AnswerSheetOfMessageApiResponse = unknown;
export type AnswerSheetOfMessageApiArg = {
  messageId: number;
  sheetAnswerDraft: {
    consumption_sheet_id: number;
  };
};
export type ReadOwnKeyApiResponse = /** status 200 Request fulfilled, document follows */ OwnKeyView;
export type ReadOwnKeyApiArg = void;
export type RevokeKeyApiResponse = unknown;
export type RevokeKeyApiArg = {
  keyId: number;
};
export type ListKitsApiResponse = /** status 200 Request fulfilled, document follows */ PageKitView;
export type ListKitsApiArg = {
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  areaId?: number;
  /** true: only my kits; false: only shared kits */
  own?: boolean;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type CreateKitApiResponse = /** status 201 Document created, URL follows */ KitView;
export type CreateKitApiArg = {
  kitDraft: {
    area_id?: number;
    lines: {
      optional?: boolean;
      product_id: number;
      quantity: number;
    }[];
    name: string;
    own?: boolean;
  };
};
export type DeleteKitApiResponse = unknown;
export type DeleteKitApiArg = {
  kitId: number;
  /** ETag of the version being changed */
  'If-Match'?: string;
};
export type ReadKitApiResponse = /** status 200 Request fulfilled, document follows */ KitView;
export type ReadKitApiArg = {
  kitId: number;
};
export type UpdateKitApiResponse = /** status 200 Request fulfilled, document follows */ KitView;
export type UpdateKitApiArg = {
  kitId: number;
  /** ETag of the version being changed */
  'If-Match'?: string;
  kitDraft: {
    area_id?: number;
    lines: {
      optional?: boolean;
      product_id: number;
      quantity: number;
    }[];
    name: string;
    own?: boolean;
  };
};
export type ReviewKitApiResponse = /** status 200 Request fulfilled, document follows */ KitReviewView;
export type ReviewKitApiArg = {
  kitId: number;
  /** Days to review, 1 to 366 (default 180) */
  days?: number;
};
export type PrintLabelsApiResponse = /** status 200 Request fulfilled, document follows */ string;
export type PrintLabelsApiArg = {
  labelsDraft: {
    items: {
      copies?: number;
      id?: number;
    }[];
    size: string;
    start_at?: number;
    symbol?: string;
    what: string;
  };
};
export type DismissLateEntryApiResponse = /** status 200 Request fulfilled, document follows */ LateEntryView;
export type DismissLateEntryApiArg = {
  lateEntryId: number;
  dismissDraft: {
    reason: string;
  };
};
export type RecordLateEntryApiResponse = /** status 200 Request fulfilled, document follows */ LateEntryView;
export type RecordLateEntryApiArg = {
  lateEntryId: number;
  recordLateDraft: {
    acknowledged?: string[];
    implant_reason?: string;
    recall_reason?: string;
  };
};
export type ListMonthsApiResponse = /** status 200 Request fulfilled, document follows */ MonthsView;
export type ListMonthsApiArg = {
  areaId?: number;
  /** Only months before this one, such as 2026-10 */
  before?: string;
};
export type CloseMonthApiResponse = /** status 201 Document created, URL follows */ MonthView;
export type CloseMonthApiArg = {
  monthDraft: {
    area_id?: number;
    month: string;
    turn: number;
  };
};
export type ReadMonthApiResponse = /** status 200 The month with its ETag */ MonthView;
export type ReadMonthApiArg = {
  monthId: number;
  /** ETag of the version known to the client */
  'If-None-Match'?: string;
};
export type PrintMonthApiResponse = /** status 200 Request fulfilled, document follows */ string;
export type PrintMonthApiArg = {
  monthId: number;
};
export type ExportMonthApiResponse = /** status 200 Request fulfilled, document follows */ string;
export type ExportMonthApiArg = {
  monthId: number;
};
export type ListNoticesApiResponse = /** status 200 Request fulfilled, document follows */ NoticesView;
export type ListNoticesApiArg = void;
export type MarkNoticesSeenApiResponse = unknown;
export type MarkNoticesSeenApiArg = {
  seenDraft: {
    ids: number[];
  };
};
export type ListOutboundMessagesApiResponse =
  /** status 200 Request fulfilled, document follows */ PageOutboundMessageView;
export type ListOutboundMessagesApiArg = {
  state?: OutboundState;
  consumptionSheetId?: number;
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type ReadOutboundMessageApiResponse =
  /** status 200 Request fulfilled, document follows */ WholeOutboundMessageView;
export type ReadOutboundMessageApiArg = {
  outboundMessageId: number;
};
export type RetryOutboundMessageApiResponse =
  /** status 200 Request fulfilled, document follows */ OutboundMessageView;
export type RetryOutboundMessageApiArg = {
  outboundMessageId: number;
};
export type MarkOutboundMessageSentApiResponse =
  /** status 200 Request fulfilled, document follows */ OutboundMessageView;
export type MarkOutboundMessageSentApiArg = {
  outboundMessageId: number;
  settleDraft: {
    reason: string;
  };
};
export type ReadOverviewApiResponse = /** status 200 Request fulfilled, document follows */ OverviewView;
export type ReadOverviewApiArg = void;
export type ListPatientsApiResponse = /** status 200 Request fulfilled, document follows */ PatientPage;
export type ListPatientsApiArg = {
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  /** 1: only active; 0: only inactive */
  active?: boolean;
  /** 1: only merged patients */
  merged?: boolean;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type CreatePatientApiResponse = /** status 201 Document created, URL follows */ PatientView;
export type CreatePatientApiArg = {
  patientDraft: {
    active?: number;
    /** YYYY-MM-DD, or a full ISO date-time */
    date_of_birth?: string;
    first_surname: string;
    name: string;
    record_number?: string;
    second_surname?: string;
  };
};
export type DeletePatientApiResponse = unknown;
export type DeletePatientApiArg = {
  patientId: number;
};
export type ReadPatientApiResponse = /** status 200 Request fulfilled, document follows */ PatientView;
export type ReadPatientApiArg = {
  patientId: number;
};
export type UpdatePatientApiResponse = /** status 200 Request fulfilled, document follows */ PatientView;
export type UpdatePatientApiArg = {
  patientId: number;
  patientDraft: {
    active?: number;
    /** YYYY-MM-DD, or a full ISO date-time */
    date_of_birth?: string;
    first_surname: string;
    name: string;
    record_number?: string;
    second_surname?: string;
  };
};
export type IdentifyPatientApiResponse = /** status 200 Request fulfilled, document follows */ PatientView;
export type IdentifyPatientApiArg = {
  patientId: number;
  identityDraft: {
    /** YYYY-MM-DD, or a full ISO date-time */
    date_of_birth?: string;
    first_surname?: string;
    into_id?: number;
    name?: string;
    record_number?: string;
    second_surname?: string;
  };
};
export type MergePatientsApiResponse = /** status 200 Request fulfilled, document follows */ PatientView;
export type MergePatientsApiArg = {
  patientId: number;
  mergeDraft: {
    into_id: number;
    number_end?: string;
    reason: string;
  };
};
export type PreviewMergeApiResponse = /** status 200 Request fulfilled, document follows */ MergePreviewView;
export type PreviewMergeApiArg = {
  patientId: number;
  into: number;
};
export type ListReadersApiResponse = /** status 200 Request fulfilled, document follows */ PageHistoryView;
export type ListReadersApiArg = {
  userId?: number;
  action?: string;
  from?: string;
  to?: string;
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  patientId: number;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type UnmergePatientsApiResponse =
  /** status 200 Request fulfilled, document follows */ UnmergedPatientView;
export type UnmergePatientsApiArg = {
  patientId: number;
};
export type RemoveProductCodeApiResponse = unknown;
export type RemoveProductCodeApiArg = {
  codeId: number;
};
export type ListProductsApiResponse = /** status 200 Request fulfilled, document follows */ ProductPage;
export type ListProductsApiArg = {
  page?: number;
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Search text */
  q?: string;
  /** Alias of `q` */
  name?: string;
  categoryId?: number;
  /** 1: only active; 0: only inactive */
  active?: boolean;
  /** true: only implants */
  implant?: boolean;
  /** Only products included in the stay, or only others; requires the permission to see prices */
  includedInStay?: boolean;
  /** `missing`: only products without a plain name */
  plainName?: PlainNameFilter;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type CreateProductApiResponse = /** status 201 Document created, URL follows */ ProductView;
export type CreateProductApiArg = {
  productDraft: {
    active?: number;
    also_called?: string[];
    asks_lot?: boolean;
    asks_serial?: boolean;
    category_id: number;
    code?: string;
    decimals?: number;
    gtin?: string;
    implant?: boolean;
    included_in_stay?: boolean;
    name: string;
    plain_name?: string;
    price: number;
    unit?: string;
  };
};
export type LookUpProductApiResponse =
  /** status 200 Request fulfilled, document follows */ ProductLookupView;
export type LookUpProductApiArg = {
  /** Raw text of a scanned symbol */
  scan?: string;
  gtin?: string;
  /** The hospital's own code */
  code?: string;
  hibc?: string;
  /** A code of any system */
  text?: string;
  lot?: string;
  expiry?: string;
  serial?: string;
  /** Test scan: the code is not recorded */
  onlyTried?: boolean;
};
export type ListTypedProductsApiResponse =
  /** status 200 Request fulfilled, document follows */ TypedProductsView;
export type ListTypedProductsApiArg = {
  /** Weeks to count, 1 to 12 (default 4) */
  weeks?: number;
  areaId?: number;
};
export type DeleteProductApiResponse = unknown;
export type DeleteProductApiArg = {
  productId: number;
};
export type ReadProductApiResponse = /** status 200 Request fulfilled, document follows */ ProductView;
export type ReadProductApiArg = {
  productId: number;
};
export type UpdateProductApiResponse = /** status 200 Request fulfilled, document follows */ ProductView;
export type UpdateProductApiArg = {
  productId: number;
  productDraft: {
    active?: number;
    also_called?: string[];
    asks_lot?: boolean;
    asks_serial?: boolean;
    category_id: number;
    code?: string;
    decimals?: number;
    gtin?: string;
    implant?: boolean;
    included_in_stay?: boolean;
    name: string;
    plain_name?: string;
    price: number;
    unit?: string;
  };
};
export type ListProductCodesApiResponse =
  /** status 200 Request fulfilled, document follows */ ProductCodesView;
export type ListProductCodesApiArg = {
  productId: number;
};
export type AddProductCodeApiResponse = /** status 201 Document created, URL follows */ ProductCodeView;
export type AddProductCodeApiArg = {
  productId: number;
  productCodeDraft: {
    code: string;
    label?: string;
    system: string;
    units?: number;
  };
};
export type UnpinProductApiResponse = unknown;
export type UnpinProductApiArg = {
  productId: number;
};
export type PinProductApiResponse = unknown;
export type PinProductApiArg = {
  productId: number;
};
export type RemovePictureApiResponse = unknown;
export type RemovePictureApiArg = {
  productId: number;
};
export type ReadPictureApiResponse = /** status 200 Request fulfilled, document follows */ Blob;
export type ReadPictureApiArg = {
  productId: number;
  /** Version of the picture; makes the answer cacheable */
  digest?: string;
  /** ETag of the version known to the client */
  'If-None-Match'?: string;
};
export type SetPictureApiResponse = /** status 200 Request fulfilled, document follows */ ProductView;
export type SetPictureApiArg = {
  productId: number;
  body: Blob;
};
export type ReadPriceHistoryApiResponse =
  /** status 200 Request fulfilled, document follows */ PriceHistoryView;
export type ReadPriceHistoryApiArg = {
  productId: number;
};
export type ListTypedNamesApiResponse = /** status 200 Request fulfilled, document follows */ TypedNamesView;
export type ListTypedNamesApiArg = {
  productId: number;
};
export type NoteTypedNameApiResponse = unknown;
export type NoteTypedNameApiArg = {
  productId: number;
  typedNameDraft: {
    text: string;
  };
};
export type ReadUsualQuantityApiResponse =
  /** status 200 Request fulfilled, document follows */ UsualQuantityView;
export type ReadUsualQuantityApiArg = {
  productId: number;
};
export type ListRecallsApiResponse = /** status 200 Request fulfilled, document follows */ PageRecallView;
export type ListRecallsApiArg = {
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  productId?: number;
  /** true: only ended recalls */
  closed?: boolean;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type OpenRecallApiResponse = /** status 201 Document created, URL follows */ RecallView;
export type OpenRecallApiArg = {
  recallDraft: {
    closed?: boolean;
    lot?: string;
    product_id: number;
    reason: string;
  };
};
export type ReadRecallApiResponse = /** status 200 Request fulfilled, document follows */ RecallView;
export type ReadRecallApiArg = {
  recallId: number;
};
export type UpdateRecallApiResponse = /** status 200 Request fulfilled, document follows */ RecallView;
export type UpdateRecallApiArg = {
  recallId: number;
  recallDraft: {
    closed?: boolean;
    lot?: string;
    product_id: number;
    reason: string;
  };
};
export type ListRecalledDetailsApiResponse =
  /** status 200 Request fulfilled, document follows */ PageExportedDetailView;
export type ListRecalledDetailsApiArg = {
  productId?: number;
  categoryId?: number;
  staffId?: number;
  areaId?: number;
  roomId?: number;
  patientId?: number;
  /** Number of the shift in the settings, from 0 */
  shift?: number;
  from?: string;
  to?: string;
  /** Lot number, ignoring case */
  lot?: string;
  serial?: string;
  formId?: number;
  /** Lines for patients, areas or all (default: patients; of one sheet or recall: all) */
  usedFor?: UsedFor;
  /** Reason for which the supply was not used for treatment */
  useReason?: UseReason;
  /** Include voided lines, or return only them */
  voided?: Voided;
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  recallId: number;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type ListSetAsideApiResponse = /** status 200 Request fulfilled, document follows */ SetAsideListView;
export type ListSetAsideApiArg = {
  recallId: number;
};
export type SetAsideRecalledApiResponse = /** status 201 Document created, URL follows */ SetAsideView;
export type SetAsideRecalledApiArg = {
  recallId: number;
  /** Makes retries safe: a repeated key returns the first answer */
  'Idempotency-Key'?: string;
  setAsideDraft: {
    area_id?: number;
    lot?: string;
    quantity: number;
    room_id?: number;
  };
};
export type ReportConsumptionApiResponse =
  /** status 200 Request fulfilled, document follows */ ConsumptionPage;
export type ReportConsumptionApiArg = {
  /** What a report groups the consumption of a period by. */
  by?: ConsumptionBy;
  /** First day (default: 29 days before `to`) */
  from?: string;
  /** Last day (default: today) */
  to?: string;
  areaId?: number;
  productId?: number;
  /** Report returns instead of consumption, at the prices of their lines */
  returns?: boolean;
  /** For patients, areas or all; `all` adds parts to each row, all but `patients` a value */
  usedFor?: UsedFor;
  /** Include totals of the previous period of equal length, or of as many months */
  compare?: Compare;
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'pdf' | 'json';
};
export type ReconcileHandedOutApiResponse =
  /** status 200 Request fulfilled, document follows */ ReconciliationAnswer;
export type ReconcileHandedOutApiArg = {
  encoding?: Encoding;
  separator?: Separator;
  /** Sheet of a workbook */
  sheet?: string;
  /** Line with the column names; 0: no such line */
  headerRow?: number;
  /** Decimal mark: with `point`, 1.234 is a fraction */
  decimal?: DecimalMark;
  /** Order of dates: with `day-first`, 03/04/2026 is in April */
  dates?: DateOrder;
  /** Column mapping `field=column`, repeatable; an empty column ignores the field */
  mapping?: string[];
  areaId?: number;
  /** First day (default: the file's first day) */
  from?: string;
  /** Last day (default: the file's last day) */
  to?: string;
  /** Line numbers to skip, such as 12,15-20 */
  leaveOut?: string;
  body: Blob;
};
export type ExportReconciliationApiResponse = /** status 200 Request fulfilled, document follows */ string;
export type ExportReconciliationApiArg = {
  encoding?: Encoding;
  separator?: Separator;
  /** Sheet of a workbook */
  sheet?: string;
  /** Line with the column names; 0: no such line */
  headerRow?: number;
  /** Decimal mark: with `point`, 1.234 is a fraction */
  decimal?: DecimalMark;
  /** Order of dates: with `day-first`, 03/04/2026 is in April */
  dates?: DateOrder;
  /** Column mapping `field=column`, repeatable; an empty column ignores the field */
  mapping?: string[];
  areaId?: number;
  /** First day (default: the file's first day) */
  from?: string;
  /** Last day (default: the file's last day) */
  to?: string;
  /** Line numbers to skip, such as 12,15-20 */
  leaveOut?: string;
  body: Blob;
};
export type ReadRestockListApiResponse =
  /** status 200 Request fulfilled, document follows */ RestockDocumentView;
export type ReadRestockListApiArg = {
  restockListId: number;
};
export type ListRoomsApiResponse = /** status 200 Request fulfilled, document follows */ PageRoomView;
export type ListRoomsApiArg = {
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  areaId?: number;
  /** 1 available, 2 occupied, 3 cleaning, 4 out of service */
  status?: number;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type CreateRoomApiResponse = /** status 201 Document created, URL follows */ RoomView;
export type CreateRoomApiArg = {
  roomDraft: {
    area_id: number;
    code?: string;
    name: string;
    status: number;
    type: number;
  };
};
export type CreateRoomRangesApiResponse = /** status 201 Document created, URL follows */ RoomRangesView;
export type CreateRoomRangesApiArg = {
  roomRangesDraft: {
    area_id: number;
    ranges: string;
    status?: number;
  };
};
export type CheckRoomRangesApiResponse = /** status 200 Request fulfilled, document follows */ RoomRangesView;
export type CheckRoomRangesApiArg = {
  roomRangesDraft: {
    area_id: number;
    ranges: string;
    status?: number;
  };
};
export type DeleteRoomApiResponse = unknown;
export type DeleteRoomApiArg = {
  roomId: number;
};
export type ReadRoomApiResponse = /** status 200 Request fulfilled, document follows */ RoomView;
export type ReadRoomApiArg = {
  roomId: number;
};
export type UpdateRoomApiResponse = /** status 200 Request fulfilled, document follows */ RoomView;
export type UpdateRoomApiArg = {
  roomId: number;
  roomDraft: {
    area_id: number;
    code?: string;
    name: string;
    status: number;
    type: number;
  };
};
export type ListServiceAccountsApiResponse =
  /** status 200 Request fulfilled, document follows */ ServiceAccountsView;
export type ListServiceAccountsApiArg = void;
export type CreateServiceAccountApiResponse =
  /** status 201 Document created, URL follows */ ServiceAccountView;
export type CreateServiceAccountApiArg = {
  serviceAccountDraft: {
    name: string;
  };
};
export type DeleteServiceAccountApiResponse = unknown;
export type DeleteServiceAccountApiArg = {
  accountId: number;
};
export type UpdateServiceAccountApiResponse =
  /** status 200 Request fulfilled, document follows */ ServiceAccountView;
export type UpdateServiceAccountApiArg = {
  accountId: number;
  serviceAccountDraft: {
    name: string;
  };
};
export type CreateKeyApiResponse = /** status 201 Document created, URL follows */ MadeKeyView;
export type CreateKeyApiArg = {
  accountId: number;
  apiKeyDraft: {
    /** YYYY-MM-DD, or a full ISO date-time */
    expires_on?: string;
    name: string;
    networks?: string[];
    scopes: string[];
  };
};
export type ReadShiftApiResponse = /** status 200 Request fulfilled, document follows */ ShiftView;
export type ReadShiftApiArg = {
  /** Start of the shift, at most 72 hours ago (default: the shift to hand over) */
  since?: string;
};
export type ListStaffApiResponse = /** status 200 Request fulfilled, document follows */ PageStaffView;
export type ListStaffApiArg = {
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  /** Only staff without a user account */
  unassigned?: boolean;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type CreateStaffApiResponse = /** status 201 Document created, URL follows */ StaffView;
export type CreateStaffApiArg = {
  staffDraft: {
    /** YYYY-MM-DD, or a full ISO date-time */
    date_of_birth?: string;
    first_surname: string;
    job_title?: string;
    name: string;
    second_surname?: string;
    telephone_number?: string;
  };
};
export type ReadOwnProfileApiResponse = /** status 200 Request fulfilled, document follows */ OwnProfile;
export type ReadOwnProfileApiArg = void;
export type CompleteProfileApiResponse = /** status 200 Request fulfilled, document follows */ SavedProfile;
export type CompleteProfileApiArg = {
  staffDraft: {
    /** YYYY-MM-DD, or a full ISO date-time */
    date_of_birth?: string;
    first_surname: string;
    job_title?: string;
    name: string;
    second_surname?: string;
    telephone_number?: string;
  };
};
export type DeleteStaffApiResponse = unknown;
export type DeleteStaffApiArg = {
  staffId: number;
};
export type ReadStaffApiResponse = /** status 200 Request fulfilled, document follows */ StaffView;
export type ReadStaffApiArg = {
  staffId: number;
};
export type UpdateStaffApiResponse = /** status 200 Request fulfilled, document follows */ StaffView;
export type UpdateStaffApiArg = {
  staffId: number;
  staffDraft: {
    /** YYYY-MM-DD, or a full ISO date-time */
    date_of_birth?: string;
    first_surname: string;
    job_title?: string;
    name: string;
    second_surname?: string;
    telephone_number?: string;
  };
};
export type ReadStatusApiResponse = /** status 200 Request fulfilled, document follows */ StatusView;
export type ReadStatusApiArg = void;
export type SendTestEmailApiResponse = /** status 200 Request fulfilled, document follows */ SentEmailView;
export type SendTestEmailApiArg = void;
export type AddTypedNameApiResponse = /** status 200 Request fulfilled, document follows */ ProductView;
export type AddTypedNameApiArg = {
  typedNameId: number;
};
export type DismissTypedNameApiResponse = unknown;
export type DismissTypedNameApiArg = {
  typedNameId: number;
};
export type ListUnknownCodesApiResponse =
  /** status 200 Request fulfilled, document follows */ UnknownCodesView;
export type ListUnknownCodesApiArg = void;
export type IgnoreUnknownCodeApiResponse = unknown;
export type IgnoreUnknownCodeApiArg = {
  system: string;
  /** The unknown code, exactly as listed */
  code: string;
};
export type WithdrawUnlistedItemApiResponse = unknown;
export type WithdrawUnlistedItemApiArg = {
  unlistedItemId: number;
};
export type DiscardUnlistedItemApiResponse =
  /** status 200 Request fulfilled, document follows */ UnlistedItemView;
export type DiscardUnlistedItemApiArg = {
  unlistedItemId: number;
  discardDraft: {
    reason: string;
  };
};
export type ResolveUnlistedItemApiResponse =
  /** status 200 Request fulfilled, document follows */ UnlistedItemView;
export type ResolveUnlistedItemApiArg = {
  unlistedItemId: number;
  resolveDraft: {
    acknowledged?: string[];
    /** YYYY-MM-DD, or a full ISO date-time */
    expiry?: string;
    gtin?: string;
    implant_reason?: string;
    lot?: string;
    product_id: number;
    recall_reason?: string;
    serial?: string;
  };
};
export type ListUsersApiResponse = /** status 200 Request fulfilled, document follows */ PageUserView;
export type ListUsersApiArg = {
  /** Page number, from 1 (default 1) */
  page?: number;
  /** 25 when left out, if there is a page or a cursor; up to 1,000 items without any */
  limit?: number;
  /** Sort field; prefix `-` for descending */
  sort?: string;
  /** Search text */
  q?: string;
  /** Cursor from `meta.next` of the previous page */
  cursor?: string;
  /** Response format; CSV and XLSX contain all pages */
  format?: 'csv' | 'xlsx' | 'json';
};
export type ChooseOwnWardApiResponse = /** status 200 Request fulfilled, document follows */ OwnWardView;
export type ChooseOwnWardApiArg = {
  ownWardDraft: {
    area_id: number;
  };
};
export type CreateImportedLinksApiResponse = /** status 201 Document created, URL follows */ UserLinks;
export type CreateImportedLinksApiArg = {
  importedLinksDraft: {
    after_id?: number;
    import_id: number;
  };
};
export type DeleteUserApiResponse = unknown;
export type DeleteUserApiArg = {
  userId: number;
};
export type ReadUserApiResponse = /** status 200 Request fulfilled, document follows */ UserView;
export type ReadUserApiArg = {
  userId: number;
};
export type UpdateUserApiResponse = /** status 200 Request fulfilled, document follows */ UserView;
export type UpdateUserApiArg = {
  userId: number;
  userDraft: {
    current_password?: string;
    email?: string;
    password?: string;
    password_confirmation?: string;
    role?: number;
    staff_id?: number;
  };
};
export type ListBadgesApiResponse = /** status 200 Request fulfilled, document follows */ BadgesView;
export type ListBadgesApiArg = {
  userId: number;
};
export type AddBadgeApiResponse = /** status 201 Document created, URL follows */ BadgeView;
export type AddBadgeApiArg = {
  userId: number;
  badgeDraft: {
    badge: string;
    name?: string;
  };
};
export type RemoveBadgeApiResponse = unknown;
export type RemoveBadgeApiArg = {
  userId: number;
  badgeId: number;
};
export type UnlinkOidcApiResponse = unknown;
export type UnlinkOidcApiArg = {
  userId: number;
};
export type CreatePasskeyLinkApiResponse = /** status 201 Document created, URL follows */ Link;
export type CreatePasskeyLinkApiArg = {
  userId: number;
  lostPasskeys: {
    removed_ids?: number[];
  };
};
export type ListPasskeysApiResponse = /** status 200 Request fulfilled, document follows */ PasskeysView;
export type ListPasskeysApiArg = {
  userId: number;
};
export type RemovePasskeyApiResponse = unknown;
export type RemovePasskeyApiArg = {
  userId: number;
  passkeyId: number;
};
export type RenamePasskeyApiResponse = /** status 200 Request fulfilled, document follows */ PasskeyView;
export type RenamePasskeyApiArg = {
  userId: number;
  passkeyId: number;
  passkeyName: {
    name: string;
  };
};
export type CreatePasswordLinkApiResponse = /** status 201 Document created, URL follows */ Link;
export type CreatePasswordLinkApiArg = {
  userId: number;
};
export type EndOtherSessionsApiResponse = unknown;
export type EndOtherSessionsApiArg = {
  userId: number;
};
export type ListSessionsApiResponse = /** status 200 Request fulfilled, document follows */ SessionsView;
export type ListSessionsApiArg = {
  userId: number;
};
export type EndSessionApiResponse = unknown;
export type EndSessionApiArg = {
  userId: number;
  sessionId: string;
};
export type ReadWardApiResponse = /** status 200 Request fulfilled, document follows */ WardView;
export type ReadWardApiArg = {
  areaId?: number;
};
export type ReadWorklistApiResponse = /** status 200 Request fulfilled, document follows */ WorklistView;
export type ReadWorklistApiArg = void;
export type CountWorklistApiResponse =
  /** status 200 Request fulfilled, document follows */ WorklistCountView;
export type CountWorklistApiArg = void;
export type UndoJudgementApiResponse = unknown;
export type UndoJudgementApiArg = {
  /** Kind of record, as in the worklist */
  kind: string;
  detailId?: number;
  sheetId?: number;
  outboxId?: number;
};
export type JudgeRightApiResponse = unknown;
export type JudgeRightApiArg = {
  judgementDraft: {
    detail_id?: number;
    kind: string;
    outbox_id?: number;
    sheet_id?: number;
  };
};
export type IsLiveApiResponse = /** status 200 Request fulfilled, document follows */ Health;
export type IsLiveApiArg = void;
export type IsReadyApiResponse = /** status 200 Request fulfilled, document follows */ Health;
export type IsReadyApiArg = void;
export type AreaView = {
  code?: string | null;
  id: number;
  name: string;
};
export type AreaDayView = {
  created_at: string;
  details: number;
  last_recorded_at?: string;
  value?: number;
};
export type AreaSheetView = {
  area: AreaView;
  consumptions: AreaDayView[];
  id: number;
  late_entries: number;
  lines: number;
  month: string;
  part: number;
  unlisted_items: number;
  value?: number;
  version: number;
};
export type Problem = {
  code: string;
  detail: string;
  errors: {
    /** There and true if the same call with the code in `acknowledged` is taken */
    acknowledgeable?: boolean;
    code: string;
    field: string | null;
    message: string;
  }[];
  message: string | string[];
  /** Only with 5xx: id of the request in the log */
  request_id?: string;
  status: number;
  title: string;
  type: string;
};
export type Meta = {
  limit: number;
  next?: string;
  page: number;
  pages: number;
  total: number;
  total_is_lower_bound?: boolean;
};
export type PageAreaView = {
  items: AreaView[];
  meta: Meta;
};
export type RestockProductView = {
  code: string | null;
  id: number;
  name: string;
  unit: string | null;
};
export type PutBackView = {
  at: string;
  by: string;
  quantity: number;
};
export type RestockLineView = {
  fixed_amount: number | null;
  needed: number;
  product: RestockProductView;
  put_back: PutBackView | null;
  shelf: string | null;
};
export type RestockView = {
  area: AreaView;
  items: RestockLineView[];
  last_by: string | null;
  number: number;
  since: string | null;
};
export type ClosedLineView = {
  at: string | null;
  by: string | null;
  product: RestockProductView;
  put_back: number;
  quantity: number;
  shelf: string | null;
};
export type RestockDocumentView = {
  area: string;
  area_id: number;
  by: string;
  closed_at: string;
  id: number;
  items: ClosedLineView[];
  left_over: number;
  lines: number;
  number: number;
};
export type RestockSummaryView = {
  area: string;
  area_id: number;
  by: string;
  closed_at: string;
  id: number;
  left_over: number;
  lines: number;
  number: number;
};
export type RestockListsView = {
  items: RestockSummaryView[];
  more: boolean;
};
export type AreaPageView = {
  area: AreaView;
  id: number;
  lines: number;
  month: string;
  part: number;
  version: number;
};
export type AreaPagesView = {
  items: AreaPageView[];
  more: boolean;
};
export type ShelfView = {
  fixed_amount: number | null;
  product: RestockProductView;
  shelf: string | null;
};
export type ShelvesView = {
  items: ShelfView[];
};
export type AuditChoiceView = {
  text: string;
  value: string;
};
export type AuditAction =
  | 'area.created'
  | 'area.updated'
  | 'area.deleted'
  | 'area.exported'
  | 'category.created'
  | 'category.updated'
  | 'category.deleted'
  | 'category.exported'
  | 'product.created'
  | 'product.updated'
  | 'product.deleted'
  | 'product.exported'
  | 'product.name_dismissed'
  | 'product.picture_set'
  | 'product.picture_removed'
  | 'product_code.added'
  | 'product_code.removed'
  | 'unknown_code.ignored'
  | 'recall.opened'
  | 'recall.updated'
  | 'recall.closed'
  | 'recall.read'
  | 'recall.exported'
  | 'set_aside.recorded'
  | 'restock_list.closed'
  | 'month.closed'
  | 'month.exported'
  | 'area.shelf_changed'
  | 'area.sheet_opened'
  | 'area.restock_ticked'
  | 'area.restock_unticked'
  | 'room.created'
  | 'room.updated'
  | 'room.deleted'
  | 'room.exported'
  | 'room.read'
  | 'room.listed'
  | 'patient.created'
  | 'patient.updated'
  | 'patient.deleted'
  | 'patient.exported'
  | 'patient.read'
  | 'patient.listed'
  | 'patient.sheets_listed'
  | 'patient.printed'
  | 'patient.merged'
  | 'patient.unmerged'
  | 'patient.identified'
  | 'staff.created'
  | 'staff.updated'
  | 'staff.deleted'
  | 'staff.exported'
  | 'profile.completed'
  | 'profile.updated'
  | 'sheet.opened'
  | 'sheet.updated'
  | 'sheet.closed'
  | 'sheet.reopened'
  | 'sheet.closing_undone'
  | 'sheet.transferred'
  | 'sheet.transfer_undone'
  | 'sheet.copied_from'
  | 'sheet.printed'
  | 'sheet.account_issued'
  | 'sheet.account_printed'
  | 'sheet.implants_printed'
  | 'sheet.deleted'
  | 'sheet.patient_merged'
  | 'sheet.patient_unmerged'
  | 'consumption_sheet.read'
  | 'consumption_sheet.listed'
  | 'consumption_sheet.exported'
  | 'sheet.judged_right'
  | 'sheet.judgement_undone'
  | 'detail.added'
  | 'detail.edited'
  | 'detail.voided'
  | 'detail.moved_away'
  | 'detail.moved_here'
  | 'detail.returned'
  | 'detail.wasted'
  | 'detail.waste_undone'
  | 'detail.deleted'
  | 'detail.recall_seen'
  | 'sheet.missed_charge_answered'
  | 'detail.judged_right'
  | 'detail.judgement_undone'
  | 'consumption_detail.exported'
  | 'implant.listed'
  | 'implant.exported'
  | 'late_entry.arrived'
  | 'late_entry.recorded'
  | 'late_entry.dismissed'
  | 'unlisted_item.noted'
  | 'unlisted_item.resolved'
  | 'unlisted_item.discarded'
  | 'unlisted_item.withdrawn'
  | 'form.printed'
  | 'form.recorded'
  | 'form.discarded'
  | 'outbound_message.read'
  | 'outbound_message.retried'
  | 'outbound_message.settled'
  | 'outbound_message.exported'
  | 'kit.created'
  | 'kit.updated'
  | 'kit.deleted'
  | 'kit.exported'
  | 'service_account.created'
  | 'service_account.updated'
  | 'service_account.deleted'
  | 'key.made'
  | 'key.revoked'
  | 'user.invited'
  | 'user.registered'
  | 'user.updated'
  | 'user.deleted'
  | 'user.profile_assigned'
  | 'user.account_changed'
  | 'user.password_changed'
  | 'user.password_chosen'
  | 'user.reset_link_handed_out'
  | 'user.reset_link_mailed'
  | 'user.reset_requested'
  | 'user.outbox_judged_right'
  | 'user.outbox_judgement_undone'
  | 'user.test_email_sent'
  | 'user.created_by_oidc'
  | 'user.oidc_linked'
  | 'user.oidc_unlinked'
  | 'user.role_from_oidc'
  | 'user.role_kept'
  | 'user.refused_by_oidc'
  | 'user.admitted_by_oidc'
  | 'user.exported'
  | 'user.passkey_link_handed_out'
  | 'passkey.registered'
  | 'passkey.renamed'
  | 'passkey.removed'
  | 'passkey.clone_suspected'
  | 'session.signed_in'
  | 'session.signed_out'
  | 'session.sign_in_failed'
  | 'session.oidc_refused'
  | 'session.second_factor_failed'
  | 'session.ended'
  | 'session.unlocked'
  | 'session.unlock_failed'
  | 'session.pin_exhausted'
  | 'session.device_bound'
  | 'user.pin_set'
  | 'user.pin_removed'
  | 'user.badge_added'
  | 'user.badge_removed'
  | 'device.sessions_ended'
  | 'inbound_message.retried'
  | 'inbound_message.dismissed'
  | 'inbound_message.answered'
  | 'inbound_message.read'
  | 'hospital.updated'
  | 'hospital.logo_changed'
  | 'import.done'
  | 'import.undone'
  | 'import.exported'
  | 'audit.exported'
  | 'overview.listed'
  | 'worklist.listed'
  | 'ward.listed'
  | 'shift.listed'
  | 'notice.listed'
  | 'consumption.listed'
  | 'consumption.exported';
export type ApiKeyNameView = {
  id: number;
  name: string;
};
export type Shown = 'change' | 'note' | 'data';
export type WordedChangeView = {
  field: string;
  shown: Shown;
  text: string;
};
export type AuditUserView = {
  email: string;
  id: number;
};
export type HistoryView = {
  action: AuditAction;
  api_key: ApiKeyNameView | null;
  at: string;
  changes: {
    [key: string]: (string | number | boolean | null)[];
  };
  did: string;
  entity: string;
  entity_id: number;
  id: number;
  in_words: WordedChangeView[];
  names: {
    [key: string]: (string | null)[];
  };
  patient: string | null;
  patient_id: number | null;
  person: string | null;
  sheet_id: number | null;
  subject: string | null;
  user: AuditUserView | null;
  who: string;
};
export type AuditPage = {
  actions: AuditChoiceView[];
  entities: AuditChoiceView[];
  items: HistoryView[];
  meta: Meta;
};
export type BadgeHolderView = {
  user_id: number;
};
export type AccessToken = {
  access_token: string;
};
export type NonceView = {
  nonce: string;
};
export type PasskeyView = {
  backed_up: boolean;
  id: number;
  made_at: string;
  name: string;
  suspected: boolean;
  used_at: string | null;
};
export type PasskeyLinkOptions = {
  email: string;
  name: string | null;
  options: {
    [key: string]: any;
  };
};
export type PasskeyOptions = {
  options: {
    [key: string]: any;
  };
};
export type LinkAccount = {
  email: string;
  hospital: string | null;
  name: string | null;
};
export type AskedSecondFactor = {
  options: {
    [key: string]: any;
  };
  ticket: string;
};
export type SecondFactor = {
  second_factor: AskedSecondFactor;
};
export type PasswordStrength = {
  score: number;
  weakness: string | null;
};
export type ManagedRoleView = {
  has_profile: boolean;
  role: string;
};
export type Permission =
  | 'profile.own'
  | 'profile.link'
  | 'account.own'
  | 'session.unlock'
  | 'sheets.read'
  | 'sheets.open'
  | 'sheets.edit'
  | 'sheets.close'
  | 'sheets.reopen'
  | 'sheets.delete_empty'
  | 'sheets.delete_open'
  | 'sheets.delete_closed'
  | 'sheets.history'
  | 'audit.read'
  | 'details.add'
  | 'details.record_for_any_staff'
  | 'details.record_of_any_day'
  | 'details.edit'
  | 'details.delete_own'
  | 'details.delete_any'
  | 'details.move_own'
  | 'details.move_any'
  | 'details.return'
  | 'late_entries.manage'
  | 'kits.own'
  | 'kits.manage'
  | 'prices.see'
  | 'catalogue.read'
  | 'catalogue.manage'
  | 'recalls.manage'
  | 'implants.read'
  | 'restock.close'
  | 'patients.read'
  | 'patients.save'
  | 'patients.delete'
  | 'patients.readers'
  | 'patients.merge'
  | 'patients.unmerge'
  | 'patients.unmerge_any'
  | 'staff.manage'
  | 'users.manage'
  | 'imports.run'
  | 'imports.undo'
  | 'reports.read'
  | 'months.close'
  | 'messages.read'
  | 'messages.decide'
  | 'fhir.read'
  | 'service_accounts.manage'
  | 'keys.own'
  | 'status.read'
  | 'hospital.manage';
export type StaffView = {
  date_of_birth: string | null;
  first_surname: string;
  id: number;
  job_title: string | null;
  name: string;
  second_surname: string | null;
  telephone_number: string | null;
  user_id: number | null;
};
export type UnlockWay = 'password' | 'pin' | 'badge' | 'passkey';
export type OwnWardView = {
  area: AreaView | null;
};
export type OwnAccountView = {
  email: string;
  has_password: boolean;
  id: number;
  managed_roles: ManagedRoleView[];
  oidc_linked: boolean;
  passkey_due_on: string | null;
  permissions: Permission[];
  profile: StaffView | null;
  profile_required: boolean;
  quick_unlock: boolean;
  role: string;
  second_factor_required: boolean;
  staff_id: number | null;
  unlock_by: UnlockWay[];
  ward: OwnWardView | null;
};
export type Link = {
  expires_at: string;
  url: string;
};
export type InvitedUser = {
  activation: Link;
  email: string;
  has_password: boolean;
  id: number;
  mailed: boolean;
  oidc_linked: boolean;
  profile: StaffView | null;
  role: string;
  staff_id: number | null;
};
export type VersionedCatalogueView = {
  areas: [number, string][];
  codes: [number, string, string, number, string | null][];
  installation: number;
  kits: [number, string, number | null, [number, number, boolean][]][];
  pictures: [number, string][];
  products: [
    number,
    string,
    string | null,
    string | null,
    number,
    boolean,
    boolean,
    boolean,
    string[],
    boolean,
  ][];
  version: number;
};
export type CategoryView = {
  code?: string;
  id: number;
  name: string;
};
export type PageCategoryView = {
  items: CategoryView[];
  meta: Meta;
};
export type Code =
  | 'required'
  | 'field.unknown'
  | 'text.expected'
  | 'text.too_long'
  | 'text.unwritable'
  | 'text.direction'
  | 'number.expected'
  | 'whole_number.expected'
  | 'date.expected'
  | 'date.in_future'
  | 'date.in_past'
  | 'moment.expected'
  | 'yes_or_no.expected'
  | 'choice.unknown'
  | 'negative'
  | 'money.too_large'
  | 'quantity.too_large'
  | 'quantity.too_fine'
  | 'reference.unknown'
  | 'reference.gone'
  | 'taken'
  | 'email.invalid'
  | 'name.like_email'
  | 'scope.unknown'
  | 'network.invalid'
  | 'gtin.invalid'
  | 'picture.unreadable'
  | 'picture.too_large'
  | 'password.too_short'
  | 'password.too_long'
  | 'password.common'
  | 'password.repeats'
  | 'password.sequence'
  | 'password.date'
  | 'password.personal'
  | 'password.few_words'
  | 'time_zone.unknown'
  | 'currency.invalid'
  | 'shifts.invalid'
  | 'number.out_of_range'
  | 'letterhead.too_long'
  | 'setting.fixed'
  | 'logo.unreadable'
  | 'logo.too_large'
  | 'patient.inactive'
  | 'patient.itself'
  | 'patient.merged'
  | 'patient.not_merged'
  | 'patient.merged_on'
  | 'merge.unconfirmed'
  | 'merge.not_own'
  | 'patient.unidentified'
  | 'patient.unidentified_stays'
  | 'patient.identified'
  | 'patient.has_open_sheet'
  | 'unidentified.too_many'
  | 'age.too_high'
  | 'user.role_stays'
  | 'room_range.reversed'
  | 'room_range.unreadable'
  | 'rooms.too_many'
  | 'product.inactive'
  | 'profile.taken'
  | 'quantity.far_out'
  | 'quantity.zero'
  | 'quantity.same'
  | 'correction.for_supervision'
  | 'detail.repeated'
  | 'detail.voided'
  | 'detail.not_own'
  | 'return.too_much'
  | 'return.total_needed'
  | 'total.not_allowed'
  | 'total.unbilled'
  | 'month.not_over'
  | 'month.closed'
  | 'month.unchanged'
  | 'waste.marked'
  | 'waste.none'
  | 'waste.too_much'
  | 'waste.total_set'
  | 'return.for_supervision'
  | 'target.closed'
  | 'target.same'
  | 'sheet.closed'
  | 'closing.not_undoable'
  | 'sheet.not_closed'
  | 'sheet.for_supervision'
  | 'sheet.for_administration'
  | 'room.same'
  | 'sheet.not_transferred'
  | 'late_entry.decided'
  | 'late_entry.entered'
  | 'unlisted_item.decided'
  | 'unlisted_items.open'
  | 'unlisted_items.too_many'
  | 'message.sent'
  | 'sheet.full'
  | 'sheet.of_area'
  | 'use_reason.not_here'
  | 'detail.too_old'
  | 'moment.before_admission'
  | 'restock.closed'
  | 'restock.empty'
  | 'restock.more_than_needed'
  | 'lot.expired'
  | 'lot.expires_soon'
  | 'lot.recalled'
  | 'lot.not_recalled'
  | 'lot.required'
  | 'serial.required'
  | 'implant.incomplete'
  | 'implants.incomplete'
  | 'implants.none'
  | 'serial.used'
  | 'serial.quantity'
  | 'moment.in_future'
  | 'moment.before_stay'
  | 'moment.too_long_ago'
  | 'discharge.before_admission'
  | 'sort.too_many'
  | 'list.too_long'
  | 'names.too_many'
  | 'items.expected'
  | 'object.expected'
  | 'items.too_many'
  | 'form.recorded'
  | 'form.recorded_before'
  | 'form.discarded'
  | 'form.of_another'
  | 'forms.none'
  | 'forms.too_many'
  | 'labels.too_many'
  | 'symbol.unfit'
  | 'paper.unreadable'
  | 'paper.foreign'
  | 'paper.unknown'
  | 'document.unknown'
  | 'lines.too_many'
  | 'kit.product_twice'
  | 'kits.too_many'
  | 'kit.for_supervision'
  | 'report.for_supervision'
  | 'idempotency_key.reused'
  | 'idempotency_key.invalid'
  | 'in_use'
  | 'password.mismatch'
  | 'password.wrong'
  | 'session.unconfirmed'
  | 'password.not_chosen'
  | 'passkey.challenge'
  | 'passkey.refused'
  | 'passkey.taken'
  | 'passkey.of_another'
  | 'passkey.last'
  | 'passkey.link_required'
  | 'passkeys.too_many'
  | 'passkeys.none'
  | 'passkeys.off'
  | 'pin.invalid'
  | 'pin.weak'
  | 'pin.mismatch'
  | 'pin.wrong'
  | 'pin.exhausted'
  | 'pin.none'
  | 'pin.not_here'
  | 'nonce.expired'
  | 'device.key_invalid'
  | 'device.signature'
  | 'unlock.not_for_role'
  | 'badge.unknown'
  | 'badge.needs_pin'
  | 'badge.too_short'
  | 'badge.taken'
  | 'badges.too_many'
  | 'oidc.algorithm'
  | 'oidc.audience'
  | 'oidc.claim'
  | 'oidc.code'
  | 'oidc.configuration'
  | 'oidc.denied'
  | 'oidc.expired'
  | 'oidc.future'
  | 'oidc.groups_missing'
  | 'oidc.issuer'
  | 'oidc.key'
  | 'oidc.no_role'
  | 'oidc.nonce'
  | 'oidc.not_fresh'
  | 'oidc.provider'
  | 'oidc.signature'
  | 'oidc.state'
  | 'oidc.subject'
  | 'oidc.taken'
  | 'oidc.token'
  | 'oidc.transaction'
  | 'oidc.unlinked'
  | 'link.invalid'
  | 'setup_link.invalid'
  | 'user.last_administrator'
  | 'user.own'
  | 'user.not_own'
  | 'user.for_administration'
  | 'role.for_administration'
  | 'body.not_an_object'
  | 'date.year_unclear'
  | 'cell.formula'
  | 'cell.formula_taken'
  | 'cell.fault'
  | 'code.cut_off'
  | 'row.too_wide'
  | 'row.quotes_unclosed'
  | 'full_name.unclear'
  | 'known_twice'
  | 'row.contradicts'
  | 'cell.date'
  | 'cell.shown_otherwise'
  | 'cell.format_unknown'
  | 'cell.says_nothing'
  | 'cell.may_say_nothing'
  | 'cell.word_says_nothing'
  | 'date.means_none'
  | 'date.comes_often'
  | 'letters.misread'
  | 'letters.lost'
  | 'code.like_a_date'
  | 'code.with_decimals'
  | 'code.but_for_case'
  | 'code.but_for_zeros'
  | 'price.jumps'
  | 'product.renamed'
  | 'patient.named_otherwise'
  | 'person.surnames_together'
  | 'patient.born_otherwise'
  | 'record.contradicts'
  | 'code.contradicts'
  | 'price.far_off'
  | 'line.is_there'
  | 'line.included'
  | 'handed_out.zero'
  | 'handed_out.negative'
  | 'handed_out.repeated'
  | 'handed_out.named_otherwise'
  | 'period.reversed'
  | 'handed_out.outside_period'
  | 'row.of_totals'
  | 'row.is_sum'
  | 'characters.unseen'
  | 'active.unknown'
  | 'room_type.unknown'
  | 'money.rounded'
  | 'money.of_another_currency'
  | 'money.foreign'
  | 'file.empty'
  | 'file.too_large'
  | 'file.unpacks_too_large'
  | 'file.kind_unknown'
  | 'file.encrypted'
  | 'file.damaged'
  | 'file.with_entities'
  | 'file.with_nul'
  | 'file.too_wide'
  | 'file.too_long'
  | 'file.too_many_cells'
  | 'file.cell_too_long'
  | 'file.encoding_wrong'
  | 'file.encoding_broken'
  | 'file.without_rows'
  | 'file.sheet_unknown'
  | 'file.header_unknown'
  | 'file.column_unknown'
  | 'visit.missing'
  | 'visit.unknown'
  | 'visit.of_another'
  | 'location.missing'
  | 'location.unknown'
  | 'record_number.missing'
  | 'record_number.of_another_authority'
  | 'message.person_differs'
  | 'message.moment_unreadable'
  | 'message.moment_left_out'
  | 'message.patient_unclear'
  | 'message.sheet_unclear'
  | 'message.other_sheet_open'
  | 'message.surnames_unclear'
  | 'merge.of_unknown'
  | 'merge.of_several'
  | 'message.discharge_before_admission'
  | 'discharge.undone'
  | 'control_id.reused'
  | 'message.kind_not_taken'
  | 'message.class_unknown'
  | 'message.class_not_taken'
  | 'message.outdated'
  | 'message.failed'
  | 'message.decided'
  | 'message.gone'
  | 'message.opens_no_sheet'
  | 'sheet.has_visit'
  | 'message.already_in_room'
  | 'merge.unclear'
  | 'message.moment_in_future'
  | 'message.character_set_contradicted'
  | 'message.refused_no_hl7'
  | 'message.refused_separators'
  | 'message.refused_control_id_missing'
  | 'message.refused_no_adt'
  | 'message.refused_processing_id'
  | 'message.refused_version'
  | 'message.refused_time_missing'
  | 'message.refused_time_unreadable'
  | 'message.refused_field_too_long'
  | 'message.refused_too_many_repetitions'
  | 'message.refused_control_character'
  | 'message.refused_too_large'
  | 'message.refused_unreadable'
  | 'message.not_stored'
  | 'mail.off'
  | 'mail.unreachable'
  | 'mail.not_encrypted'
  | 'mail.login_refused'
  | 'mail.refused'
  | 'import.unanswered'
  | 'import.disturbed'
  | 'import.undone'
  | 'import.depended_on';
export type KitNameView = {
  id: number;
  name: string;
};
export type DetailProductView = {
  category: CategoryView;
  code?: string | null;
  gtin?: string | null;
  id: number;
  implant?: boolean;
  name: string;
  plain_name?: string | null;
  price?: number;
  unit?: string | null;
};
export type PersonView = {
  first_surname: string;
  id: number;
  name: string;
  second_surname: string | null;
};
export type Unbilled = 'area' | 'included' | 'wasted';
export type UseReason =
  | 'crash_cart'
  | 'cleaning'
  | 'training'
  | 'other'
  | 'opened'
  | 'dropped'
  | 'defective'
  | 'expired';
export type UserNameView = {
  id: number;
  name: string;
};
export type VoidedView = {
  at: string;
  by: UserNameView;
  reason: string | null;
};
export type WarningView = {
  at?: string;
  by?: string;
  code: Code;
  detail_id?: number;
  expiry?: string;
  field?: string;
  lot?: string;
  message?: string;
  minutes?: number;
  product?: string;
  quantity?: number;
  serial?: string;
  total?: number;
  usual_quantity?: number;
};
export type DetailView = {
  acknowledged?: Code[];
  area: AreaView | null;
  area_id: number | null;
  consumption_sheet_id: number;
  corrected_from?: number | null;
  created_at: string;
  day?: string;
  expiry?: string | null;
  form_id?: number | null;
  gtin?: string | null;
  id: number;
  implant_reason?: string | null;
  kit?: KitNameView | null;
  kit_id?: number | null;
  lot?: string | null;
  occurred_at?: string | null;
  product: DetailProductView;
  product_id: number;
  quantity: number;
  recall_reason?: string | null;
  returned?: number;
  room_id?: number | null;
  serial?: string | null;
  staff: PersonView | null;
  staff_id: number | null;
  total?: number;
  unbilled?: Unbilled | null;
  unit_price?: number;
  use_reason?: UseReason | null;
  user_id: number;
  version: number;
  voided?: VoidedView;
  warnings?: WarningView[];
};
export type PageDetailView = {
  items: DetailView[];
  meta: Meta;
};
export type UsedFor = 'patients' | 'area' | 'wasted' | 'all';
export type Voided = 'include' | 'only';
export type DetailsView = {
  items: DetailView[];
};
export type OutboundState = 'waiting' | 'sent' | 'dead';
export type ChargingView = {
  at: string | null;
  state: OutboundState;
};
export type ConsumptionDayView = {
  created_at: string;
  details: number;
  last_recorded_at?: string;
};
export type SheetPatientView = {
  date_of_birth?: string | null;
  first_surname: string;
  id: number;
  name: string;
  record_number?: string | null;
  second_surname: string | null;
  unidentified?: boolean;
};
export type SheetRoomView = {
  area_id: number;
  id: number;
  name: string;
};
export type PlaceView = {
  id: number;
  name: string;
};
export type StayView = {
  from: string;
  room: PlaceView;
  until: string | null;
};
export type SheetView = {
  admission_cancelled_at?: string | null;
  admission_date: string;
  charging?: ChargingView | null;
  closed: boolean;
  consumptions: ConsumptionDayView[];
  deleted_at: string | null;
  diagnosis: string;
  discharge_proposed_at?: string | null;
  doctor: string;
  id: number;
  late_entries?: number;
  patient: SheetPatientView;
  patient_id: number;
  room: SheetRoomView;
  room_id: number;
  stays?: StayView[];
  total?: number;
  undo_closing_until?: string;
  unlisted_items?: number;
  version: number;
  visit_number?: string | null;
};
export type SheetPage = {
  exact?: number;
  items: SheetView[];
  meta: Meta;
  nearest?: SheetView[];
};
export type PrintedCategoryView = {
  category: CategoryView;
  details: DetailView[];
  lines: number;
  total?: number;
};
export type PrintedDayView = {
  categories: PrintedCategoryView[];
  day: string;
  lines: number;
  total?: number;
};
export type UnlistedState = 'open' | 'resolved' | 'discarded' | 'withdrawn';
export type UnlistedItemView = {
  area: string | null;
  area_id: number | null;
  by: string | null;
  consumption_sheet_id: number;
  created_at: string;
  decided_at: string | null;
  decided_by: string | null;
  description: string;
  detail_id: number | null;
  id: number;
  occurred_at: string;
  quantity: number;
  reason: string | null;
  room_id: number | null;
  staff: string | null;
  staff_id: number | null;
  state: UnlistedState;
  use_reason?: UseReason | null;
  user_id: number;
};
export type WholeSheetView = {
  area: string | null;
  date_of_birth: string | null;
  days: PrintedDayView[];
  lines: number;
  record_number: string | null;
  sheet: SheetView;
  total?: number;
  unlisted_items: UnlistedItemView[];
  voided: number;
};
export type PaperMonthView = {
  area: string | null;
  id: number;
  month: string;
  total?: number;
};
export type PaperCheckView = {
  closed_at: string;
  closing: WholeSheetView | null;
  kind: string;
  month: PaperMonthView | null;
  same: boolean;
  sheet_id: number | null;
  turn: number;
};
export type AccountItemView = {
  articles: boolean;
  included?: boolean;
  name: string;
  quantity: number;
  total?: number;
  wasted: boolean;
};
export type AccountKindView = {
  articles: number;
  name: string;
  total?: number;
};
export type AccountDayView = {
  day: string;
  items: AccountItemView[];
  kinds: AccountKindView[];
  total?: number;
};
export type AccountMomentView = {
  at: string;
  since: string;
  total?: number;
};
export type ReturnedView = {
  articles: boolean;
  day: string;
  name: string;
  quantity: number;
};
export type AccountView = {
  at: string;
  closed: boolean;
  days: AccountDayView[];
  issued: AccountMomentView[];
  kinds: AccountKindView[];
  late_entries: number;
  returned: ReturnedView[];
  sheet_id: number;
  total?: number;
  unlisted_items: number;
  version: number;
  without_price?: number;
};
export type DifferenceKind = 'added' | 'corrected' | 'returned' | 'wasted' | 'voided' | 'moved';
export type AccountDifferenceView = {
  amount?: number;
  articles: boolean;
  kind: DifferenceKind;
  name: string;
  quantity: number;
};
export type AccountChangesView = {
  difference?: number;
  items: AccountDifferenceView[];
  since: string;
  total_now?: number;
  total_then?: number;
};
export type IssuedAccountView = {
  id: number | null;
  of: string;
  proof: string | null;
};
export type ClosingView = {
  by: string | null;
  closed_at: string;
  lines: number;
  total?: number;
  turn: number;
};
export type ClosingsView = {
  items: ClosingView[];
};
export type RecordedDetailsView = {
  items: DetailView[];
  warnings?: WarningView[];
};
export type PageHistoryView = {
  items: HistoryView[];
  meta: Meta;
};
export type Decision = 'recorded' | 'dismissed';
export type ErrorView = {
  acknowledgeable?: boolean;
  code: Code;
  field: string | null;
  message?: string;
  recall_id?: number;
};
export type LateItemView = {
  expiry: string | null;
  lot: string | null;
  product: string | null;
  product_id: number;
  quantity: number;
  serial: string | null;
};
export type LateEntryView = {
  arrived_at: string;
  by: string | null;
  consumption_sheet_id: number;
  decided_at: string | null;
  decided_by: string | null;
  decision: Decision | null;
  errors?: ErrorView[];
  id: number;
  items: LateItemView[];
  kit_id: number | null;
  occurred_at: string;
  reason: string | null;
  user_id: number;
};
export type LateEntriesView = {
  items: LateEntryView[];
};
export type KitProductView = {
  active: boolean;
  code: string | null;
  id: number;
  implant?: boolean;
  name: string;
  unit: string | null;
};
export type MissedChargeView = {
  because: string;
  because_id: number;
  product: KitProductView;
  sheets: number;
  together: number;
};
export type MissedChargesView = {
  items: MissedChargeView[];
};
export type SheetSumView = {
  id: number;
  total?: number;
  version: number;
};
export type MovedDetailsView = {
  from: SheetSumView;
  moved: DetailView[];
  to: SheetSumView;
};
export type ProductView = {
  active: boolean;
  also_called: string[];
  asks_lot: boolean;
  asks_serial: boolean;
  category: CategoryView;
  category_id: number;
  code: string | null;
  decimals: number;
  gtin: string | null;
  id: number;
  implant: boolean;
  included_in_stay?: boolean;
  name: string;
  picture: string | null;
  plain_name: string | null;
  price?: number;
  unit: string | null;
};
export type RepeatableLineView = {
  product: ProductView;
  quantity: number;
  times: number;
};
export type RepeatableView = {
  day: string | null;
  days: string[];
  items: RepeatableLineView[];
};
export type CategoryTallyView = {
  category: CategoryView;
  lines: number;
  total?: number;
};
export type DayTallyView = {
  day: string;
  lines: number;
  total?: number;
};
export type SummaryLineView = {
  created_at: string;
  id: number;
  product_code: string | null;
  product_id: number;
  product_name: string;
  quantity: number;
};
export type IncompleteImplantView = {
  created_at: string;
  id: number;
  implant_reason: string | null;
  lot: string | null;
  product_code: string | null;
  product_id: number;
  product_name: string;
  quantity: number;
  serial: string | null;
};
export type SheetSummaryView = {
  categories: CategoryTallyView[];
  consumption_sheet_id: number;
  days: DayTallyView[];
  far_out: SummaryLineView[];
  incomplete_implants: IncompleteImplantView[];
  lines: number;
  recordable_from: string | null;
  total?: number;
  unlisted_items: UnlistedItemView[];
  version: number;
  without_price?: SummaryLineView[];
  without_quantity: SummaryLineView[];
};
export type UnlistedItemsView = {
  items: UnlistedItemView[];
};
export type UsualProductsView = {
  changed: number[];
  items: ProductView[];
  pinned: number[];
};
export type SheetVersionView = {
  version: number;
};
export type FormSheetView = {
  closed: boolean;
  id: number;
  patient: SheetPatientView;
  room: string;
};
export type FormState = 'standby' | 'open' | 'recorded' | 'discarded';
export type FormView = {
  area: string | null;
  area_id: number | null;
  blank: boolean;
  decided_at: string | null;
  decided_by: string | null;
  late_entry_id: number | null;
  number: number;
  printed_at: string;
  printed_by: string | null;
  reason: string | null;
  recorded_sheet_id: number | null;
  sheet: FormSheetView | null;
  state: FormState;
};
export type FormsView = {
  count: number;
  items: FormView[];
};
export type FormProductView = {
  active: boolean;
  code: string | null;
  id: number;
  name: string;
  unit: string | null;
};
export type FormWithProductsView = {
  area: string | null;
  area_id: number | null;
  blank: boolean;
  decided_at: string | null;
  decided_by: string | null;
  late_entry_id: number | null;
  number: number;
  printed_at: string;
  printed_by: string | null;
  products: FormProductView[];
  reason: string | null;
  recorded_sheet_id: number | null;
  sheet: FormSheetView | null;
  state: FormState;
};
export type RecordedFormView = {
  consumption_sheet_id: number;
  items: DetailView[];
  late_entry_id: number | null;
  number: number;
  warnings?: WarningView[];
};
export type HospitalSettingsView = {
  address: string[];
  ask_above_total: number;
  billed_waste: UseReason[];
  currency: string;
  fixed: string[];
  idle_minutes: number;
  letterhead: string[];
  logo_version: number | null;
  name: string;
  number_format: string;
  shift_starts: string[];
  tax_number: string;
  time_zone: string;
  version: number;
};
export type Missing = 'lot_and_serial' | 'lot_only' | 'serial_only';
export type ImplantProductView = {
  code: string | null;
  id: number;
  name: string;
  unit: string | null;
};
export type ImplantView = {
  consumption_sheet_id: number;
  day: string;
  expiry: string | null;
  gtin: string | null;
  id: number;
  implant_reason: string | null;
  lot: string | null;
  missing: Missing | null;
  patient: SheetPatientView;
  patient_id: number;
  product: ImplantProductView;
  product_id: number;
  quantity: number;
  room: PlaceView | null;
  serial: string | null;
  staff: PersonView | null;
  udi: string | null;
  use_reason: UseReason | null;
};
export type PageImplantView = {
  items: ImplantView[];
  meta: Meta;
};
export type ImportView = {
  at: string;
  changed: number;
  created: number;
  file_name: string;
  id: number;
  noun: string;
  refused: number;
  unchanged: number;
  undone_at: string | null;
  undone_by: AuditUserView | null;
  user: AuditUserView;
};
export type PageImportView = {
  items: ImportView[];
  meta: Meta;
};
export type RowChange = {
  after: string | number | boolean | null;
  before: string | number | boolean | null;
  field: string;
  label: string;
};
export type Outcome = 'created' | 'changed' | 'unchanged' | 'refused' | 'left_out';
export type RowMessage = {
  acknowledgeable?: boolean;
  code: string;
  field: string | null;
  label: string | null;
  message: string;
  recall_id?: number;
  value: string | null;
};
export type ImportedRow = {
  cells: string[];
  changes: RowChange[];
  label: string;
  line: number;
  outcome: Outcome;
  reasons: RowMessage[];
  warnings: RowMessage[];
};
export type ImportReport = {
  also: {
    [key: string]: number;
  };
  changed: number;
  created: number;
  import_id: number | null;
  kept: boolean;
  left_out: number;
  refused: number;
  rows: ImportedRow[];
  unchanged: number;
  warned: number;
  warnings: string;
};
export type ImportLine = {
  done?: number;
  error?: Problem;
  report?: ImportReport;
  rows?: ImportedRow[];
  total?: number;
};
export type Encoding = 'utf-8' | 'utf-16-le' | 'utf-16-be' | 'windows-1252' | 'cp850' | 'mac-roman';
export type Separator = 'comma' | 'semicolon' | 'tab' | 'pipe' | 'none';
export type DecimalMark = 'point' | 'comma';
export type DateOrder = 'day-first' | 'month-first';
export type Noun =
  | 'products'
  | 'patients'
  | 'staff'
  | 'areas'
  | 'rooms'
  | 'users'
  | 'consumption'
  | 'handed_out';
export type WhichRows = 'first' | 'all';
export type Kind =
  | 'text'
  | 'code'
  | 'number'
  | 'money'
  | 'day'
  | 'birthday'
  | 'moment'
  | 'yes_or_no'
  | 'room_status'
  | 'room_type'
  | 'role';
export type FileField = {
  column: string | null;
  kind: Kind;
  label: string;
  name: string;
  needed: boolean;
  options: string[];
  question: string | null;
  reason: string | null;
  suggestion: string | null;
};
export type SampleRow = {
  cells: string[];
  line: number;
  read: {
    [key: string]: string;
  };
  wrong: {
    [key: string]: string;
  };
};
export type ChoiceOption = {
  label: string;
  value: string;
};
export type FileSetting = {
  about: 'sheet' | 'encoding' | 'separator' | 'header_row' | 'decimal' | 'dates';
  options: ChoiceOption[];
  question: string | null;
  reason: string | null;
  suggestion: string | null;
  value: string | null;
};
export type FileReading = {
  columns: string[];
  fields: FileField[];
  notes: string[];
  noun: Noun;
  rows: number;
  sample: SampleRow[];
  settings: FileSetting[];
  unanswered: number;
};
export type LikelyReading = {
  nouns: Noun[];
  reading: FileReading | null;
};
export type MessageFieldView = {
  place: string;
  value: string;
};
export type InboundState = 'applied' | 'ignored' | 'held' | 'dismissed' | 'refused';
export type InboundMessageView = {
  code: string | null;
  consumption_sheet_id: number | null;
  control_id: string;
  decided_at: string | null;
  decided_by: string | null;
  event_at: string;
  field: string | null;
  fields?: MessageFieldView[];
  id: number;
  kind: string;
  location: string | null;
  note: string | null;
  params: {
    [key: string]: string | number;
  };
  patient_id: number | null;
  received_at: string;
  record_number: string | null;
  source: string;
  state: InboundState;
  tries: number;
  visit_number: string | null;
  why?: string | null;
};
export type HeldReasonView = {
  code: string;
  messages: number;
};
export type InboundMessagesView = {
  held: number;
  items: InboundMessageView[];
  next: number | null;
  reasons: HeldReasonView[];
};
export type DecidedMessagesView = {
  decided: number;
  done: number;
  held: number;
};
export type OwnKeyView = {
  expires_on: string | null;
  name: string;
  networks: string[];
  permissions: Permission[];
  service_account: string;
};
export type KitLineView = {
  optional: boolean;
  product: KitProductView;
  product_id: number;
  quantity: number;
};
export type KitView = {
  area: AreaView | null;
  area_id: number | null;
  id: number;
  lines: KitLineView[];
  name: string;
  own: boolean;
  user_id: number | null;
  version: number;
};
export type PageKitView = {
  items: KitView[];
  meta: Meta;
};
export type KitAction = 'add' | 'change' | 'remove';
export type KitProposalView = {
  action: KitAction;
  optional: boolean | null;
  quantity: number | null;
};
export type KitReviewItemView = {
  in_kit: boolean;
  median: number | null;
  optional: boolean | null;
  product: KitProductView;
  proposal: KitProposalView | null;
  quantity: number | null;
  recorded: number;
  returned: number;
  used_in: number;
  wasted: number;
};
export type KitReviewView = {
  items: KitReviewItemView[];
  since: string;
  uses: number;
};
export type MonthSummaryView = {
  at: string | null;
  by: string | null;
  changes: number;
  changes_total: number;
  id: number | null;
  may_close: boolean;
  month: string;
  total: number | null;
  turn: number;
};
export type MonthsView = {
  items: MonthSummaryView[];
};
export type SheetSums = {
  sheets: number;
  total: number;
};
export type MonthAccountsView = {
  charged: number | null;
  charged_open: number | null;
  closed: SheetSums;
  open: SheetSums;
  unsent: number | null;
};
export type MonthAreaView = {
  id: number;
  name: string | null;
};
export type NamedFiguresView = {
  code: string | null;
  id: number | null;
  lines: number;
  name: string | null;
  quantity: number;
  returned: number;
  total: number;
  unit: string | null;
  value: number;
};
export type MonthChangeKind =
  | 'recorded'
  | 'edited'
  | 'voided'
  | 'returned'
  | 'corrected'
  | 'moved'
  | 'wasted'
  | 'imported'
  | 'deleted';
export type MonthChangeView = {
  at: string;
  by: string;
  day: string;
  detail_id: number;
  kind: MonthChangeKind;
  lines: number;
  product: string;
  quantity: number;
  returned: number;
  sheet_id: number;
  total: number;
  value: number;
};
export type MonthChangesView = {
  count: number;
  items: MonthChangeView[];
  total: number;
};
export type DayFiguresView = {
  day: string;
  lines: number;
  quantity: number;
  returned: number;
  total: number;
  value: number;
};
export type FiguresView = {
  lines: number;
  quantity: number;
  returned: number;
  total: number;
  value: number;
};
export type MonthPartsView = {
  area: FiguresView;
  treatment: FiguresView;
  wasted: FiguresView;
};
export type MonthVersionView = {
  at: string;
  id: number;
  total: number;
  turn: number;
};
export type MonthView = {
  accounts: MonthAccountsView;
  area: MonthAreaView | null;
  areas: NamedFiguresView[];
  at: string;
  by: string;
  categories: NamedFiguresView[];
  changes: MonthChangesView;
  days: DayFiguresView[];
  id: number;
  made_here: MonthChangesView;
  month: string;
  products: NamedFiguresView[];
  proof: string | null;
  sums: MonthPartsView;
  total: number;
  turn: number;
  versions: MonthVersionView[];
};
export type NoticeKind =
  | 'voided'
  | 'moved'
  | 'returned'
  | 'wasted'
  | 'quantity_corrected'
  | 'product_corrected';
export type NoticeSheetView = {
  area?: AreaView;
  closed: boolean;
  id: number;
  patient: PersonView | null;
  room: string | null;
};
export type ProductNameView = {
  code: string | null;
  id: number;
  name: string;
  unit: string | null;
};
export type NoticeView = {
  at: string;
  by: string;
  detail_id: number;
  id: number;
  kind: NoticeKind;
  moved_from: NoticeSheetView | null;
  new_product: ProductNameView | null;
  new_quantity: number | null;
  product: ProductNameView | null;
  quantity: number;
  seen_at: string | null;
  sheet: NoticeSheetView;
};
export type NoticesView = {
  items: NoticeView[];
  more: boolean;
};
export type OutboundMessageView = {
  charges: number;
  consumption_sheet_id: number;
  control_id: string;
  created_at: string;
  decided_by: string | null;
  id: number;
  next_try_at: string | null;
  problem: string | null;
  reason: string | null;
  sent_at: string | null;
  state: OutboundState;
  tries: number;
};
export type PageOutboundMessageView = {
  items: OutboundMessageView[];
  meta: Meta;
};
export type WholeOutboundMessageView = {
  body: string;
  charges: number;
  consumption_sheet_id: number;
  control_id: string;
  created_at: string;
  decided_by: string | null;
  id: number;
  next_try_at: string | null;
  problem: string | null;
  reason: string | null;
  sent_at: string | null;
  state: OutboundState;
  tries: number;
};
export type DischargeView = {
  at: string;
  consumption_sheet_id: number;
  patient: PersonView;
  room: string;
};
export type SheetAtWorkView = {
  admission_date: string;
  days_open: number;
  details: number;
  id: number;
  last_recorded_at: string | null;
  patient: PersonView;
  room: SheetRoomView;
};
export type TodayView = {
  details: number;
  patients: number;
  total?: number;
};
export type OverviewView = {
  day: string;
  discharges?: DischargeView[];
  mine: SheetAtWorkView[];
  open_sheets: number;
  today: TodayView;
};
export type PatientView = {
  active: number;
  date_of_birth: string | null;
  first_surname: string;
  id: number;
  merged_by?: number | null;
  merged_into: number | null;
  name: string;
  open_sheets: number;
  record_number: string | null;
  second_surname: string | null;
  unidentified?: boolean;
};
export type PatientPage = {
  exact?: number;
  items: PatientView[];
  meta: Meta;
  nearest?: PatientView[];
};
export type DifferenceView = {
  field: string;
  mine: string;
  theirs: string;
};
export type SheetsToMoveView = {
  closed: number;
  open: number;
};
export type MergePreviewView = {
  another_person: boolean;
  asks_number_of: number | null;
  differs: DifferenceView[];
  fills: string[];
  sheets: SheetsToMoveView;
};
export type UnmergedPatientView = {
  patient: PatientView;
  returned: number[];
  stayed: number[];
};
export type ProductPage = {
  items: ProductView[];
  meta: Meta;
  nearest?: ProductView[];
};
export type PlainNameFilter = 'missing';
export type OwnLabelView = {
  form_number?: number;
  kind: string;
  kit_id: number | null;
  state: string;
};
export type MatchView = {
  label: string | null;
  product: ProductView;
  system: string;
  units: number;
};
export type NotedCodeView = {
  code: string;
  system: string;
};
export type ScannedSheetView = {
  admission_date: string;
  id: number;
  room: PlaceView;
};
export type ScannedPersonView = {
  date_of_birth: string | null;
  first_surname: string;
  id: number;
  name: string;
  record_number: string | null;
  second_surname: string | null;
  sheet_id: number | null;
  sheets: ScannedSheetView[];
};
export type ReadingView = {
  bare: boolean;
  count: number | null;
  expiry: string | null;
  expiry_unreadable: boolean;
  gtin: string | null;
  incomplete: boolean;
  lot: string | null;
  separator_lost: boolean;
  serial: string | null;
};
export type RecallInForceView = {
  id: number;
  reason: string;
  since: string;
};
export type SerialUsedView = {
  at: string;
  consumption_sheet_id: number;
};
export type ProductLookupView = {
  expired: boolean;
  label: OwnLabelView | null;
  matches: MatchView[];
  noted: NotedCodeView | null;
  people: ScannedPersonView[];
  read_as: string | null;
  reading: ReadingView | null;
  recall: RecallInForceView | null;
  serial_used: SerialUsedView | null;
};
export type TypedProductView = {
  area: AreaView | null;
  product: KitProductView;
  scanned: number;
  typed: number;
};
export type TypedProductsView = {
  items: TypedProductView[];
  since: string;
};
export type CodeSystem = 'gtin' | 'hibc' | 'supplier' | 'unspsc' | 'gmdn' | 'cum' | 'cnis' | 'billing';
export type ProductCodeView = {
  code: string;
  id: number;
  label: string | null;
  product_id: number;
  system: CodeSystem;
  units: number;
};
export type ProductCodesView = {
  items: ProductCodeView[];
};
export type PriceChangeView = {
  at: string;
  by: string | null;
  imported: boolean;
  previous_price?: number | null;
  price?: number;
};
export type PriceHistoryView = {
  items: PriceChangeView[];
};
export type TypedNameView = {
  id: number;
  last_at: string;
  text: string;
  times: number;
};
export type TypedNamesView = {
  items: TypedNameView[];
};
export type UsualQuantityView = {
  far_out_above: number;
  usual_quantity: number | null;
};
export type RecallView = {
  closed: boolean;
  closed_at: string | null;
  id: number;
  lot: string | null;
  opened_at: string;
  opened_by: number;
  product: ProductNameView;
  product_id: number;
  reason: string;
  set_aside: number;
};
export type PageRecallView = {
  items: RecallView[];
  meta: Meta;
};
export type ExportedDetailView = {
  acknowledged?: Code[];
  area: AreaView | null;
  area_id: number | null;
  consumption_sheet_id: number;
  corrected_from?: number | null;
  created_at: string;
  day?: string;
  expiry?: string | null;
  form_id?: number | null;
  gtin?: string | null;
  id: number;
  implant_reason?: string | null;
  kit?: KitNameView | null;
  kit_id?: number | null;
  lot?: string | null;
  occurred_at?: string | null;
  patient: SheetPatientView | null;
  patient_id: number | null;
  product: DetailProductView;
  product_id: number;
  quantity: number;
  recall_reason?: string | null;
  returned?: number;
  room: PlaceView | null;
  room_id?: number | null;
  serial?: string | null;
  staff: PersonView | null;
  staff_id: number | null;
  total?: number;
  unbilled?: Unbilled | null;
  unit_price?: number;
  use_reason?: UseReason | null;
  user_id: number;
  version: number;
  voided?: VoidedView;
  warnings?: WarningView[];
};
export type PageExportedDetailView = {
  items: ExportedDetailView[];
  meta: Meta;
};
export type SetAsideView = {
  area: string | null;
  area_id: number | null;
  at: string;
  by: string | null;
  id: number;
  lot: string | null;
  product_id: number;
  quantity: number;
  recall_id: number;
  room: string | null;
  room_id: number | null;
  user_id: number;
};
export type SetAsideListView = {
  items: SetAsideView[];
  quantity: number;
};
export type ConsumptionBy =
  | 'day'
  | 'month'
  | 'shift'
  | 'area'
  | 'room'
  | 'category'
  | 'product'
  | 'staff'
  | 'patient'
  | 'use_reason';
export type PartSumsView = {
  details: number;
  quantity: number;
  total?: number;
};
export type PartsView = {
  area: PartSumsView;
  treatment: PartSumsView;
  wasted: PartSumsView;
};
export type ConsumptionSumsView = {
  details: number;
  quantity: number;
  total?: number;
  value?: number;
};
export type ConsumptionRowView = {
  category_code?: string;
  code?: string | null;
  details: number;
  id: number | null;
  key: string;
  name: string | null;
  parts?: PartsView;
  previous?: ConsumptionSumsView;
  quantity: number;
  record_number?: string | null;
  total?: number;
  unit?: string | null;
  value?: number;
};
export type PeriodView = {
  from: string;
  to: string;
};
export type PeriodSumsView = {
  details: number;
  patient_days: number;
  quantity: number;
  total?: number;
  value?: number;
};
export type ConsumptionTotalsView = {
  details: number;
  parts?: PartsView;
  patient_days: number;
  previous?: PeriodSumsView;
  quantity: number;
  total?: number;
  value?: number;
};
export type ConsumptionPage = {
  by: ConsumptionBy;
  items: ConsumptionRowView[];
  meta: Meta;
  period: PeriodView;
  previous_period?: PeriodView;
  sums: ConsumptionTotalsView;
};
export type Compare = 'previous';
export type DoubtfulLine = {
  counts: boolean;
  line: number;
  messages: string[];
};
export type ReconciliationRowView = {
  area: string;
  area_id: number | null;
  area_use: number | null;
  code: string | null;
  difference: number | null;
  handed_out: number;
  product: string;
  product_id: number | null;
  recorded: number | null;
  returned: number | null;
  treatment: number | null;
  unit: string | null;
  wasted: number | null;
};
export type ReconciliationPeriod = {
  since: string;
  until: string;
};
export type ReconciliationAnswer = {
  all_doubts: number;
  all_items: number;
  counted: number;
  doubts: DoubtfulLine[];
  items: ReconciliationRowView[];
  left_out: number;
  period: ReconciliationPeriod;
};
export type RoomSheetView = {
  admission_date: string;
  id: number;
  patient: PersonView;
};
export type RoomView = {
  area: AreaView;
  area_id: number;
  code: string | null;
  id: number;
  name: string;
  sheets: RoomSheetView[];
  status: number;
  type: number;
};
export type PageRoomView = {
  items: RoomView[];
  meta: Meta;
};
export type RoomRangesView = {
  created: string[];
  existing: string[];
};
export type ApiKeyView = {
  created_at: string;
  created_by: AuditUserView;
  expires_at: string | null;
  id: number;
  name: string;
  networks: string[];
  prefix: string;
  refused_address: string | null;
  refused_at: string | null;
  revoked_at: string | null;
  scopes: Permission[];
  used_at: string | null;
};
export type ServiceAccountView = {
  id: number;
  keys: ApiKeyView[];
  name: string;
};
export type ServiceAccountsView = {
  items: ServiceAccountView[];
  scopes: Permission[];
};
export type MadeKeyView = {
  key: ApiKeyView;
  secret: string;
};
export type ShiftSheetView = {
  area?: AreaView;
  closed: boolean;
  id: number;
  last_recorded_at: string;
  lines: number;
  patient: SheetPatientView | null;
  room: string | null;
  units: number;
};
export type WorkedShiftView = {
  name: string;
  since: string;
  until: string;
};
export type ShiftUnlistedItemView = {
  created_at: string;
  description: string;
  id: number;
  quantity: number;
  sheet: NoticeSheetView;
};
export type ShiftView = {
  notices: NoticeView[];
  sheets: ShiftSheetView[];
  shifts: WorkedShiftView[];
  since: string;
  unlisted_items: ShiftUnlistedItemView[];
  until: string | null;
};
export type PageStaffView = {
  items: StaffView[];
  meta: Meta;
};
export type OwnProfile = {
  data: StaffView | null;
};
export type SavedProfile = {
  data: StaffView;
  user_id: number;
};
export type StatusAdvice =
  | 'disk_low'
  | 'disk_full'
  | 'backup_none'
  | 'backup_old'
  | 'replica_off'
  | 'replica_down'
  | 'replica_old'
  | 'seal_none'
  | 'seal_old'
  | 'audit_off'
  | 'audit_slow'
  | 'audit_stuck'
  | 'inbound_none'
  | 'inbound_quiet'
  | 'inbound_held'
  | 'billing_off'
  | 'billing_slow'
  | 'billing_stuck'
  | 'billing_dead'
  | 'email_off'
  | 'sign_in_off'
  | 'sign_in_unreachable'
  | 'sign_in_unusable'
  | 'lines_unsent'
  | 'lines_forgotten'
  | 'time_zone_utc';
export type StatusKey =
  | 'server'
  | 'database'
  | 'backup'
  | 'replica'
  | 'seal'
  | 'audit_sending'
  | 'inbound'
  | 'billing'
  | 'email'
  | 'sign_in'
  | 'devices'
  | 'time_zone';
export type StatusLevel = 'ok' | 'warning' | 'error';
export type FindingView = {
  advice: StatusAdvice | null;
  at: string | null;
  count: number | null;
  failed: number | null;
  free: number | null;
  key: StatusKey;
  level: StatusLevel;
  name: string | null;
  oldest_at: string | null;
  problem: string | null;
  size: number | null;
};
export type StatusView = {
  at: string;
  findings: FindingView[];
};
export type SentEmailView = {
  email: string;
};
export type UnknownCodeView = {
  code: string;
  last_at: string;
  system: string;
  times: number;
};
export type UnknownCodesView = {
  items: UnknownCodeView[];
};
export type UserView = {
  email: string;
  has_password: boolean;
  id: number;
  oidc_linked: boolean;
  profile: StaffView | null;
  role: string;
  staff_id: number | null;
};
export type PageUserView = {
  items: UserView[];
  meta: Meta;
};
export type UserLinkView = {
  email: string;
  expires_at: string;
  name: string | null;
  url: string;
  user_id: number;
};
export type UserLinks = {
  items: UserLinkView[];
};
export type BadgeView = {
  id: number;
  made_at: string;
  name: string | null;
  used_at: string | null;
};
export type BadgesView = {
  items: BadgeView[];
};
export type PasskeysView = {
  items: PasskeyView[];
};
export type SignInMethod = 'password' | 'oidc' | 'passkey' | 'password+passkey' | 'activation';
export type SessionView = {
  address: string;
  began_at: string | null;
  browser: string | null;
  client: string;
  current: boolean;
  device: string | null;
  how: SignInMethod;
  id: string;
  locked: boolean;
  system: string | null;
  used_at: string | null;
};
export type SessionsView = {
  items: SessionView[];
};
export type WardSheetView = {
  admission_date: string;
  discharge_proposed: boolean;
  id: number;
  last_recorded_at: string | null;
  lines_by_day: number[];
  lines_today: number;
  mine: boolean;
  patient: SheetPatientView;
  unlisted_items: number;
};
export type WardRoomView = {
  area: AreaView;
  id: number;
  name: string;
  sheets: WardSheetView[];
  status: number;
};
export type WardView = {
  areas: AreaView[];
  day: string;
  more_rooms: boolean;
  rooms: WardRoomView[];
};
export type DeviceOutboxView = {
  area: string | null;
  by: string;
  id: number;
  lines: number;
  oldest_at: string;
  reported_at: string;
};
export type ExpiringKeyView = {
  expires_at: string;
  id: number;
  name: string;
  service_account: string;
};
export type LateSheetView = {
  area?: AreaView;
  closed: boolean;
  consumption_sheet_id: number;
  entries: number;
  patient: PersonView | null;
  room: string | null;
  since: string;
};
export type RecalledUseView = {
  area?: AreaView;
  at: string;
  by: string;
  closed: boolean;
  consumption_sheet_id: number;
  detail_id: number;
  lot: string | null;
  patient: PersonView | null;
  product: ProductNameView;
  quantity: number;
  reason: string | null;
  room: string | null;
};
export type UnlistedSheetView = {
  area?: AreaView;
  closed: boolean;
  consumption_sheet_id: number;
  items: number;
  patient: PersonView | null;
  room: string | null;
  since: string;
};
export type Oddity =
  | 'sheet_quiet'
  | 'sheet_open_long'
  | 'sheet_without_line_today'
  | 'quantity_zero'
  | 'quantity_far_out'
  | 'lines_unsent';
export type UnusualLineView = {
  area?: AreaView;
  at: string;
  by: string;
  consumption_sheet_id: number;
  detail_id: number;
  kind: Oddity;
  latest_quantities: number[];
  product: ProductNameView;
  quantity: number;
  sheet: SheetAtWorkView | null;
  usual_quantity: number | null;
  version: number;
};
export type UnusualSheetView = {
  days: number;
  kind: Oddity;
  sheet: SheetAtWorkView;
};
export type WorklistView = {
  count: number;
  device_outboxes: DeviceOutboxView[];
  discharges: DischargeView[];
  expiring_keys: ExpiringKeyView[];
  held_messages: number;
  late_entries: LateSheetView[];
  max_per_kind: number;
  open_forms: number;
  products_without_price: number;
  recalled_uses: RecalledUseView[];
  unknown_codes: UnknownCodeView[];
  unlisted_items: UnlistedSheetView[];
  unusual_lines: UnusualLineView[];
  unusual_sheets: UnusualSheetView[];
};
export type WorklistCountView = {
  count: number;
};
export type Health = {
  status: string;
};
export const {
  useReadAreaSheetQuery,
  useListAreasQuery,
  useCreateAreaMutation,
  useDeleteAreaMutation,
  useReadAreaQuery,
  useUpdateAreaMutation,
  useReadRestockQuery,
  useCloseRestockListMutation,
  useListClosedRestockQuery,
  useUndoPutBackMutation,
  usePutBackProductMutation,
  useOpenAreaSheetQuery,
  useListAreaSheetsQuery,
  useListShelvesQuery,
  useSetShelfMutation,
  useListAuditQuery,
  useFindBadgeMutation,
  useBindDeviceMutation,
  useCreateFirstAdministratorMutation,
  useLockSessionMutation,
  useSignOutMutation,
  useMakeNonceMutation,
  useRegisterPasskeyByLinkMutation,
  useReadPasskeyLinkMutation,
  useSignInWithPasskeyMutation,
  useBeginPasskeySignInMutation,
  useRegisterPasskeyMutation,
  useBeginPasskeyRegistrationMutation,
  useRequestPasswordResetMutation,
  useReadPasswordLinkMutation,
  useChoosePasswordMutation,
  useCheckPasswordOnLinkMutation,
  useCheckOwnPasswordMutation,
  useRemovePinMutation,
  useSetPinMutation,
  useReadOwnAccountQuery,
  useInviteUserMutation,
  useGiveSecondFactorMutation,
  useUnlockSessionMutation,
  useBeginPasskeyUnlockMutation,
  useReadCatalogueMutation,
  useListCategoriesQuery,
  useCreateCategoryMutation,
  useDeleteCategoryMutation,
  useReadCategoryQuery,
  useUpdateCategoryMutation,
  useListDetailsQuery,
  useAddDetailMutation,
  useVoidDetailsMutation,
  useDeleteDetailMutation,
  useReadDetailQuery,
  useEditDetailMutation,
  useCorrectDetailMutation,
  useAcknowledgeRecalledUseMutation,
  useReturnDetailMutation,
  useVoidDetailMutation,
  useUnmarkWasteMutation,
  useMarkWasteMutation,
  useListSheetsQuery,
  useOpenSheetMutation,
  useCheckPaperQuery,
  useAdmitUnidentifiedMutation,
  useDeleteSheetMutation,
  useReadSheetQuery,
  useUpdateSheetMutation,
  useReadAccountQuery,
  useCompareAccountsQuery,
  usePrintAccountQuery,
  useIssueAccountMutation,
  useCloseSheetMutation,
  useUndoClosingMutation,
  useListClosingsQuery,
  useReadClosingQuery,
  useListSheetDetailsQuery,
  useAddSheetDetailMutation,
  useRecordDetailsMutation,
  useReadSheetHistoryQuery,
  useListLateEntriesQuery,
  useSubmitLateEntryMutation,
  useListMissedChargesQuery,
  useAnswerMissedChargeMutation,
  useMoveDetailsMutation,
  useReopenSheetMutation,
  useListRepeatableQuery,
  useUndoTransferMutation,
  useSummarizeSheetQuery,
  useTransferPatientMutation,
  useListUnlistedItemsQuery,
  useNoteUnlistedItemMutation,
  useListUsualProductsQuery,
  useReadSheetVersionQuery,
  useListFormsQuery,
  usePrintFormsMutation,
  useReadFormQuery,
  useDiscardFormMutation,
  useRecordFormMutation,
  useReportOutboxMutation,
  useEndDeviceSessionsMutation,
  useCheckDocumentQuery,
  useRemoveHospitalLogoMutation,
  useSetHospitalLogoMutation,
  useReadHospitalSettingsQuery,
  useChangeHospitalSettingsMutation,
  useListImplantsQuery,
  useListImportsQuery,
  useImportFileMutation,
  useCheckImportMutation,
  useReadFileMutation,
  useReadImportQuery,
  useUndoImportMutation,
  useListInboundMessagesQuery,
  useDismissInboundMessagesMutation,
  useRetryInboundMessagesMutation,
  useReadInboundMessageQuery,
  useDismissInboundMessageMutation,
  useOpenSheetWithMessageMutation,
  useAnswerPatientOfMessageMutation,
  useRetryInboundMessageMutation,
  useAnswerRoomOfMessageMutation,
  useAnswerSheetOfMessageMutation,
  useReadOwnKeyQuery,
  useRevokeKeyMutation,
  useListKitsQuery,
  useCreateKitMutation,
  useDeleteKitMutation,
  useReadKitQuery,
  useUpdateKitMutation,
  useReviewKitQuery,
  usePrintLabelsMutation,
  useDismissLateEntryMutation,
  useRecordLateEntryMutation,
  useListMonthsQuery,
  useCloseMonthMutation,
  useReadMonthQuery,
  usePrintMonthQuery,
  useExportMonthQuery,
  useListNoticesQuery,
  useMarkNoticesSeenMutation,
  useListOutboundMessagesQuery,
  useReadOutboundMessageQuery,
  useRetryOutboundMessageMutation,
  useMarkOutboundMessageSentMutation,
  useReadOverviewQuery,
  useListPatientsQuery,
  useCreatePatientMutation,
  useDeletePatientMutation,
  useReadPatientQuery,
  useUpdatePatientMutation,
  useIdentifyPatientMutation,
  useMergePatientsMutation,
  usePreviewMergeQuery,
  useListReadersQuery,
  useUnmergePatientsMutation,
  useRemoveProductCodeMutation,
  useListProductsQuery,
  useCreateProductMutation,
  useLookUpProductQuery,
  useListTypedProductsQuery,
  useDeleteProductMutation,
  useReadProductQuery,
  useUpdateProductMutation,
  useListProductCodesQuery,
  useAddProductCodeMutation,
  useUnpinProductMutation,
  usePinProductMutation,
  useRemovePictureMutation,
  useReadPictureQuery,
  useSetPictureMutation,
  useReadPriceHistoryQuery,
  useListTypedNamesQuery,
  useNoteTypedNameMutation,
  useReadUsualQuantityQuery,
  useListRecallsQuery,
  useOpenRecallMutation,
  useReadRecallQuery,
  useUpdateRecallMutation,
  useListRecalledDetailsQuery,
  useListSetAsideQuery,
  useSetAsideRecalledMutation,
  useReportConsumptionQuery,
  useReconcileHandedOutMutation,
  useExportReconciliationMutation,
  useReadRestockListQuery,
  useListRoomsQuery,
  useCreateRoomMutation,
  useCreateRoomRangesMutation,
  useCheckRoomRangesMutation,
  useDeleteRoomMutation,
  useReadRoomQuery,
  useUpdateRoomMutation,
  useListServiceAccountsQuery,
  useCreateServiceAccountMutation,
  useDeleteServiceAccountMutation,
  useUpdateServiceAccountMutation,
  useCreateKeyMutation,
  useReadShiftQuery,
  useListStaffQuery,
  useCreateStaffMutation,
  useReadOwnProfileQuery,
  useCompleteProfileMutation,
  useDeleteStaffMutation,
  useReadStaffQuery,
  useUpdateStaffMutation,
  useReadStatusQuery,
  useSendTestEmailMutation,
  useAddTypedNameMutation,
  useDismissTypedNameMutation,
  useListUnknownCodesQuery,
  useIgnoreUnknownCodeMutation,
  useWithdrawUnlistedItemMutation,
  useDiscardUnlistedItemMutation,
  useResolveUnlistedItemMutation,
  useListUsersQuery,
  useChooseOwnWardMutation,
  useCreateImportedLinksMutation,
  useDeleteUserMutation,
  useReadUserQuery,
  useUpdateUserMutation,
  useListBadgesQuery,
  useAddBadgeMutation,
  useRemoveBadgeMutation,
  useUnlinkOidcMutation,
  useCreatePasskeyLinkMutation,
  useListPasskeysQuery,
  useRemovePasskeyMutation,
  useRenamePasskeyMutation,
  useCreatePasswordLinkMutation,
  useEndOtherSessionsMutation,
  useListSessionsQuery,
  useEndSessionMutation,
  useReadWardQuery,
  useReadWorklistQuery,
  useCountWorklistQuery,
  useUndoJudgementMutation,
  useJudgeRightMutation,
  useIsLiveQuery,
  useIsReadyQuery,
} = injectedRtkApi;
