import { waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { scan } from '@/test/keys';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { setRecordDelay } from '@/test/setRecordDelay';
import { at, gauze, product, serveWard } from '@/test/ward';

setRecordDelay(20);

it('records a scanned line after the delay', async () => {
  const ward = serveWard();
  ward.symbols = {
    '95200001': { matches: [{ product: gauze, system: 'gtin', units: 1, label: null }] },
  };
  await render({ at }, { user: aNurse() });
  await userEvent.click(await product());
  await scan('95200001');
  await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, quantity: 1 }]));
});
