import { api } from './base';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    signIn: build.mutation<SignInApiResponse, SignInApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/login`,
        method: 'POST',
        body: queryArg.credentials,
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedSignIn };
export type SignInApiResponse = /** status 201 Document created, URL follows */ AccessToken;
export type SignInApiArg = {
  credentials: {
    email: string;
    password: string;
  };
};
export type AccessToken = {
  access_token: string;
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
  /** With 5xx: by which the log has more of it */
  request_id?: string;
  status: number;
  title: string;
  type: string;
};
export const { useSignInMutation } = injectedRtkApi;
