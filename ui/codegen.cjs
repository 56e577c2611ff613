// The login asks for one thing before anything else is loaded: that has a file of its own.
const hooks = { queries: true, lazyQueries: true, mutations: true };

module.exports = {
  schemaFile: './openapi.json',
  apiFile: './src/api/base.ts',
  apiImport: 'api',
  exactOperationIds: true,
  outputFiles: {
    './src/api/generated.ts': { exportName: 'generatedApi', filterEndpoints: /^(?!signIn$)/, hooks },
    './src/api/generatedSignIn.ts': { exportName: 'generatedSignIn', filterEndpoints: /^signIn$/, hooks },
  },
};
