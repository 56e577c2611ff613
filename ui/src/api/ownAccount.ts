import { tokenRenewed } from '@/session/session';
import type { UpdateUserApiArg, UserView } from './generated';
import type { AccessToken } from './generatedSignIn';
import { renewing } from './renewal';
import { api } from './tags';

interface Changed {
  user: UserView;
  /** False where another password ended the session, and no other one could be begun. */
  signedIn: boolean;
}

/**
 * Change the own email or password. Another password ends all sessions of that person, this one too: the change is done
 * once the session has its new token, so that all that is read again because of it is asked for with that one.
 */
export const { useChangeOwnAccountMutation } = api.injectEndpoints({
  endpoints: (build) => ({
    changeOwnAccount: build.mutation<Changed, UpdateUserApiArg>({
      extraOptions: { renewsToken: true },
      queryFn: ({ userId, userDraft: body }, { dispatch }, _, send) =>
        renewing(
          (async () => {
            const changed = await send({ url: `/api/users/${userId}`, method: 'PUT', body });
            if (changed.error) return { error: changed.error };
            const user = changed.data as UserView;
            if (!body.password) return { data: { user, signedIn: true } };
            const credentials = { email: body.email, password: body.password };
            const { data } = await send({ url: '/api/auth/login', method: 'POST', body: credentials });
            if (data) dispatch(tokenRenewed((data as AccessToken).access_token));
            return { data: { user, signedIn: data !== undefined } };
          })(),
        ),
      // Staff tell whose account it is.
      invalidatesTags: ['User', 'Staff', 'Session'],
    }),
  }),
});
