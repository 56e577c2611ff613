/**
 * Split a room's name into its kind and its number: `Habitación` and `201-A`.
 *
 * The number begins with the first word that has a digit. A name without one is not split.
 */
export function splitRoomName(name: string): { kind: string; number: string } {
  const words = name.trim().split(/\s+/);
  const place = words.findIndex((word) => /\d/.test(word));
  return place > 0
    ? { kind: words.slice(0, place).join(' '), number: words.slice(place).join(' ') }
    : { kind: '', number: words.join(' ') };
}
