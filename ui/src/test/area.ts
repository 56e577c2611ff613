import { HttpResponse, http } from 'msw';
import type { AreaSheetView } from '@/api/generated';
import { server } from './server';
import { serveWard } from './ward';

export const atArea = '/consumption-sheets/areas/2';

export const anAreaSheet = (change: Partial<AreaSheetView> = {}): AreaSheetView => ({
  id: 1,
  area: { id: 2, name: 'UCI' },
  month: '2026-11',
  part: 1,
  lines: 0,
  consumptions: [],
  unlisted_items: 0,
  late_entries: 0,
  version: 1,
  ...change,
});

/** Serve an area with one page, in place of the sheet of the ward. */
export function serveArea(start: Parameters<typeof serveWard>[0] = {}) {
  const ward = serveWard(start);
  const page = () => {
    const consumptions = [{ created_at: '2026-11-20', details: ward.details.length }];
    const value = start.seesPrices === false ? undefined : 8765.43;
    return HttpResponse.json(anAreaSheet({ version: ward.sheet.version, consumptions, value }));
  };
  server.use(
    http.get('/api/consumption-sheets/1', () =>
      HttpResponse.json({ message: 'No existe.' }, { status: 404 }),
    ),
    http.post('/api/areas/2/sheet', page),
    http.get('/api/area-sheets/1', page),
  );
  return ward;
}
