import { linkPurposes } from '../../vocabulary/email/linkPurposes.js'
import type * as en from '../en/accounts.js'
import { counted, el, listed, on } from './counted.js'

const whole = (n: string | number | undefined) => new Intl.NumberFormat('es').format(Number(n))

/** The office's pages of people. */
export const people: typeof en.people = {
  title: 'Personas',
  intro: 'Todas las personas con una cuenta. Las personas nuevas reciben una invitación por correo.',
  none: 'Todavía no hay personas.',
  create: 'Agregar una persona',
  edit: (name: string) => name,
  remove: 'Eliminar a esta persona',
  blocked:
    'Desactive la cuenta: nadie podrá iniciar sesión con ella y los reportes anteriores conservarán el nombre.',
  fields: {
    name: 'Nombre',
    email: 'Correo electrónico',
    role: 'Rol',
    unitId: 'Vivienda',
    locale: 'Idioma',
    active: 'Activa',
    password: 'Contraseña',
    state: 'Cuenta',
    lastSeenAt: 'Última visita',
  },
  hints: {
    role: 'La junta, la gestión y los administradores pueden usar las páginas de administración. Solo los administradores gestionan a las personas.',
    active: 'Con una cuenta inactiva no se puede iniciar sesión.',
    password:
      'Al menos 12 caracteres. Déjela en blanco para enviar una invitación a una persona nueva o para conservar la contraseña actual.',
  },
  noUnit: 'Ninguna',
  state: {
    app: 'Cuenta de la aplicación',
    active: 'Activa',
    invited: 'Sin contraseña',
    inactive: 'Inactiva',
  },
  history: {
    reports: (n: number) => counted(n, 'reporte', 'reportes'),
    comments: (n: number) => counted(n, 'comentario', 'comentarios'),
    acts: (n: number) =>
      counted(n, 'entrada en el registro de auditoría', 'entradas en el registro de auditoría'),
  },
  appAccount: 'La usan los reportes enviados desde la aplicación móvil. No se puede cambiar ni eliminar.',
  inviteAll: (n: number) => `Invitar a ${counted(n, 'persona', 'personas')}…`,
  inviteAllHint: 'Les enviaremos por correo un enlace para crear una contraseña, como máximo una vez al día.',
  invitations: {
    title: (n: number) => `¿Enviar una invitación por correo a ${counted(n, 'persona', 'personas')}?`,
    hint: 'Todavía no se ha escrito a nadie. Cada persona recibe un enlace para crear una contraseña, válido durante 7 días.',
    later: (n: number) => `Después podrá invitar a ${counted(n, 'persona', 'personas')} más.`,
    who: 'Ver quién recibe una invitación',
    send: (n: number) => `Enviar ${counted(n, 'invitación', 'invitaciones')}`,
  },
  inviteTitle: 'Invitación',
  inviteHint: `Esta persona todavía no creó una contraseña. El enlace de la invitación funciona durante ${linkPurposes.invite.minutes / 1440} días.`,
  invite: 'Reenviar invitación',
  resetTitle: 'Restablecer contraseña',
  resetHint: `Enviaremos a esta persona un enlace para restablecer su contraseña. Funciona durante ${linkPurposes.reset.minutes / 60} hora.`,
  reset: 'Enviar enlace',
  signOutTitle: 'Sesiones',
  signOut: 'Cerrar todas las sesiones',
  lastSeen: (time: string) => `Última visita: ${time}.`,
  neverSeen: 'No tiene ninguna sesión iniciada.',
}

/** The pages of one's own account. */
export const account: typeof en.account = {
  title: 'Su cuenta',
  tabs: { profile: 'Perfil', notifications: 'Notificaciones', security: 'Seguridad', data: 'Sus datos' },
  about: {
    title: 'Su perfil',
    name: 'Nombre',
    nameHint: 'Se muestra con sus reportes, salvo que lo oculte.',
    email: 'Correo electrónico',
    emailHint: 'Para cambiarlo, pídalo a la administración del edificio.',
    role: 'Rol',
    unit: 'Vivienda',
    noUnit: 'Ninguna',
    locale: 'Idioma',
  },
  followed: {
    title: 'Reportes que sigue',
    hint: '¿Qué novedades quiere recibir?',
    choice: {
      all: 'Todo: comentarios y cambios de estado',
      status: 'Solo cambios de estado',
      nothing: 'Nada',
    },
    single: 'Personalizado: vea abajo',
  },
  notifications: {
    title: 'Notificaciones',
    hint: 'Elija cómo le avisamos. «Aplicación» incluye la aplicación móvil y los navegadores con notificaciones activadas.',
    what: 'Novedad',
    channel: { mail: 'Correo', push: 'Aplicación' },
    box: (what: string, channel: string) => `${what}: ${channel}`,
  },
  browsers: {
    title: 'Notificaciones del navegador',
    hint: 'Reciba notificaciones en este navegador, incluso con esta página cerrada. Usa las opciones «Aplicación» de arriba.',
    none: 'Todavía no hay navegadores.',
    ask: 'Activar notificaciones',
    asking: 'Permita las notificaciones cuando el navegador lo pregunte.',
    cannot:
      'Este navegador no puede mostrar notificaciones aquí. Hace falta una dirección https; en un iPhone o iPad, agregue la página de estado a la pantalla de inicio y ábrala desde allí.',
    refused:
      'Las notificaciones están bloqueadas. Permítalas en los ajustes del navegador y recargue esta página.',
    failed: 'No funcionó. Inténtelo de nuevo en unos minutos.',
    since: (time: string) => `activadas desde ${el(time)}`,
    remove: 'Desactivar notificaciones',
    removeOne: (device: string, time: string) =>
      `Desactivar notificaciones en ${device}, activadas desde ${el(time)}`,
  },
  password: {
    title: 'Contraseña',
    current: 'Contraseña actual',
    next: 'Contraseña nueva',
    hint: 'Al menos 12 caracteres. Pruebe con tres palabras al azar.',
    ends: 'Su sesión seguirá abierta aquí y se cerrará en los demás dispositivos.',
    save: 'Cambiar contraseña',
  },
  sessions: {
    title: 'Sesiones iniciadas',
    here: 'este dispositivo',
    device: (browser: string | null, system: string | null) => {
      if (browser && system) return `${browser} en ${system}`
      return browser ?? system ?? 'Dispositivo desconocido'
    },
    lastSeen: (time: string) => `última visita ${on(time)}`,
    all: (n: number) => `Mostrar las ${n}`,
    since: (time: string) => `iniciada ${on(time)}`,
    endOne: (device: string, time: string) => `Cerrar la sesión de ${device}, última visita ${on(time)}`,
    endOthers: 'Cerrar las demás sesiones',
    only: 'No tiene otras sesiones iniciadas.',
  },
}

/** What is kept about a person, and its erasure (decision 7.31). */
export const personData: typeof en.personData = {
  title: 'Sus datos',
  intro: 'Lo que reportó y escribió, lo que sigue, dónde tiene sesiones iniciadas y lo que hizo aquí.',
  ofOne: 'Datos de esta persona',
  ofOneHint: 'Úselo cuando alguien pida sus datos o pida que se eliminen.',
  download: 'Descargar datos (JSON)',
  erase: 'Eliminar cuenta y datos',
  eraseTitle: '¿Eliminar su cuenta?',
  eraseOne: (name: string) => `¿Eliminar la cuenta y los datos de ${name}?`,
  goes: 'Eliminaremos para siempre:',
  points: [
    'nombre, correo electrónico, vivienda y contraseña',
    'sesiones, enlaces para iniciar sesión, verificación en dos pasos, inicio de sesión único y teléfonos',
    'la lista de reportes y equipos que sigue y todos los correos sin enviar',
  ],
  stays:
    'Los reportes, los comentarios, las fotos y las entradas del registro de auditoría quedan, con el nombre «Persona eliminada». Antes de eliminar, pida a la administración que oculte los textos que nombren a su autor. Las copias de seguridad existentes no cambian.',
  forGood: 'Esto no se puede deshacer.',
  eraseYes: 'Sí, eliminar esta cuenta',
}

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
      'name,label,phone,email,notes\nAscensores Lucena,Día y noche,+57 601 123 4567,ascensores@example.com,Contrato 77-1',
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
    notes: 'Notas',
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
  export_busy: {
    title: 'Hay muchas descargas en curso',
    detail: 'Inténtelo de nuevo en un minuto.',
  },
}
