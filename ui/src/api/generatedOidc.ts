import { api } from './base';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    finishOidcSignIn: build.mutation<FinishOidcSignInApiResponse, FinishOidcSignInApiArg>({
      extraOptions: { success: [201] },
      query: (queryArg) => ({
        url: `/api/auth/oidc/exchange`,
        method: 'POST',
        body: queryArg.oidcReturn,
      }),
    }),
    linkOidc: build.mutation<LinkOidcApiResponse, LinkOidcApiArg>({
      extraOptions: { success: [204] },
      query: (queryArg) => ({
        url: `/api/auth/oidc/link`,
        method: 'POST',
        body: queryArg.oidcReturn,
      }),
    }),
    beginLinkingOidc: build.mutation<BeginLinkingOidcApiResponse, BeginLinkingOidcApiArg>({
      extraOptions: { success: [201] },
      query: () => ({ url: `/api/auth/oidc/link/start`, method: 'POST' }),
    }),
    readLogoutUrl: build.query<ReadLogoutUrlApiResponse, ReadLogoutUrlApiArg>({
      extraOptions: { success: [200] },
      query: () => ({ url: `/api/auth/oidc/logout-url` }),
    }),
    beginOidcSignIn: build.mutation<BeginOidcSignInApiResponse, BeginOidcSignInApiArg>({
      extraOptions: { success: [201] },
      query: () => ({ url: `/api/auth/oidc/start`, method: 'POST' }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedOidc };
export type FinishOidcSignInApiResponse = /** status 201 Document created, URL follows */ OidcAccessToken;
export type FinishOidcSignInApiArg = {
  oidcReturn: {
    code?: string;
    error?: string;
    iss?: string;
    state: string;
    transaction: string;
  };
};
export type LinkOidcApiResponse = unknown;
export type LinkOidcApiArg = {
  oidcReturn: {
    code?: string;
    error?: string;
    iss?: string;
    state: string;
    transaction: string;
  };
};
export type BeginLinkingOidcApiResponse = /** status 201 Document created, URL follows */ OidcTransaction;
export type BeginLinkingOidcApiArg = void;
export type ReadLogoutUrlApiResponse = /** status 200 Request fulfilled, document follows */ LogoutUrl;
export type ReadLogoutUrlApiArg = void;
export type BeginOidcSignInApiResponse = /** status 201 Document created, URL follows */ OidcTransaction;
export type BeginOidcSignInApiArg = void;
export type OidcAccessToken = {
  access_token: string;
  family_name: string | null;
  given_name: string | null;
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
export type OidcTransaction = {
  authorization_url: string;
  transaction: string;
};
export type LogoutUrl = {
  url: string | null;
};
