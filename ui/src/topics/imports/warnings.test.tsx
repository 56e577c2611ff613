import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { ImportReport } from '@/api/generated';
import { aReport, aRow, button, chooseFile, last, ndjsonOf, serveImports, supervisor } from '@/test/imports';
import { render } from '@/test/render';

const rounded = (value: string, to: string) => ({
  field: 'price',
  label: 'Precio',
  value,
  code: 'money.rounded',
  message: `«${value}» se guardaría como ${to}: los precios tienen dos decimales.`,
});

const otherName = {
  field: 'name',
  label: 'Nombre',
  value: 'Lino',
  code: 'name.differs',
  message: 'Con ese código hay otro nombre: «Venda».',
};

const doubtful = [
  aRow(2, ['1', 'Gasa', '0,375'], { warnings: [rounded('0,375', '0.38')] }),
  aRow(3, ['2', 'Tul', '2,50']),
  aRow(5, ['3', 'Lino', '1,005'], { warnings: [rounded('1,005', '1.01'), otherName] }),
  aRow(6, ['4', 'Cánula', '3,335'], { warnings: [rounded('3,335', '3.34')] }),
];

const aDoubtfulReport = (change: Partial<ImportReport> = {}) =>
  aReport({
    created: 4,
    changed: 0,
    refused: 0,
    warned: 3,
    warnings: 'seen',
    also: {},
    rows: doubtful,
    ...change,
  });

it('shows warnings with values, and imports after confirmation', async () => {
  const sent = serveImports({ check: () => ndjsonOf(aDoubtfulReport()) });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Comprobar'));
  expect(await button('3 Con advertencias')).toHaveAttribute('aria-pressed', 'true');
  const table = within(screen.getByRole('table', { name: 'Con advertencias' }));
  expect(
    table.getByRole('row', {
      name: /^3 · Lino · 1,005 5 Precio: 1,005 «1,005» se guardaría como 1\.01.* Nombre: Lino Con ese código hay otro/,
    }),
  ).toBeVisible();
  expect(table.getAllByRole('row')).toHaveLength(4);
  // They are also in the view of their outcome.
  await userEvent.click(await button('4 Nuevas'));
  expect(within(screen.getByRole('table', { name: 'Nuevas' })).getAllByRole('row')).toHaveLength(5);
  await userEvent.click(await button('Importar 4 filas con 4 advertencias'));
  await screen.findByRole('heading', { name: 'Se importó precios.csv' });
  expect([last(sent)?.query.get('confirmed'), last(sent)?.query.get('leave_out')]).toEqual(['seen', null]);
});

it('leaves out single rows or a kind, and requires a new check', async () => {
  const checks = [
    aDoubtfulReport(),
    aDoubtfulReport({
      created: 1,
      warned: 0,
      warnings: '',
      left_out: 3,
      rows: doubtful.map((row) => ({
        ...row,
        outcome: row.line === 3 ? 'created' : 'left_out',
        warnings: [],
      })),
    }),
  ];
  const sent = serveImports({ check: () => ndjsonOf(checks.shift() ?? aDoubtfulReport()) });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Comprobar'));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Dejar fuera la línea 5' }));
  expect(screen.queryByRole('button', { name: /^Importar/ })).not.toBeInTheDocument();
  await userEvent.click(await button('Cancelar'));
  expect(await button('Importar 4 filas con 4 advertencias')).toBeEnabled();

  await userEvent.click(await button(/^3 Precio: «0,375» se guardaría/));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Dejar fuera estas 3 filas' }));
  await userEvent.click(await button('Comprobar otra vez sin esas 3 filas'));
  await button('Importar 1 fila');
  // A range may include lines without a row.
  expect(last(sent)?.query.get('leave_out')).toBe('2,5-6');
  await userEvent.click(await button('3 Dejadas fuera'));
  expect(screen.getByRole('checkbox', { name: 'Dejar fuera la línea 6' })).toBeChecked();
  await userEvent.click(await button('Importar 1 fila'));
  await screen.findByRole('heading', { name: 'Se importó precios.csv' });
  expect([last(sent)?.path, last(sent)?.query.get('leave_out')]).toEqual(['/api/imports', '2,5-6']);
});

it('shows warnings that are new since the check', async () => {
  const answers = [
    ndjsonOf(aDoubtfulReport({ warnings: 'others' })),
    ndjsonOf(aDoubtfulReport({ kept: true, import_id: 3 })),
  ];
  const sent = serveImports({
    check: () => ndjsonOf(aDoubtfulReport()),
    done: () => answers.shift() ?? ndjsonOf(aDoubtfulReport()),
  });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Comprobar'));
  await userEvent.click(await button(/^Importar 4 filas/));
  expect(await screen.findByText(/^No se importó nada\. Los datos cambiaron después/)).toBeVisible();
  await userEvent.click(await button(/^Importar 4 filas/));
  await screen.findByRole('heading', { name: 'Se importó precios.csv' });
  expect(last(sent)?.query.get('confirmed')).toBe('others');
});
