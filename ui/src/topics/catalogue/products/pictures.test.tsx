import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';
import { gauze as product } from '@/test/ward';
import { scaledSize } from './scalePicture';

const scaled = new Blob(['scaled'], { type: 'image/webp' });
const photo = new File(['a large photo'], 'IMG_1.heic', { type: 'image/heic' });
const DIGEST = '0123456789abcdef';

const { createImageBitmap: original, IntersectionObserver } = globalThis;
const replaced = { createImageBitmap: original, IntersectionObserver };
/** Reads the chosen file as the browser does. */
const createImageBitmap = vi.fn();

beforeEach(() => {
  createImageBitmap.mockReset().mockResolvedValue({ width: 4000, height: 3000, close() {} });
  const context = { fillRect() {}, drawImage() {} } as unknown as CanvasRenderingContext2D;
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(scaled));
  let count = 0;
  URL.createObjectURL = () => `blob:${++count}`;
  URL.revokeObjectURL = vi.fn();
  // Without the observer everything is in view.
  Object.assign(globalThis, { createImageBitmap, IntersectionObserver: undefined });
});

afterEach(() => void Object.assign(globalThis, replaced));

function serveProduct(picture: string | null, refusal?: string) {
  const sent: string[] = [];
  const note = async ({ request }: { request: Request }, answer: object | null) => {
    const isPicture = request.url.endsWith('/picture') && request.method === 'PUT';
    sent.push(`${request.method} ${isPicture ? await request.text() : new URL(request.url).pathname}`);
    if (isPicture && refusal)
      return HttpResponse.json(
        { message: [refusal], errors: [{ field: 'picture', code: 'picture.unreadable', message: refusal }] },
        { status: 422 },
      );
    const status = request.method === 'POST' ? 201 : 200;
    return answer ? HttpResponse.json(answer, { status }) : new HttpResponse(null, { status: 204 });
  };
  const shown = { ...product, id: 8, picture };
  server.use(
    http.get('/api/products', () => HttpResponse.json(aPage([shown]))),
    http.get('/api/products/8', () => HttpResponse.json(shown)),
    http.get('/api/categories', () => HttpResponse.json(aPage([shown.category]))),
    http.post('/api/products', (call) => note(call, shown)),
    http.put('/api/products/8', (call) => note(call, shown)),
    http.put('/api/products/8/picture', (call) => note(call, shown)),
    http.delete('/api/products/8/picture', (call) => note(call, null)),
  );
  return sent;
}

const supervisor = { user: aSupervisor() };
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
/** Choose a file as the dialog of the button does. */
async function choose() {
  await screen.findByRole('button', { name: 'Elegir imagen' });
  await userEvent.upload(document.querySelector('input[type=file]') as HTMLInputElement, photo);
}

it.each([
  [4000, 3000, 512, 384],
  [3000, 4000, 384, 512],
  [300, 200, 300, 200],
  [9000, 1, 512, 1],
])('scales a picture of %s × %s to %s × %s', (width, height, toWidth, toHeight) => {
  expect(scaledSize(width, height)).toEqual({ width: toWidth, height: toHeight });
});

it('sends the scaled picture after the product, and leaves without asking', async () => {
  const sent = serveProduct(null);
  const { router } = await render({ at: '/products/8/edit' }, supervisor);
  await choose();
  expect(await screen.findByRole('img', { name: 'Imagen elegida' })).toHaveAttribute('src', 'blob:1');
  expect(createImageBitmap).toHaveBeenCalledWith(photo);
  expect(sent).toEqual([]);
  await press('Guardar');
  await waitFor(() => expect(router.state.location.pathname).toBe('/products'));
  expect(sent).toEqual(['PUT /api/products/8', 'PUT scaled']);
});

it('removes the picture when the product is saved', async () => {
  const sent = serveProduct(DIGEST);
  server.use(http.get('/api/products/8/picture', () => new HttpResponse('stored')));
  await render({ at: '/products/8/edit' }, supervisor);
  await press('Quitar imagen');
  expect(screen.queryByRole('button', { name: 'Quitar imagen' })).toBeNull();
  await press('Guardar');
  await waitFor(() => expect(sent).toEqual(['PUT /api/products/8', 'DELETE /api/products/8/picture']));
});

it('asks before a chosen picture is discarded', async () => {
  serveProduct(null);
  await render({ at: '/products/8/edit' }, supervisor);
  await choose();
  await screen.findByRole('img', { name: 'Imagen elegida' });
  await userEvent.click(screen.getByRole('link', { name: 'Cancelar' }));
  expect(await screen.findByRole('dialog')).toBeVisible();
});

it('says what to do with a file that is no picture', async () => {
  createImageBitmap.mockRejectedValue(new Error('no image'));
  const sent = serveProduct(null);
  await render({ at: '/products/8/edit' }, supervisor);
  await choose();
  expect(
    await screen.findByText('No se puede abrir «IMG_1.heic». Elija una imagen JPEG, PNG o WebP.'),
  ).toBeVisible();
  expect(sent).toEqual([]);
});

it('does not create a product twice if its picture is refused', async () => {
  const refusal = 'Elija otra imagen.';
  const sent = serveProduct(null, refusal);
  await render({ at: '/products/create' }, supervisor);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Nombre' }), 'Gasa');
  await userEvent.click(screen.getByRole('combobox', { name: 'Categoría' }));
  await userEvent.click(await screen.findByRole('option', { name: new RegExp(product.category.name) }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Precio' }), '1');
  await choose();
  await screen.findByRole('img', { name: 'Imagen elegida' });
  await press('Guardar');
  expect(await screen.findByText(refusal)).toBeVisible();
  await press('Guardar');
  await waitFor(() =>
    expect(sent).toEqual(['POST /api/products', 'PUT scaled', 'PUT /api/products/8', 'PUT scaled']),
  );
});

it('keeps the form if the server fails to process the picture', async () => {
  serveProduct(null);
  server.use(http.put('/api/products/8/picture', () => HttpResponse.json({}, { status: 500 })));
  await render({ at: '/products/8/edit' }, supervisor);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Nombre' }), ' nueva');
  await choose();
  await screen.findByRole('img', { name: 'Imagen elegida' });
  await press('Guardar');
  expect(await screen.findByText(/No se pudo guardar la imagen/)).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Nombre' })).toHaveValue(`${product.name} nueva`);
});

it('shows a picture in the list, loaded with the token', async () => {
  serveProduct(DIGEST);
  const asked: (string | null)[] = [];
  server.use(
    http.get('/api/products/8/picture', ({ request }) => {
      asked.push(new URL(request.url).search, request.headers.get('authorization'));
      return new HttpResponse('stored', { headers: { 'Content-Type': 'image/webp' } });
    }),
  );
  await render({ at: '/products' }, { user: aNurse() });
  const row = await screen.findByRole('row', { name: new RegExp(product.name) });
  await waitFor(() => expect(row.querySelector('img')).toHaveAttribute('src', 'blob:1'));
  expect(asked).toEqual([`?digest=${DIGEST}`, expect.stringMatching(/^Bearer ./)]);
  expect(within(row).queryByRole('img')).toBeNull(); // decorative
});

it('shows the drawing if the picture cannot be loaded', async () => {
  serveProduct(DIGEST);
  server.use(http.get('/api/products/8/picture', () => HttpResponse.json({}, { status: 404 })));
  await render({ at: '/products' }, { user: aNurse() });
  const row = await screen.findByRole('row', { name: new RegExp(product.name) });
  await waitFor(() => expect(row.querySelector('[aria-hidden] use')).not.toBeNull());
  expect(row.querySelector('img')).toBeNull();
});
