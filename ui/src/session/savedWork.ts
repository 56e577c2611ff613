import { tabStorage } from '@/state/storage';

/*
 * Work left behind by a user.
 *
 * Another user took over the screen, or the session ended. The owner finds it after the next sign-in.
 */

const place = (userId: number) => `left ${userId}`;

/** Save the user's current page. */
export const saveLastPath = (userId: number, path: string) => tabStorage.setItem(place(userId), path);

export const placeOf = (userId: number) => tabStorage.getItem(place(userId));

export const forgetPlace = (userId: number) => tabStorage.removeItem(place(userId));

/** Half-filled forms contain patient data, so they are only kept in this page's memory, never stored. */
const forms = new Map<string, object>();

export const saveForm = (userId: number, path: string, values: object) =>
  forms.set(`${userId} ${path}`, values);

export function popForm(userId: number, path: string) {
  const values = forms.get(`${userId} ${path}`);
  forms.delete(`${userId} ${path}`);
  return values;
}

export const resetForms = () => forms.clear();
