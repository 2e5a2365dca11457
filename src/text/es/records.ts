import { undoMinutes } from '../../vocabulary/limits.js'
import type * as en from '../en/records.js'
import { counted, on } from './counted.js'

/** The lists and forms of every record: search, archive, delete. */
export const records: typeof en.records = {
  download: 'Descargar CSV',
  choose: 'Seleccione…',
  noOne: 'Ninguno',
  archivedName: (name: string) => `${name} (archivado)`,
  states: { false: 'En uso', true: 'Archivado', all: 'Todo' },
  archivedOn: (date: string) => `Archivado ${on(date)}`,
  search: 'Buscar',
  searchList: 'Buscar en esta lista',
  any: 'Cualquiera',
  show: 'Aplicar filtros',
  noMatch: 'Sin resultados.',
  clear: 'Borrar búsqueda',
  next: 'Mostrar más',
  save: 'Guardar cambios',
  yes: 'Sí',
  no: 'No',
  adminOnly: 'Solo un administrador puede cambiar esto.',
  empty: 'nada',
  now: 'Valor actual:',
  preview: 'Ver las próximas fechas',
  back: (to: string) => `Volver a ${to}`,
  deleteTitle: (name: string) => `¿Eliminar ${name}?`,
  deleteTakes: 'Esto también eliminará:',
  deleteBlocked: 'No se puede eliminar porque se usa en:',
  deleteInstead: 'Primero mueva o elimine estos elementos.',
  deleteForGood: 'Esto no se puede deshacer.',
  deleteForNow: `Puede deshacerlo durante ${undoMinutes} minutos.`,
  deleteYes: 'Sí, eliminar',
  cancel: 'Cancelar',
  dependents: {
    assets: (n: number) => counted(n, 'equipo', 'equipos'),
    units: (n: number) => counted(n, 'vivienda', 'viviendas'),
    incidents: (n: number) => counted(n, 'reporte', 'reportes'),
    people: (n: number) => counted(n, 'persona', 'personas'),
    windows: (n: number) => counted(n, 'mantenimiento programado', 'mantenimientos programados'),
    lookedAfter: (n: number) => `«A cargo del mantenimiento» de ${counted(n, 'equipo', 'equipos')}`,
    deliveries: (n: number) => counted(n, 'entrega en el registro', 'entregas en el registro'),
  },
}

/** What a page says at its top after a record was changed. */
export const recordNotices: typeof en.recordNotices = {
  added: (name?: string) => (name ? `Se agregó ${name}.` : 'Agregado.'),
  saved: 'Cambios guardados.',
  deleted: (name?: string) => (name ? `Se eliminó ${name}.` : 'Eliminado.'),
  alreadyDeleted: 'No cambió nada. Esto ya se eliminó.',
  undeleted: (name?: string) => (name ? `Se recuperó ${name}.` : 'Se deshizo la eliminación.'),
  alreadyBack: 'No cambió nada. La eliminación ya se deshizo.',
  moved: 'Orden cambiado.',
  archived: (name?: string) => (name ? `${name}: archivado.` : 'Archivado.'),
  unarchived: (name?: string) => (name ? `${name}: en uso otra vez.` : 'Restaurado y en uso otra vez.'),
}
