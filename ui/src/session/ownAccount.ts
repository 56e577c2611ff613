import type { UpdateUserApiArg, UserView } from '@/api/generated';
import type { AccessToken } from '@/api/generatedSignIn';
import { renewing } from '@/api/renewal';
import { api } from '@/api/tags';
import { tokenRenewed } from './session';

interface Changed {
  user: UserView;
  /** False if a changed password ended the session and no new one could be started. */
  signedIn: boolean;
}

/**
 * Change one's own email or password.
 *
 * A new password ends all sessions of the user, this one too. The mutation finishes only once the session has its new
 * token, so that the invalidated queries refetch with that token.
 */
export const { useChangeOwnAccountMutation } = api.injectEndpoints({
  endpoints: (build) => ({
    changeOwnAccount: build.mutation<Changed, UpdateUserApiArg>({
      extraOptions: { renewsToken: true, success: [200] },
      queryFn: ({ userId, userDraft: body }, { dispatch }, _, send) =>
        renewing(
          (async () => {
            const changed = await send({ url: `/api/users/${userId}`, method: 'PUT', body });
            if (changed.error) return { error: changed.error };
            const user = changed.data as UserView;
            if (!body.password) return { data: { user, signedIn: true } };
            const credentials = { email: body.email, password: body.password };
            const { data } = await send({
              url: '/api/auth/login',
              method: 'POST',
              body: credentials,
              // With 202 the server asks for a passkey, too.
              validateStatus: ({ status }) => status === 201,
            });
            if (data) dispatch(tokenRenewed((data as AccessToken).access_token));
            return { data: { user, signedIn: data !== undefined } };
          })(),
        ),
      // Staff lists show the user's account.
      invalidatesTags: ['User', 'Staff', 'Session'],
    }),
  }),
});
