import { HttpResponse, http } from 'msw';
import type { MissedChargeView } from '@/api/generated';
import { server } from './server';
import { gauze } from './ward';

/** A question about a product that usually comes with gauze. */
export const aQuestion = ({ id, name, code, unit }: typeof gauze): MissedChargeView => ({
  product: { id, name, code, unit, active: true },
  because_id: gauze.id,
  because: gauze.name,
  sheets: 100,
  together: 96,
});

/** Serve questions about missed charges. Return the answers that are sent. */
export function serveMissed(items: MissedChargeView[]) {
  const answers: object[] = [];
  server.use(
    http.get('/api/consumption-sheets/1/missed-charges', () => HttpResponse.json({ items })),
    http.put('/api/consumption-sheets/1/missed-charges/:product', async ({ params, request }) => {
      answers.push({ ...params, ...((await request.json()) as object) });
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return answers;
}
