/*
 * What somebody has to leave behind when another person takes over the screen, or when the session ends: it stays
 * theirs, and is there again when they sign in.
 */

const place = (userId: number) => `left ${userId}`;

/** Where that person was. */
export const saveLastPath = (userId: number, path: string) => sessionStorage.setItem(place(userId), path);

export const placeOf = (userId: number) => sessionStorage.getItem(place(userId));

export const forgetPlace = (userId: number) => sessionStorage.removeItem(place(userId));

/** Half-filled forms tell of patients: they are kept in this page's memory alone, and never written down. */
const forms = new Map<string, object>();

export const saveForm = (userId: number, path: string, values: object) =>
  forms.set(`${userId} ${path}`, values);

export function popForm(userId: number, path: string) {
  const values = forms.get(`${userId} ${path}`);
  forms.delete(`${userId} ${path}`);
  return values;
}
