import { api } from './base';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listAreas: build.query<ListAreasApiResponse, ListAreasApiArg>({
      query: (queryArg) => ({
        url: `/api/areas`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
        },
      }),
    }),
    readArea: build.query<ReadAreaApiResponse, ReadAreaApiArg>({
      query: (queryArg) => ({ url: `/api/areas/${queryArg.areaId}` }),
    }),
    signIn: build.mutation<SignInApiResponse, SignInApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/login`,
        method: 'POST',
        body: queryArg.credentials,
      }),
    }),
    signOut: build.mutation<SignOutApiResponse, SignOutApiArg>({
      query: () => ({ url: `/api/auth/logout`, method: 'POST' }),
    }),
    readOwnAccount: build.query<ReadOwnAccountApiResponse, ReadOwnAccountApiArg>({
      query: () => ({ url: `/api/auth/profile` }),
    }),
    listCategories: build.query<ListCategoriesApiResponse, ListCategoriesApiArg>({
      query: (queryArg) => ({
        url: `/api/categories`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
        },
      }),
    }),
    readCategory: build.query<ReadCategoryApiResponse, ReadCategoryApiArg>({
      query: (queryArg) => ({ url: `/api/categories/${queryArg.categoryId}` }),
    }),
    listDetails: build.query<ListDetailsApiResponse, ListDetailsApiArg>({
      query: (queryArg) => ({
        url: `/api/consumption-details`,
        params: {
          product_id: queryArg.productId,
          staff_id: queryArg.staffId,
          area_id: queryArg.areaId,
          from: queryArg['from'],
          to: queryArg.to,
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
          consumption_sheet_id: queryArg.consumptionSheetId,
        },
      }),
    }),
    addDetail: build.mutation<AddDetailApiResponse, AddDetailApiArg>({
      query: (queryArg) => ({
        url: `/api/consumption-details`,
        method: 'POST',
        body: queryArg.detailDraft,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    deleteDetail: build.mutation<DeleteDetailApiResponse, DeleteDetailApiArg>({
      query: (queryArg) => ({
        url: `/api/consumption-details/${queryArg.detailId}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    readDetail: build.query<ReadDetailApiResponse, ReadDetailApiArg>({
      query: (queryArg) => ({
        url: `/api/consumption-details/${queryArg.detailId}`,
      }),
    }),
    editDetail: build.mutation<EditDetailApiResponse, EditDetailApiArg>({
      query: (queryArg) => ({
        url: `/api/consumption-details/${queryArg.detailId}`,
        method: 'PUT',
        body: queryArg.detailDraft,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    listSheets: build.query<ListSheetsApiResponse, ListSheetsApiArg>({
      query: (queryArg) => ({
        url: `/api/consumption-sheets`,
        params: {
          closed: queryArg.closed,
          patient_id: queryArg.patientId,
          room_id: queryArg.roomId,
          area_id: queryArg.areaId,
          from: queryArg['from'],
          to: queryArg.to,
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
        },
      }),
    }),
    openSheet: build.mutation<OpenSheetApiResponse, OpenSheetApiArg>({
      query: (queryArg) => ({
        url: `/api/consumption-sheets`,
        method: 'POST',
        body: queryArg.sheetDraft,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    deleteSheet: build.mutation<DeleteSheetApiResponse, DeleteSheetApiArg>({
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    readSheet: build.query<ReadSheetApiResponse, ReadSheetApiArg>({
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}`,
      }),
    }),
    updateSheet: build.mutation<UpdateSheetApiResponse, UpdateSheetApiArg>({
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}`,
        method: 'PUT',
        body: queryArg.sheetDraft,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    closeSheet: build.mutation<CloseSheetApiResponse, CloseSheetApiArg>({
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/close`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    listSheetDetails: build.query<ListSheetDetailsApiResponse, ListSheetDetailsApiArg>({
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/consumption-details`,
        params: {
          product_id: queryArg.productId,
          staff_id: queryArg.staffId,
          area_id: queryArg.areaId,
          from: queryArg['from'],
          to: queryArg.to,
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          cursor: queryArg.cursor,
        },
      }),
    }),
    addSheetDetail: build.mutation<AddSheetDetailApiResponse, AddSheetDetailApiArg>({
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/consumption-details`,
        method: 'POST',
        body: queryArg.detailDraft,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    reopenSheet: build.mutation<ReopenSheetApiResponse, ReopenSheetApiArg>({
      query: (queryArg) => ({
        url: `/api/consumption-sheets/${queryArg.sheetId}/reopen`,
        method: 'POST',
        body: queryArg.reopenDraft,
      }),
    }),
    listPatients: build.query<ListPatientsApiResponse, ListPatientsApiArg>({
      query: (queryArg) => ({
        url: `/api/patients`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          active: queryArg.active,
        },
      }),
    }),
    readPatient: build.query<ReadPatientApiResponse, ReadPatientApiArg>({
      query: (queryArg) => ({ url: `/api/patients/${queryArg.patientId}` }),
    }),
    listProducts: build.query<ListProductsApiResponse, ListProductsApiArg>({
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
        },
      }),
    }),
    readProduct: build.query<ReadProductApiResponse, ReadProductApiArg>({
      query: (queryArg) => ({ url: `/api/products/${queryArg.productId}` }),
    }),
    listRooms: build.query<ListRoomsApiResponse, ListRoomsApiArg>({
      query: (queryArg) => ({
        url: `/api/rooms`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          area_id: queryArg.areaId,
        },
      }),
    }),
    readRoom: build.query<ReadRoomApiResponse, ReadRoomApiArg>({
      query: (queryArg) => ({ url: `/api/rooms/${queryArg.roomId}` }),
    }),
    readSettings: build.query<ReadSettingsApiResponse, ReadSettingsApiArg>({
      query: () => ({ url: `/api/settings` }),
    }),
    listStaff: build.query<ListStaffApiResponse, ListStaffApiArg>({
      query: (queryArg) => ({
        url: `/api/staff`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          sort: queryArg.sort,
          q: queryArg.q,
          unassigned: queryArg.unassigned,
        },
      }),
    }),
    readOwnProfile: build.query<ReadOwnProfileApiResponse, ReadOwnProfileApiArg>({
      query: () => ({ url: `/api/staff/profile` }),
    }),
    completeProfile: build.mutation<CompleteProfileApiResponse, CompleteProfileApiArg>({
      query: (queryArg) => ({
        url: `/api/staff/profile`,
        method: 'PUT',
        body: queryArg.staffDraft,
      }),
    }),
    readStaff: build.query<ReadStaffApiResponse, ReadStaffApiArg>({
      query: (queryArg) => ({ url: `/api/staff/${queryArg.staffId}` }),
    }),
    isLive: build.query<IsLiveApiResponse, IsLiveApiArg>({
      query: () => ({ url: `/health/live` }),
    }),
    isReady: build.query<IsReadyApiResponse, IsReadyApiArg>({
      query: () => ({ url: `/health/ready` }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedApi };
export type ListAreasApiResponse = /** status 200 Request fulfilled, document follows */ PageAreaView;
export type ListAreasApiArg = {
  page?: number;
  limit?: number;
  /** A field; with - before it, descending */
  sort?: string;
  /** Free text */
  q?: string;
};
export type ReadAreaApiResponse = /** status 200 Request fulfilled, document follows */ AreaView;
export type ReadAreaApiArg = {
  areaId: number;
};
export type SignInApiResponse = /** status 201 Document created, URL follows */ AccessToken;
export type SignInApiArg = {
  credentials: {
    email: string;
    password: string;
  };
};
export type SignOutApiResponse = unknown;
export type SignOutApiArg = void;
export type ReadOwnAccountApiResponse = /** status 200 Request fulfilled, document follows */ OwnAccountView;
export type ReadOwnAccountApiArg = void;
export type ListCategoriesApiResponse =
  /** status 200 Request fulfilled, document follows */ PageCategoryView;
export type ListCategoriesApiArg = {
  page?: number;
  limit?: number;
  /** A field; with - before it, descending */
  sort?: string;
  /** Free text */
  q?: string;
};
export type ReadCategoryApiResponse = /** status 200 Request fulfilled, document follows */ CategoryView;
export type ReadCategoryApiArg = {
  categoryId: number;
};
export type ListDetailsApiResponse = /** status 200 Request fulfilled, document follows */ PageDetailView;
export type ListDetailsApiArg = {
  productId?: number;
  staffId?: number;
  areaId?: number;
  from?: string;
  to?: string;
  page?: number;
  limit?: number;
  /** A field; with - before it, descending */
  sort?: string;
  /** Free text */
  q?: string;
  /** meta.next of the page before */
  cursor?: string;
  consumptionSheetId?: number;
};
export type AddDetailApiResponse = /** status 201 Document created, URL follows */ DetailView;
export type AddDetailApiArg = {
  /** The same key with the same body is done once */
  'Idempotency-Key'?: string;
  detailDraft: {
    area_id?: number;
    consumption_sheet_id: number;
    product_id: number;
    quantity: number;
    staff_id?: number;
    total?: number;
  };
};
export type DeleteDetailApiResponse = unknown;
export type DeleteDetailApiArg = {
  detailId: number;
  /** The ETag that the caller goes by */
  'If-Match'?: string;
};
export type ReadDetailApiResponse = /** status 200 Request fulfilled, document follows */ DetailView;
export type ReadDetailApiArg = {
  detailId: number;
};
export type EditDetailApiResponse = /** status 200 Request fulfilled, document follows */ DetailView;
export type EditDetailApiArg = {
  detailId: number;
  /** The ETag that the caller goes by */
  'If-Match'?: string;
  detailDraft: {
    area_id?: number;
    consumption_sheet_id?: number;
    product_id: number;
    quantity: number;
    staff_id?: number;
    total?: number;
  };
};
export type ListSheetsApiResponse = /** status 200 Request fulfilled, document follows */ PageSheetView;
export type ListSheetsApiArg = {
  closed?: boolean;
  patientId?: number;
  roomId?: number;
  areaId?: number;
  from?: string;
  to?: string;
  page?: number;
  limit?: number;
  /** A field; with - before it, descending */
  sort?: string;
  /** Free text */
  q?: string;
  /** meta.next of the page before */
  cursor?: string;
};
export type OpenSheetApiResponse = /** status 201 Document created, URL follows */ SheetView;
export type OpenSheetApiArg = {
  /** The same key with the same body is done once */
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
export type DeleteSheetApiResponse = unknown;
export type DeleteSheetApiArg = {
  sheetId: number;
  /** The ETag that the caller goes by */
  'If-Match'?: string;
};
export type ReadSheetApiResponse = /** status 200 Request fulfilled, document follows */ SheetView;
export type ReadSheetApiArg = {
  sheetId: number;
};
export type UpdateSheetApiResponse = /** status 200 Request fulfilled, document follows */ SheetView;
export type UpdateSheetApiArg = {
  sheetId: number;
  /** The ETag that the caller goes by */
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
export type CloseSheetApiResponse = /** status 200 Request fulfilled, document follows */ SheetView;
export type CloseSheetApiArg = {
  sheetId: number;
  /** The ETag that the caller goes by */
  'If-Match'?: string;
};
export type ListSheetDetailsApiResponse =
  /** status 200 Request fulfilled, document follows */ PageDetailView;
export type ListSheetDetailsApiArg = {
  productId?: number;
  staffId?: number;
  areaId?: number;
  from?: string;
  to?: string;
  page?: number;
  limit?: number;
  /** A field; with - before it, descending */
  sort?: string;
  /** Free text */
  q?: string;
  /** meta.next of the page before */
  cursor?: string;
  sheetId: number;
};
export type AddSheetDetailApiResponse = /** status 201 Document created, URL follows */ DetailView;
export type AddSheetDetailApiArg = {
  sheetId: number;
  /** The same key with the same body is done once */
  'Idempotency-Key'?: string;
  detailDraft: {
    area_id?: number;
    consumption_sheet_id?: number;
    product_id: number;
    quantity: number;
    staff_id?: number;
    total?: number;
  };
};
export type ReopenSheetApiResponse = /** status 200 Request fulfilled, document follows */ SheetView;
export type ReopenSheetApiArg = {
  sheetId: number;
  reopenDraft: {
    reason: string;
  };
};
export type ListPatientsApiResponse = /** status 200 Request fulfilled, document follows */ PagePatientView;
export type ListPatientsApiArg = {
  page?: number;
  limit?: number;
  /** A field; with - before it, descending */
  sort?: string;
  /** Free text */
  q?: string;
  /** 1 for active ones, 0 for inactive ones */
  active?: boolean;
};
export type ReadPatientApiResponse = /** status 200 Request fulfilled, document follows */ PatientView;
export type ReadPatientApiArg = {
  patientId: number;
};
export type ListProductsApiResponse = /** status 200 Request fulfilled, document follows */ PageProductView;
export type ListProductsApiArg = {
  page?: number;
  limit?: number;
  /** A field; with - before it, descending */
  sort?: string;
  /** Free text */
  q?: string;
  /** The same as q */
  name?: string;
  categoryId?: number;
  /** 1 for active ones, 0 for inactive ones */
  active?: boolean;
};
export type ReadProductApiResponse = /** status 200 Request fulfilled, document follows */ ProductView;
export type ReadProductApiArg = {
  productId: number;
};
export type ListRoomsApiResponse = /** status 200 Request fulfilled, document follows */ PageRoomView;
export type ListRoomsApiArg = {
  page?: number;
  limit?: number;
  /** A field; with - before it, descending */
  sort?: string;
  /** Free text */
  q?: string;
  areaId?: number;
};
export type ReadRoomApiResponse = /** status 200 Request fulfilled, document follows */ RoomView;
export type ReadRoomApiArg = {
  roomId: number;
};
export type ReadSettingsApiResponse = /** status 200 Request fulfilled, document follows */ PublicSettings;
export type ReadSettingsApiArg = void;
export type ListStaffApiResponse = /** status 200 Request fulfilled, document follows */ PageStaffView;
export type ListStaffApiArg = {
  page?: number;
  limit?: number;
  /** A field; with - before it, descending */
  sort?: string;
  /** Free text */
  q?: string;
  /** Those who are no user's profile */
  unassigned?: boolean;
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
export type ReadStaffApiResponse = /** status 200 Request fulfilled, document follows */ StaffView;
export type ReadStaffApiArg = {
  staffId: number;
};
export type IsLiveApiResponse = /** status 200 Request fulfilled, document follows */ Health;
export type IsLiveApiArg = void;
export type IsReadyApiResponse = /** status 200 Request fulfilled, document follows */ Health;
export type IsReadyApiArg = void;
export type AreaView = {
  id: number;
  name: string;
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
export type Problem = {
  code: string;
  detail: string;
  errors: {
    code: string;
    field: string | null;
    message: string;
  }[];
  message: string | string[];
  status: number;
  title: string;
  type: string;
};
export type AccessToken = {
  access_token: string;
};
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
export type OwnAccountView = {
  email: string;
  id: number;
  permissions: string[];
  profile: StaffView | null;
  profile_required: boolean;
  role: string;
  staff_id: number | null;
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
export type DetailProductView = {
  category: CategoryView;
  id: number;
  name: string;
  price?: number;
};
export type PersonView = {
  first_surname: string;
  id: number;
  name: string;
  second_surname: string | null;
};
export type DetailView = {
  area: AreaView | null;
  area_id: number | null;
  consumption_sheet_id: number;
  created_at: string;
  id: number;
  product: DetailProductView;
  product_id: number;
  quantity: number;
  staff: PersonView | null;
  staff_id: number | null;
  total?: number;
  unit_price?: number;
  user_id: number;
  version: number;
};
export type PageDetailView = {
  items: DetailView[];
  meta: Meta;
};
export type ConsumptionDayView = {
  created_at: string;
  details: number;
};
export type SheetRoomView = {
  area_id: number;
  id: number;
  name: string;
};
export type SheetView = {
  admission_date: string;
  closed: boolean;
  consumptions: ConsumptionDayView[];
  deleted_at: string | null;
  diagnosis: string;
  doctor: string;
  id: number;
  patient: PersonView;
  patient_id: number;
  room: SheetRoomView;
  room_id: number;
  total?: number;
  version: number;
};
export type PageSheetView = {
  items: SheetView[];
  meta: Meta;
};
export type PatientView = {
  active: number;
  date_of_birth: string | null;
  first_surname: string;
  id: number;
  name: string;
  record_number: string | null;
  second_surname: string | null;
};
export type PagePatientView = {
  items: PatientView[];
  meta: Meta;
};
export type ProductView = {
  active: boolean;
  category: CategoryView;
  category_id: number;
  code: string | null;
  gtin: string | null;
  id: number;
  name: string;
  price?: number;
  unit: string | null;
};
export type PageProductView = {
  items: ProductView[];
  meta: Meta;
};
export type RoomView = {
  area: AreaView;
  area_id: number;
  id: number;
  name: string;
  status: number;
  type: number;
};
export type PageRoomView = {
  items: RoomView[];
  meta: Meta;
};
export type PublicSettings = {
  currency: string;
  time_zone: string;
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
export type Health = {
  status: string;
};
export const {
  useListAreasQuery,
  useLazyListAreasQuery,
  useReadAreaQuery,
  useLazyReadAreaQuery,
  useSignInMutation,
  useSignOutMutation,
  useReadOwnAccountQuery,
  useLazyReadOwnAccountQuery,
  useListCategoriesQuery,
  useLazyListCategoriesQuery,
  useReadCategoryQuery,
  useLazyReadCategoryQuery,
  useListDetailsQuery,
  useLazyListDetailsQuery,
  useAddDetailMutation,
  useDeleteDetailMutation,
  useReadDetailQuery,
  useLazyReadDetailQuery,
  useEditDetailMutation,
  useListSheetsQuery,
  useLazyListSheetsQuery,
  useOpenSheetMutation,
  useDeleteSheetMutation,
  useReadSheetQuery,
  useLazyReadSheetQuery,
  useUpdateSheetMutation,
  useCloseSheetMutation,
  useListSheetDetailsQuery,
  useLazyListSheetDetailsQuery,
  useAddSheetDetailMutation,
  useReopenSheetMutation,
  useListPatientsQuery,
  useLazyListPatientsQuery,
  useReadPatientQuery,
  useLazyReadPatientQuery,
  useListProductsQuery,
  useLazyListProductsQuery,
  useReadProductQuery,
  useLazyReadProductQuery,
  useListRoomsQuery,
  useLazyListRoomsQuery,
  useReadRoomQuery,
  useLazyReadRoomQuery,
  useReadSettingsQuery,
  useLazyReadSettingsQuery,
  useListStaffQuery,
  useLazyListStaffQuery,
  useReadOwnProfileQuery,
  useLazyReadOwnProfileQuery,
  useCompleteProfileMutation,
  useReadStaffQuery,
  useLazyReadStaffQuery,
  useIsLiveQuery,
  useLazyIsLiveQuery,
  useIsReadyQuery,
  useLazyIsReadyQuery,
} = injectedRtkApi;
