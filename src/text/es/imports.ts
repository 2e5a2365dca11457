import type * as en from '../en/imports.js'
import { counted, listed } from './counted.js'

const whole = (n: string | number | undefined) => new Intl.NumberFormat('es').format(Number(n))

/** Importing flats, contacts and residents from a sheet. */
export const imports: typeof en.imports = {
  title: 'Importar desde una hoja de cálculo',
  intro: 'Suba un archivo CSV. Puede revisar los cambios antes de que se guarde algo.',
  kind: '¿Qué quiere importar?',
  kinds: { units: 'Viviendas', contacts: 'Contactos', residents: 'Residentes' },
  file: 'Archivo CSV',
  fileHint: 'Hasta 10.000 filas y 2 MB, con comas, punto y coma o tabulaciones entre las celdas.',
  paste: 'O pegue aquí las celdas',
  pasteHint: 'Incluya la fila de encabezados. Si también sube un archivo, usamos el archivo.',
  invite: 'Enviar invitaciones a las personas nuevas',
  check: 'Revisar archivo',
  columnsTitle: 'Columnas',
  columns: {
    units: 'Cada fila es una vivienda, identificada por la torre y el número. Agregue primero las torres.',
    contacts:
      'Cada fila es un contacto, identificado por el nombre y la función o descripción. Una celda vacía borra el campo. Si falta una columna, el campo no cambia.',
    residents:
      'Cada fila es una persona, identificada por su correo electrónico. Las personas nuevas pueden iniciar sesión cuando reciben la invitación. Si ningún número de vivienda se repite en dos torres, puede omitir la torre.',
  },
  needed: 'obligatoria',
  canBeMissing: 'opcional',
  example: 'Por ejemplo',
  examples: {
    units: 'tower,number,floor\nTorre Norte,1204,12\nTorre Norte,1205,12',
    contacts:
      'name,label,phone,email,hoursWeekdays,hoursSaturday,hoursSunday,isPublic,notes\nAscensores Lucena,Reparación de ascensores,+57 601 123 4567,ascensores@example.com,24h,24h,24h,sí,Contrato 77-1',
    residents: 'name,email,tower,unit\nAda Lovelace,ada@example.com,Torre Norte,1204',
  },
  wrongRows: (n: number) => `${counted(n, 'error', 'errores')} por corregir`,
  nothingStored: 'No se guardó nada. Corrija las filas en el archivo o abajo y revíselas otra vez.',
  moreProblems: (n: number) => `Y ${n} más.`,
  row: 'Fila',
  rowNumber: (row: number, line: number) =>
    row === line ? `Fila ${row}` : `Fila ${row} (línea ${line} del archivo)`,
  column: 'Columna',
  wholeRow: 'toda la fila',
  problem: 'Problema',
  previewTitle: (kind: 'units' | 'contacts' | 'residents') =>
    ({ units: 'Importar viviendas', contacts: 'Importar contactos', residents: 'Importar residentes' })[kind],
  nothingYet: 'Todavía no se guardó nada.',
  counts: { created: 'Filas nuevas', updated: 'Filas modificadas', unchanged: 'Filas sin cambios' },
  ignored: (columns: string[]) => `Estas columnas no se importan: ${listed(columns)}.`,
  changedTitle: 'Cambios',
  madeTitle: 'Filas nuevas',
  what: 'Elemento',
  change: 'Cambio',
  empty: 'nada',
  moreRows: (n: number) => `Y ${counted(n, 'fila', 'filas')} más.`,
  store: (n: number) => `Importar ${counted(n, 'fila', 'filas')}`,
  nothingToDo: 'No hay nada nuevo que importar.',
  other: 'Elegir otro archivo',
  done: (created: number, updated: number, unchanged: number) =>
    `Importación terminada. Filas nuevas: ${created}; modificadas: ${updated}; sin cambios: ${unchanged}.`,
  see: 'Ver la lista',
  fields: {
    number: 'Número',
    floor: 'Piso',
    archivedAt: 'Fecha de archivo',
    name: 'Nombre',
    label: 'Función o descripción',
    phone: 'Teléfono',
    email: 'Correo electrónico',
    hoursWeekdays: 'Horario de lunes a viernes',
    hoursSaturday: 'Horario del sábado',
    hoursSunday: 'Horario del domingo',
    notes: 'Notas',
    isPublic: 'Público',
    unitId: 'Vivienda',
  },
  rowProblems: {
    column_missing: ({ column }) => `Falta la columna «${column}». Agréguela a la fila de encabezados.`,
    column_twice: ({ column }) => `Hay dos columnas «${column}». Deje solo una.`,
    no_rows: () => 'No hay filas debajo de los encabezados. Agregue algunas.',
    too_many_rows: ({ value }) => `Hay más de ${whole(value)} filas. Importe el resto en un segundo archivo.`,
    quote_open: () => 'Hay unas comillas sin cerrar. Ciérrelas o quítelas.',
    too_many_cells: ({ value }) =>
      `Hay más celdas que las ${value} columnas. Ponga entre comillas el texto que contenga una coma.`,
    empty: () => 'Esto no puede estar vacío.',
    too_long: ({ value }) => `Use hasta ${whole(value)} caracteres.`,
    not_email: ({ value }) => `«${value}» no es un correo electrónico.`,
    not_floor: ({ value }) =>
      `«${value}» no es un piso. Escriba un número entero de -20 a 300. 0 es la planta baja.`,
    not_hours: ({ value }) => `«${value}» no es un horario como 08:00–17:00 o 24h.`,
    not_yes_no: ({ value }) => `«${value}» no es ni sí ni no.`,
    repeated: ({ value }) => `Es igual que la fila ${value}. Deje solo una.`,
    tower_unknown: ({ value }) =>
      value
        ? `No hay ninguna torre con ese nombre. Use una de estas: ${value}.`
        : 'Todavía no hay torres. Agréguelas primero en «Torres».',
    unit_unknown: ({ value }) =>
      `No encontramos ninguna vivienda «${value}» en uso. Corrija el número o agregue primero la vivienda.`,
    unit_ambiguous: ({ value }) =>
      `Más de una torre tiene una vivienda «${value}». Agregue una columna «tower».`,
    unit_without_number: () =>
      'Hay una torre, pero no un número de vivienda. Agregue el número o deje vacía esta celda.',
    contact_ambiguous: ({ value }) =>
      `Hay varios contactos «${value}». Agregue una columna «label» para distinguirlos o cambie sus nombres en la página de contactos.`,
    not_a_resident: ({ value }) =>
      `«${value}» es la dirección de una cuenta que no es de un residente. Quite esta fila y cambie la cuenta en «Personas».`,
    resident_inactive: ({ value }) =>
      `La cuenta de «${value}» está inactiva. Quite esta fila o active la cuenta en «Personas».`,
    name_unseen: () => 'Este nombre contiene caracteres ocultos. Quítelos.',
    name_reserved: ({ value }) =>
      `«${value}» está reservado para el servicio o el edificio. Escriba el nombre de la persona.`,
  },
}

/** What is wrong with a field of the import form. */
export const importFields: typeof en.importFields = {
  csv_required: 'Elija un archivo o pegue las celdas',
  csv_too_large: 'El archivo supera los 2 MB. Divídalo en varios archivos',
  kind_required: 'Elija qué quiere importar',
  kind_unknown: 'Elija viviendas (units), contactos (contacts) o residentes (residents)',
  dryRun_not_boolean: 'El valor de dryRun debe ser true o false',
}

/** Problems of imports. */
export const importProblems: typeof en.importProblems = {
  import_refused: {
    title: 'Algunas filas no se pueden importar',
    detail: 'No se guardó nada. Corrija las filas indicadas y envíe el archivo otra vez.',
  },
}
