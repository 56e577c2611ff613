import { expect, it } from 'vitest';
import { drawingOf } from './drawingOf';

it.each([
  ['Jeringa 5 mL con aguja 21G', '', 'syringe'],
  ['Aguja hipodérmica para jeringa', '', 'needle'],
  ['Catéter intravenoso 20G', '', 'catheter'],
  ['HC CATH BERENSTEIN', '', 'catheter'],
  ['Sonda Foley 16 Fr', '', 'catheter'],
  ['GUANTES de nitrilo M', '', 'glove'],
  ['Apósito transparente', '', 'gauze'],
  ['Gauze sponge 4x4', '', 'gauze'],
  ['Solución salina 0.9 %', '', 'solution'],
  ['Bolsa de orina', '', 'solution'],
  ['Bagazo', '', 'other'],
  ['Seda 3-0', '', 'suture'],
  ['Tubo endotraqueal 7.5', '', 'tube'],
  ['Cubrebocas N95', '', 'mask'],
  ['Caja de guantes', '', 'glove'],
  ['Set de venoclisis', '', 'box'],
  ['Setas', '', 'other'],
  ['Tira reactiva para glucosa', 'Laboratorio y diagnóstico', 'other'],
  // The name wins over the category.
  ['Tubo de drenaje', 'Sondas', 'tube'],
  ['BD 20G', 'Agujas y jeringas', 'needle'],
  ['Kit 4', 'Suturas', 'suture'],
  ['BD 20G', 'Equipo médico', 'box'],
  ['', '', 'other'],
])('%s (%s) is drawn as %s', (name, category, drawing) => {
  expect(drawingOf(name, category)).toBe(drawing);
});
