/* The names that the hospital's identity provider told, until the user has completed the profile. In this tab alone. */

const KEY = 'providerNames';

export function noteProviderNames(name: string | null, surname: string | null) {
  if (name || surname)
    sessionStorage.setItem(KEY, JSON.stringify({ name: name ?? '', first_surname: surname ?? '' }));
}

export const providerNames = (): { name?: string; first_surname?: string } =>
  JSON.parse(sessionStorage.getItem(KEY) ?? '{}');

export const forgetProviderNames = () => sessionStorage.removeItem(KEY);
