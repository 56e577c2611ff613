import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { aReport } from './reports';
import { aWard } from './wardBoard';

/**
 * Mock server with defaults for all tests: the settings, the home page after signing in, no usual products, no typed
 * names, no missed charges, no notices, strong passwords, locking, no badges and a current catalogue. Each test adds its own calls with
 * `server.use(…)`.
 */
export const server = setupServer(
  http.get('/api/reports/consumption', () => HttpResponse.json(aReport())),
  http.get('/api/products/:id/usual-quantity', () =>
    HttpResponse.json({ usual_quantity: null, far_out_above: null }),
  ),
  http.get('/api/products/:id/typed-names', () => HttpResponse.json({ items: [] })),
  http.post('/api/products/:id/typed-names', () => new HttpResponse(null, { status: 204 })),
  http.get('/api/consumption-sheets/:id/missed-charges', () => HttpResponse.json({ items: [] })),
  http.post('/api/auth/password-strength', () => HttpResponse.json({ score: 4, weakness: null })),
  http.post('/api/auth/password-reset/strength', () => HttpResponse.json({ score: 4, weakness: null })),
  http.post('/api/auth/lock', () => new HttpResponse(null, { status: 204 })),
  http.get('/api/users/:id/badges', () => HttpResponse.json({ items: [] })),
  http.get('/api/users/:id/sessions', () => HttpResponse.json({ items: [] })),
  http.get('/api/users/:id/passkeys', () => HttpResponse.json({ items: [] })),
  http.get('/api/catalogue', () => new HttpResponse(null, { status: 304 })),
  http.get('/api/worklist/count', () => HttpResponse.json({ count: 0 })),
  http.get('/api/notices', () => HttpResponse.json({ items: [], more: false })),
  http.put('/api/devices/:id/outbox', () => new HttpResponse(null, { status: 204 })),
  http.get('/api/ward', () => HttpResponse.json(aWard())),
  http.get('/api/settings', () =>
    HttpResponse.json({
      hospital_name: null,
      logo_version: null,
      currency: 'USD',
      number_format: 'language',
      time_zone: 'UTC',
      utc_offset_minutes: 0,
      shifts: ['06:00', '14:00', '22:00'],
      idle_minutes: 15,
      offline: true,
      demonstration: false,
    }),
  ),
);
