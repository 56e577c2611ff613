import { generatedApi } from '@/api/generated';

type Asked = Parameters<typeof generatedApi.endpoints.lookUpProduct.initiate>[0];

/** Look up a scan or a code, on the server or else on the device. An earlier answer may be outdated. */
export const lookUp = (asked: Asked) =>
  generatedApi.endpoints.lookUpProduct.initiate(asked, { subscribe: false, forceRefetch: true });
