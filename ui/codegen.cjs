// The sign-in and the public settings have a file of their own: they are all that the login page needs of the API.
// So has the sign-in at the hospital's identity provider, which is loaded when it is used.
// PDFs and workbooks of sheets and restock lists, and the refused rows of an import are saved as files by api/download.ts.
// The logo is an image, and the preview of the letterhead a PDF (api/hospitalPreview.ts).
// The catalogue goes to the device's database, not to the cache.
// api/lazy.ts exports the lazy query hooks that are used.
const hooks = { queries: true, lazyQueries: false, mutations: true };

module.exports = {
  schemaFile: './openapi.json',
  apiFile: './src/api/base.ts',
  apiImport: 'api',
  exactOperationIds: true,
  outputFiles: {
    './src/api/generated.ts': {
      exportName: 'generatedApi',
      filterEndpoints:
        /^(?!(signIn|readSettings|beginOidcSignIn|finishOidcSignIn|beginLinkingOidc|linkOidc|readLogoutUrl|printSheet|printClosing|printImplantCard|printRestockList|exportRestockList|listRefusedRows|previewHospitalSettings|readHospitalLogo)$)/,
      // Opening an area's page adds it if there is none, and reads it.
      endpointOverrides: [
        { pattern: 'readCatalogue', type: 'mutation' },
        { pattern: 'openAreaSheet', type: 'query' },
      ],
      hooks,
    },
    './src/api/generatedSignIn.ts': {
      exportName: 'generatedSignIn',
      filterEndpoints: /^(signIn|readSettings)$/,
      // The settings may be answered before tags.ts is loaded.
      endpointOverrides: [{ pattern: 'readSettings', providesTags: ['Hospital'] }],
      hooks,
    },
    './src/api/generatedOidc.ts': {
      exportName: 'generatedOidc',
      filterEndpoints: /^(beginOidcSignIn|finishOidcSignIn|beginLinkingOidc|linkOidc|readLogoutUrl)$/,
      hooks: false,
    },
  },
};
