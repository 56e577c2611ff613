import { expect, it } from 'vitest';
import { loadLaterMessages, loadMessages, text } from './messages';

/** Texts that stay in these words: users, manuals and tests of other programs rely on them. */
const FIXED: [id: Parameters<typeof text>[0], es: string, en: string][] = [
  ['loading', 'cargando...', 'loading...'],
  ['error.title', '¡Oops!', 'Oops!'],
  [
    'error.unexpected',
    'Lo sentimos, ocurrió un error inesperado.',
    'Sorry, an unexpected error has occurred.',
  ],
  ['list.nothingFound', 'No se encontraron datos', 'No data found'],
  ['details.areaPlaceholder', 'Seleccione una opción...', 'Select an option...'],
  ['details.noAreas', 'No se encontraron áreas...', 'No areas found...'],
  ['details.create', 'Registrar consumo', 'Create consumption detail'],
  ['details.edit', 'Editar detalle de consumo', 'Edit consumption detail'],
  ['users.newProfile', 'Nuevo perfil', 'New profile'],
  ['select.placeholder', 'Selecciona un elemento de la lista', 'Choose an item from the list'],
  ['select.wait', 'Espera mientras se obtienen los elementos', 'Wait while the items are fetched'],
  ['select.none', 'No se encontraron elementos.', 'No items were found.'],
  ['areas.delete.question', 'Eliminar Área?', 'Delete area?'],
  ['details.delete.question', 'Desea Borrar el detalle de consumo?', 'Delete the consumption detail?'],
  [
    'sheets.delete.question',
    'Eliminar PERMANENTEMENTE la hoja de consumo?',
    'Delete the consumption sheet PERMANENTLY?',
  ],
  ['patients.delete.question', 'Eliminar Paciente?', 'Delete patient?'],
  ['products.delete.question', 'Eliminar Producto?', 'Delete product?'],
  ['users.delete.question', 'Eliminar Usuario?', 'Delete user?'],
  ['sheets.close.question', 'Finalizar hoja de consumo?', 'Close the consumption sheet?'],
  ['session.invalid', 'Credenciales inválidas', 'Invalid credentials'],
  ['profile.failed', 'Error al actualizar el perfil', 'Error updating profile'],
  ['session.welcome', '¡Bienvenido!', 'Welcome!'],
  ['profile.updated', '¡Perfil actualizado!', 'Profile updated!'],
  ['areas.created', 'Área creada', 'Area created'],
  ['areas.updated', '¡Área actualizada!', 'Area updated!'],
  ['areas.deleted', '¡Área eliminada!', 'Area deleted!'],
  ['details.created', 'Detalle de la hoja de consumo creado', 'Consumption sheet detail created'],
  ['details.updated', 'Detalle de la hoja de consumo actualizado', 'Consumption sheet detail updated'],
  ['sheets.opened', 'Hoja de consumo creada', 'Consumption sheet created'],
  ['sheets.updated', 'Hoja de consumo actualizada', 'Consumption sheet updated'],
  ['sheets.deleted', 'Hoja de consumo eliminada', 'Consumption sheet deleted'],
  ['sheets.close.done', 'Hoja de consumo finalizada', 'Consumption sheet Terminated'],
  ['patients.created', 'Paciente creado', 'Patient created'],
  ['patients.updated', 'Paciente actualizado', 'Patient updated'],
  ['products.created', '¡Producto creado!', 'Product created!'],
  ['products.updated', '¡Producto actualizado!', 'Product updated!'],
  ['rooms.created', 'Habitación creada', 'Room created'],
  ['rooms.updated', '¡Habitación actualizada!', 'Room updated!'],
  ['staff.created', 'Miembro del personal creado', 'Staff member created'],
  ['staff.updated', 'Miembro del personal actualizado', 'Staff member updated'],
  ['users.created', 'Usuario creado', 'User created'],
  ['users.updated', '¡Usuario actualizado!', 'User updated!'],
  ['users.deleted', '¡Usuario eliminado!', 'User deleted!'],
];

it.each(['es', 'en'] as const)('shows every fixed text in its words: %s', async (language) => {
  await loadMessages(language);
  await loadLaterMessages();
  const column = language === 'es' ? 1 : 2;
  for (const row of FIXED) expect(text(row[0]), row[0]).toBe(row[column]);
});
