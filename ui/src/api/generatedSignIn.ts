import { api } from './base';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    signIn: build.mutation<SignInApiResponse, SignInApiArg>({
      extraOptions: { success: [201, 202] },
      query: (queryArg) => ({
        url: `/api/auth/login`,
        method: 'POST',
        body: queryArg.credentials,
      }),
    }),
    readSettings: build.query<ReadSettingsApiResponse, ReadSettingsApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/api/settings` }),
      providesTags: ['Hospital'],
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedSignIn };
export type SignInApiResponse =
  | /** status 201 Document created, URL follows */ AccessToken
  | /** status 202 Second factor required: continue with a passkey */ SecondFactor;
export type SignInApiArg = {
  credentials: {
    email: string;
    password: string;
  };
};
export type ReadSettingsApiResponse = /** status 200 Request fulfilled, document follows */ PublicSettings;
export type ReadSettingsApiArg = void;
export type AccessToken = {
  access_token: string;
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
export type OidcSettings = {
  logout: boolean;
  name: string;
  only: boolean;
};
export type PublicSettings = {
  currency: string;
  demonstration: boolean;
  hospital_name: string | null;
  idle_minutes: number;
  logo_version: number | null;
  number_format: string;
  offline: boolean;
  oidc: OidcSettings | null;
  passkey_host: string | null;
  record_authority: string | null;
  shifts: string[];
  time_zone: string;
  utc_offset_minutes: number;
};
export const { useSignInMutation, useReadSettingsQuery } = injectedRtkApi;
