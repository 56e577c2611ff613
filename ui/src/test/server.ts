import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';

/** What every test may rely on; each adds the calls that it is about with `server.use(…)`. */
export const server = setupServer(
  http.get('/api/settings', () => HttpResponse.json({ currency: 'USD', time_zone: 'UTC' })),
);
