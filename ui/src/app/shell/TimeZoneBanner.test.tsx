import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { Language } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { LazyTimeZoneBanner } from './LazyTimeZoneBanner';

const UNKNOWN = 'America/Newtown';

function Times() {
  const format = useFormat();
  const moment = '2026-11-20T01:15:00Z';
  return <p>{[format.moment(moment), format.time(moment), format.dayOf(moment)].join(' | ')}</p>;
}

it.each<[Language, string, string]>([
  ['es', '19 nov 2026, 21:45 | 21:45 | 2026-11-19', 'no conoce la zona horaria America/Newtown'],
  ['en', 'Nov 19, 2026, 21:45 | 21:45 | 2026-11-19', 'does not know the time zone America/Newtown'],
])('a zone that the browser does not know has its offset, in %s', async (language, shown, sentence) => {
  server.use(
    http.get('/api/settings', () =>
      HttpResponse.json({ currency: 'USD', time_zone: UNKNOWN, utc_offset_minutes: -210 }),
    ),
  );
  await render(
    <>
      <LazyTimeZoneBanner />
      <Times />
    </>,
    { user: aNurse(), language },
  );
  expect(await screen.findByText(new RegExp(sentence))).toHaveTextContent('UTC−03:30');
  expect(screen.getByText(shown)).toBeVisible();
});
