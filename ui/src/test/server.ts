import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { anOverview } from './overview';
import { aReport } from './reports';

/**
 * What every test may rely on: the settings, the home page that signing in leads to, that nothing is usual and nothing
 * was typed in vain, every password strong and the copy of the catalogue fresh. Each test adds the calls that it is about with `server.use(…)`.
 */
export const server = setupServer(
  http.get('/api/reports/consumption', () => HttpResponse.json(aReport())),
  http.get('/api/products/:id/usual-quantity', () =>
    HttpResponse.json({ usual_quantity: null, far_out_above: null }),
  ),
  http.get('/api/products/:id/typed-names', () => HttpResponse.json({ items: [] })),
  http.post('/api/products/:id/typed-names', () => new HttpResponse(null, { status: 204 })),
  http.post('/api/auth/password-strength', () => HttpResponse.json({ score: 4, weakness: null })),
  http.post('/api/auth/password-reset/strength', () => HttpResponse.json({ score: 4, weakness: null })),
  http.get('/api/users/:id/sessions', () => HttpResponse.json({ items: [] })),
  http.get('/api/catalogue', () => new HttpResponse(null, { status: 304 })),
  http.get('/api/overview', () => HttpResponse.json(anOverview())),
  http.get('/api/settings', () =>
    HttpResponse.json({ currency: 'USD', time_zone: 'UTC', idle_minutes: 15, offline: true }),
  ),
);
