/** Address to work on a sheet, and to read it once it is closed. */
export const detailsOf = (sheet: { id: number }) =>
  `/consumption-sheet-details/${sheet.id}/consumption-details`;
export const closedPageOf = (sheet: { id: number }) => `/consumption-sheets/closed/${sheet.id}`;
export const pageOf = (sheet: { id: number; closed: boolean }) =>
  sheet.closed ? closedPageOf(sheet) : detailsOf(sheet);
