import { tabStorage } from '@/state/storage';

/* The names that the hospital's identity provider told, until the user has completed the profile. In this tab alone. */

const KEY = 'providerNames';

export function noteProviderNames(name: string | null, surname: string | null) {
  if (name || surname)
    tabStorage.setItem(KEY, JSON.stringify({ name: name ?? '', first_surname: surname ?? '' }));
}

export const providerNames = (): { name?: string; first_surname?: string } => tabStorage.readJson(KEY) ?? {};

export const forgetProviderNames = () => tabStorage.removeItem(KEY);
