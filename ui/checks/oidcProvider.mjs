// Run oidc-provider for tests/oidc/test_node_provider.py: prints its issuer, and changes its keys on SIGHUP.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

// Standard output is for the test: notices of the provider go to the other one.
console.info = console.error;

const PEOPLE = {
  nuria: { email: 'nuria@hospital.test', email_verified: true, groups: ['nurses'] },
  ana: { email: 'ana@hospital.test', email_verified: false },
};

let keys = 0;

function newKey() {
  keys += 1;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', kid: `key-${keys}`, use: 'sig' };
}

const newProvider = (issuer) =>
  new Provider(issuer, {
    clients: [
      {
        client_id: 'consumo',
        client_secret: 'a secret of the tests',
        redirect_uris: ['https://consumo.test/auth/oidc/callback'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'] },
    // Claims of scopes stand in the ID token, too.
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of the tests for cookies'] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...PEOPLE[id] }) }),
    jwks: { keys: [newKey()] },
    pkce: { required: () => true },
    ttl: {
      Session: 600,
      Grant: 600,
      Interaction: 600,
      IdToken: 600,
      AccessToken: 600,
      AuthorizationCode: 60,
    },
  });

const server = createServer().listen(0, 'localhost', () => {
  const issuer = `http://localhost:${server.address().port}`;
  let answer = newProvider(issuer).callback();
  server.on('request', (request, response) => answer(request, response));
  process.on('SIGHUP', () => {
    answer = newProvider(issuer).callback();
    console.log('rotated');
  });
  console.log(issuer);
});
