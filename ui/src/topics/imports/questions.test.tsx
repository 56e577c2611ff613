import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { FileReading } from '@/api/generated';
import {
  aField,
  aReading,
  asked,
  button,
  CONTENT,
  chooseFile,
  last,
  serveImports,
  supervisor,
} from '@/test/imports';
import { render } from '@/test/render';

it('asks what cannot be detected before the check', async () => {
  const sent = serveImports({ readings: [asked, aReading()] });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  const question = await screen.findByRole('combobox', { name: /¿Cuál es el separador decimal\?/ });
  expect(question).toHaveValue('');
  expect(await button('Comprobar')).toBeDisabled();
  expect(screen.getByText('Responda primero a las preguntas de arriba.')).toBeVisible();
  await userEvent.selectOptions(question, 'coma');
  await waitFor(async () => expect(await button('Comprobar')).toBeEnabled());
  expect(last(sent)?.query.get('decimal')).toBe('comma');
  // The server keeps nothing, so each request contains the file.
  expect(sent.map(({ body }) => body)).toEqual([CONTENT, CONTENT]);
});

it('applies a suggestion only when a person accepts it', async () => {
  const question = {
    ...aField('price', 'Precio', {
      column: null,
      reason: null,
      question: '¿Qué columna es «Precio»?',
      suggestion: 'Valor',
      options: ['Código', 'Valor'],
    }),
  };
  const reading = aReading({ fields: [question], columns: ['Código', 'Valor'], unanswered: 1 });
  const sent = serveImports({ readings: [reading, aReading()] });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Usar «Valor», como sugiere el contenido'));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(last(sent)?.query.getAll('mapping')).toEqual(['price=Valor']);
});

it('shows how the file is read and why, and rereads it on change', async () => {
  const sent = serveImports();
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  expect(await screen.findByRole('combobox', { name: 'Contenido' })).toHaveValue('products');
  const encoding = screen.getByRole('combobox', { name: 'Codificación de caracteres' });
  expect(encoding).toHaveValue('windows-1252');
  expect(encoding).toHaveAccessibleDescription(/la línea 3 no es válida en UTF-8/);

  const sample = within(screen.getByRole('region', { name: 'Primeras filas' }));
  expect(sample.getByText('$1.234,00')).toBeVisible();
  expect(sample.getByText('Escriba un número en «Precio».')).toBeVisible();
  const price = sample.getByRole('combobox', { name: 'Campo de la columna Precio' });
  expect(price).toHaveValue('price');

  await userEvent.selectOptions(price, 'Unidad');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(last(sent)?.query.getAll('mapping')).toEqual(['price=', 'unit=Precio']);
  await userEvent.selectOptions(encoding, 'UTF-8');
  await waitFor(() => expect(sent).toHaveLength(3));
  // With another encoding, the columns may have other names.
  expect(last(sent)?.query.getAll('mapping')).toEqual([]);
  expect(last(sent)?.query.get('encoding')).toBe('utf-8');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Contenido' }), 'Personal');
  await waitFor(() => expect(last(sent)?.query.get('noun')).toBe('staff'));
});

it('searches the header again on another sheet', async () => {
  const options = ['Enero', 'Febrero'].map((value) => ({ value, label: value }));
  const [header, sheet] = (['header_row', 'sheet'] as const).map((about) => ({
    ...(aReading().settings[0] as FileReading['settings'][number]),
    about,
    value: about === 'sheet' ? 'Enero' : '1',
    options: about === 'sheet' ? options : ['1', '2'].map((value) => ({ value, label: `Línea ${value}` })),
  }));
  const sent = serveImports({
    readings: [aReading({ settings: [header, sheet] as FileReading['settings'] })],
  });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile('libro.xlsx');
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Encabezado' }), 'Línea 2');
  await waitFor(() => expect(last(sent)?.query.get('header_row')).toBe('2'));
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Hoja' })).toBeEnabled());
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Hoja' }), 'Febrero');
  await waitFor(() => expect(last(sent)?.query.get('sheet')).toBe('Febrero'));
  expect(last(sent)?.query.get('header_row')).toBeNull();
});

it('asks for the kind of rows if the columns do not show it', async () => {
  const sent = serveImports({ readings: [null, aReading({ noun: 'staff' })] });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  const noun = await screen.findByRole('combobox', { name: 'Contenido' });
  expect(noun).toHaveValue('');
  expect(noun).toHaveAccessibleDescription('No se pudo detectar el tipo de lista.');
  await userEvent.selectOptions(noun, 'Personal');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(last(sent)?.query.get('noun')).toBe('staff');
  expect(await screen.findByRole('combobox', { name: 'Contenido' })).toHaveAccessibleDescription(
    'Según se eligió.',
  );
});
