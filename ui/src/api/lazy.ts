import { generatedApi } from './generated';
import { generatedSignIn } from './generatedSignIn';

/*
 * Lazy query hooks, for queries that run on an action instead of on render. The generator would make one for every
 * query, and all of them would load before the first page.
 */
const {
  listMissedCharges,
  openAreaSheet,
  readAccount,
  readAreaSheet,
  readDetail,
  readKit,
  readOwnAccount,
  readProduct,
  readSheet,
  readSheetVersion,
  reportConsumption,
  summarizeSheet,
} = generatedApi.endpoints;

export const useLazyListMissedChargesQuery = listMissedCharges.useLazyQuery;
export const useLazyOpenAreaSheetQuery = openAreaSheet.useLazyQuery;
export const useLazyReadAccountQuery = readAccount.useLazyQuery;
export const useLazyReadAreaSheetQuery = readAreaSheet.useLazyQuery;
export const useLazyReadDetailQuery = readDetail.useLazyQuery;
export const useLazyReadKitQuery = readKit.useLazyQuery;
export const useLazyReadOwnAccountQuery = readOwnAccount.useLazyQuery;
export const useLazyReadProductQuery = readProduct.useLazyQuery;
export const useLazyReadSettingsQuery = generatedSignIn.endpoints.readSettings.useLazyQuery;
export const useLazyReadSheetQuery = readSheet.useLazyQuery;
export const useLazyReadSheetVersionQuery = readSheetVersion.useLazyQuery;
export const useLazyReportConsumptionQuery = reportConsumption.useLazyQuery;
export const useLazySummarizeSheetQuery = summarizeSheet.useLazyQuery;
