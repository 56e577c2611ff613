/** A part of a catalogue; which messages are in it is decided while building (catalogueParts.ts). */
declare module '*.json?login' {
  const messages: Record<string, string>;
  export default messages;
}
declare module '*.json?work' {
  const messages: Record<string, string>;
  export default messages;
}
declare module '*.json?rest' {
  const messages: Record<string, string>;
  export default messages;
}
