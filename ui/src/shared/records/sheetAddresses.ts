/** Address to work on a sheet, and to read it once it is closed. */
export const detailsOf = (sheet: { id: number }) =>
  `/consumption-sheet-details/${sheet.id}/consumption-details`;
/** Address of one line on the page of its sheet, which scrolls to the line and marks it. */
export const lineOf = (sheet: { id: number }, detailId: number) => `${detailsOf(sheet)}?line=${detailId}`;
/** Address of what an area uses for no patient, on its page of this month. */
export const areaPageOf = (area: { id: number }) => `/consumption-sheets/areas/${area.id}`;
export const closedPageOf = (sheet: { id: number }) => `/consumption-sheets/closed/${sheet.id}`;
/** Address of a patient's account for the family. */
export const accountOf = (sheet: { id: number }) => `/consumption-sheets/${sheet.id}/account`;
/** Address of a patient's sheet, open or closed, or of an area's page. */
export function pageOf(sheet: { id: number; closed?: boolean; area?: { id: number } }) {
  if (sheet.area) return `${areaPageOf(sheet.area)}?sheet=${sheet.id}`;
  return sheet.closed ? closedPageOf(sheet) : detailsOf(sheet);
}
