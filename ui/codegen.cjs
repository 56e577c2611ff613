// The login asks for one thing before anything else is loaded: that has a file of its own.
// A sheet's PDF and an import's refused rows are saved as files, which api/download.ts does.
const hooks = { queries: true, lazyQueries: true, mutations: true };

module.exports = {
  schemaFile: './openapi.json',
  apiFile: './src/api/base.ts',
  apiImport: 'api',
  exactOperationIds: true,
  outputFiles: {
    './src/api/generated.ts': {
      exportName: 'generatedApi',
      filterEndpoints: /^(?!(signIn|printSheet|listRefusedRows)$)/,
      hooks,
    },
    './src/api/generatedSignIn.ts': { exportName: 'generatedSignIn', filterEndpoints: /^signIn$/, hooks },
  },
};
