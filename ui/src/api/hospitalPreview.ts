import type { ChangeHospitalSettingsApiArg } from './generated';
import { api } from './tags';

/**
 * Draw a sample sheet with unsaved settings, and return the address of its PDF in this page.
 *
 * Written by hand, because the generator types responses as JSON only. The caller revokes the address.
 */
export const { usePreviewHospitalSettingsMutation } = api.injectEndpoints({
  endpoints: (build) => ({
    previewHospitalSettings: build.mutation<string, ChangeHospitalSettingsApiArg['hospitalDraft']>({
      extraOptions: { success: [200] },
      query: (body) => ({
        url: '/api/hospital/preview',
        method: 'POST',
        body,
        responseHandler: async (answer) =>
          answer.ok ? URL.createObjectURL(await answer.blob()) : answer.json(),
      }),
    }),
  }),
});
