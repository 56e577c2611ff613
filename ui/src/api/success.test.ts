import { readFileSync } from 'node:fs';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { makeStore } from '@/app/store';
import '@/session/ownAccount';
import '@/session/personCalls';
import { server } from '@/test/server';
import { api } from './base';
import './download';
import './generated';
import './generatedOidc';
import './generatedSignIn';
import './hospitalPreview';
import './productPicture';
import './sheetDetails';
import './upload';

/*
 * Tests that each endpoint takes exactly the statuses of openapi.json for success.
 *
 * Any other 2xx is not from the server: a captive portal answers every request with 200.
 */

interface Operation {
  responses: Record<string, unknown>;
}
const { paths }: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
  readFileSync('openapi.json', 'utf8'),
);
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { responses }]) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    isLiteral: !path.includes('{'),
    success: Object.keys(responses)
      .map(Number)
      .filter((status) => status < 300),
  })),
);

/** The success statuses of the operation that answers this request; of one with parameters, if no other. */
function declaredFor({ method, url }: Request) {
  const { pathname } = new URL(url);
  const found = operations.filter((one) => one.method === method && one.path.test(pathname));
  return (found.find(({ isLiteral }) => isLiteral) ?? found[0])?.success;
}

/** An argument that has every field, and that is an id itself. */
const ARGUMENT: object = new Proxy(
  { path: '/api/areas', body: undefined, [Symbol.toPrimitive]: () => '1' },
  { get: (given, name) => (name in given ? Reflect.get(given, name) : '1') },
);

/** A list without a next page, and the last line of an upload. */
const ANSWER = '{"meta": {}, "report": {}}\n';

// biome-ignore lint/suspicious/noExplicitAny: all endpoints, with any argument.
const endpoints: Record<string, any> = api.endpoints;

it.each(Object.keys(endpoints))('%s takes the declared statuses alone', async (name) => {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const taken: number[] = [];
  let declared: number[] | undefined;
  for (const status of [200, 201, 202, 204, 206]) {
    server.use(
      http.all('*', ({ request }) => {
        declared = declaredFor(request);
        return new HttpResponse(status === 204 ? null : ANSWER, { status });
      }),
    );
    const answer = await makeStore().dispatch(endpoints[name].initiate(ARGUMENT));
    if (!answer.error) taken.push(status);
  }
  expect(taken).toEqual(declared);
});
