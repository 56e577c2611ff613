// The login asks for one thing before anything else is loaded: that has a file of its own.
// A sheet's PDF and an import's refused rows are saved as files, which api/download.ts does.
// The catalogue goes to the device's database, and into no cache.
// Of lazy queries api/lazy.ts names those that are used.
const hooks = { queries: true, lazyQueries: false, mutations: true };

module.exports = {
  schemaFile: './openapi.json',
  apiFile: './src/api/base.ts',
  apiImport: 'api',
  exactOperationIds: true,
  outputFiles: {
    './src/api/generated.ts': {
      exportName: 'generatedApi',
      filterEndpoints: /^(?!(signIn|printSheet|printClosing|listRefusedRows)$)/,
      endpointOverrides: [{ pattern: 'readCatalogue', type: 'mutation' }],
      hooks,
    },
    './src/api/generatedSignIn.ts': { exportName: 'generatedSignIn', filterEndpoints: /^signIn$/, hooks },
  },
};
