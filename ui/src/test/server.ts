import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { anOverview } from './overview';
import { aReport } from './reports';

/**
 * What every test may rely on: the settings, and the home page that signing in leads to. Each test adds the calls that
 * it is about with `server.use(…)`.
 */
export const server = setupServer(
  http.get('/api/reports/consumption', () => HttpResponse.json(aReport())),
  http.get('/api/overview', () => HttpResponse.json(anOverview())),
  http.get('/api/settings', () => HttpResponse.json({ currency: 'USD', time_zone: 'UTC' })),
);
