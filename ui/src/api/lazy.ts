import { generatedApi } from './generated';

/*
 * Queries that are asked when something is done, not when something is shown. The generator would make such a hook for
 * every query, and all of them would be loaded before the first page.
 */
const { readDetail, readOwnAccount, readProduct, readSettings, readSheet, readSheetVersion, summarizeSheet } =
  generatedApi.endpoints;

export const useLazyReadDetailQuery = readDetail.useLazyQuery;
export const useLazyReadOwnAccountQuery = readOwnAccount.useLazyQuery;
export const useLazyReadProductQuery = readProduct.useLazyQuery;
export const useLazyReadSettingsQuery = readSettings.useLazyQuery;
export const useLazyReadSheetQuery = readSheet.useLazyQuery;
export const useLazyReadSheetVersionQuery = readSheetVersion.useLazyQuery;
export const useLazySummarizeSheetQuery = summarizeSheet.useLazyQuery;
