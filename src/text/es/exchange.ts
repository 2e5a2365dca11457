import type {
  exchange as enExchange,
  exchangeFields as enExchangeFields,
  exchangeProblems as enExchangeProblems,
} from '../en/exchange.js'
import { count, counted, listed } from './counted.js'

const whole = (n: string | number | undefined) => new Intl.NumberFormat('es').format(Number(n))

/** What goes in and out as a file or on paper: exports, posters, imports. */
export const exchange: typeof enExchange = {
  download: 'Guardar esta lista como hoja de cálculo (CSV)',
  posters: {
    title: 'Pegatinas para imprimir',
    intro:
      'Una para cada instalación. Al escanear su código se abre el formulario de avisos con la instalación ya elegida.',
    size: 'Papel',
    sizes: { a4: 'A4', letter: 'Carta (EE. UU.)' },
    tower: 'Torre',
    allTowers: 'Todas las torres',
    opens: (origin: string) => `Los códigos abren ${origin}.`,
    onlyHere: (origin: string) =>
      `Los códigos abren ${origin}, una dirección que solo existe en este ordenador. Antes de imprimir, ponga en PUBLIC_URL la dirección que se usa en el edificio.`,
    none: 'Aquí no hay ninguna instalación de la que hacer una pegatina.',
    count: (stickers: number, sheets: number) =>
      `${counted(stickers, 'pegatina', 'pegatinas')} en ${counted(sheets, 'hoja', 'hojas')}.`,
    how: 'Imprima esta página a tamaño real (100 %), sin encabezados ni pies de página, y corte por las líneas discontinuas.',
    scan: '¿Algo falla? Escanee y avise',
    opensLink: (link: string) => `Código QR que abre ${link}`,
    number: (id: number) => `N.º ${id}`,
  },
  imports: {
    title: 'Importar una hoja de cálculo',
    intro:
      'Guarde la hoja como CSV y elíjala aquí. Primero se ve lo que pasaría; después se guardan todas las filas o ninguna.',
    kind: '¿Qué hay en la hoja?',
    kinds: { units: 'Viviendas', contacts: 'Contactos', residents: 'Residentes' },
    file: 'El archivo',
    fileHint:
      'Hasta 10.000 filas y 2 MB, como CSV con las celdas separadas por comas, punto y coma o tabuladores.',
    paste: 'O pegue aquí las celdas',
    pasteHint: 'Con la fila de los nombres de las columnas. Si hay archivo, cuenta el archivo.',
    invite: 'Enviar invitaciones a las personas nuevas',
    check: 'Comprobar las filas',
    columnsTitle: 'Qué tiene que decir la primera fila',
    columns: {
      units:
        'Cada fila es una vivienda, que se reconoce por la torre y el número. Las torres ya tienen que existir.',
      contacts:
        'Cada fila es una entrada de la página de contactos, que se reconoce por el nombre y por para qué sirve. Una celda vacía vacía el campo; una columna que falta lo deja como está.',
      residents:
        'Cada fila es una persona, que se reconoce por el correo electrónico. Las nuevas pueden iniciar sesión cuando reciben la invitación. Sin torre, basta el número de la vivienda si no se repite en otra torre.',
    },
    needed: 'obligatoria',
    canBeMissing: 'puede faltar',
    example: 'Por ejemplo',
    examples: {
      units: 'tower,number,floor\nTorre Norte,1204,12\nTorre Norte,1205,12',
      contacts:
        'name,label,phone,email,notes\nAscensores Lucena,Día y noche,+34 91 123 45 67,ascensores@example.com,Contrato 77-1',
      residents: 'name,email,tower,unit\nAda Lovelace,ada@example.com,Torre Norte,1204',
    },
    wrongRows: (n: number) =>
      count(n, {
        one: 'Hay 1 cosa que corregir',
        many: `Hay ${n} de cosas que corregir`,
        other: `Hay ${n} cosas que corregir`,
      }),
    nothingStored: 'No se ha guardado nada. Corrija esto en la hoja, o más abajo, y compruébela otra vez.',
    moreProblems: (n: number) => `Y ${n} más.`,
    row: 'Dónde',
    rowNumber: (row: number, line: number) =>
      row === line ? `Fila ${row}` : `Fila ${row} (línea ${line} del archivo)`,
    column: 'Columna',
    wholeRow: 'toda la fila',
    problem: 'Qué hacer',
    previewTitle: (kind: 'units' | 'contacts' | 'residents') =>
      ({ units: 'Importar viviendas', contacts: 'Importar contactos', residents: 'Importar residentes' })[
        kind
      ],
    nothingYet: 'Todavía no se ha guardado nada.',
    counts: { created: 'Filas nuevas', updated: 'Filas cambiadas', unchanged: 'Filas sin cambios' },
    ignored: (columns: string[]) => `Estas columnas no se importan: ${listed(columns)}.`,
    changedTitle: 'Qué cambia',
    madeTitle: 'Qué es nuevo',
    what: 'Qué',
    change: 'Cambio',
    empty: 'nada',
    moreRows: (n: number) => `Y ${counted(n, 'fila', 'filas')} más.`,
    store: (n: number) => `Importar ${counted(n, 'fila', 'filas')}`,
    nothingToDo: 'Todo lo que hay en la hoja ya está aquí. No hay nada que importar.',
    other: 'Elegir otra hoja',
    done: (created: number, updated: number, unchanged: number) =>
      `La importación está hecha. Filas nuevas: ${created}; cambiadas: ${updated}; sin cambios: ${unchanged}.`,
    see: 'Ver la lista',
    fields: {
      number: 'Número',
      floor: 'Planta',
      archivedAt: 'Fuera de uso desde',
      name: 'Nombre',
      label: 'Para qué sirve',
      phone: 'Teléfono',
      email: 'Correo electrónico',
      notes: 'Notas',
      unitId: 'Vivienda',
    },
    rowProblems: {
      column_missing: ({ column }) =>
        `No hay ninguna columna «${column}». Ponga ese nombre en la primera fila.`,
      column_twice: ({ column }) => `Hay dos columnas «${column}». Deje solo una.`,
      no_rows: () => 'No hay ninguna fila debajo de los nombres de las columnas. Añada alguna.',
      too_many_rows: ({ value }) => `Hay más de ${whole(value)} filas. Importe las demás en otro archivo.`,
      quote_open: () => 'Aquí se abren unas comillas que no se cierran. Ciérrelas o quítelas.',
      too_many_cells: ({ value }) =>
        `Hay más celdas que columnas (${value}). Ponga entre comillas los textos que llevan comas.`,
      empty: () => 'Esto no puede estar vacío.',
      too_long: ({ value }) => `Escriba como máximo ${whole(value)} caracteres.`,
      not_email: ({ value }) => `«${value}» no es un correo electrónico. Corríjalo.`,
      not_floor: ({ value }) =>
        `«${value}» no es una planta. Escriba un número entero de -20 a 300; 0 es la planta baja.`,
      repeated: ({ value }) => `Es lo mismo que la fila ${value}. Deje solo una de las dos.`,
      tower_unknown: ({ value }) =>
        value
          ? `Esa torre no existe. Se conocen estas: ${value}.`
          : 'Todavía no hay ninguna torre. Añádala primero en «Torres».',
      unit_unknown: ({ value }) =>
        `Allí no hay ninguna vivienda «${value}» en uso. Corrija el número o añada antes la vivienda.`,
      unit_ambiguous: ({ value }) =>
        `Varias torres tienen una vivienda «${value}». Diga cuál en una columna «tower».`,
      unit_without_number: () =>
        'Hay una torre, pero no un número de vivienda. Añádalo o deje vacía esta celda.',
      contact_ambiguous: ({ value }) =>
        `Hay varios contactos «${value}». Añada una columna «label» que los distinga o cámbielos en la página de contactos.`,
      not_a_resident: ({ value }) =>
        `«${value}» es la dirección de una cuenta que no tiene el rol Residente. Quite esta fila y haga el cambio en «Personas».`,
      resident_inactive: ({ value }) =>
        `La cuenta de «${value}» no está activa. Quite esta fila o actívela en «Personas».`,
      name_unseen: () => 'Este nombre tiene caracteres que no se ven, como marcas de dirección. Quítelos.',
      name_reserved: ({ value }) =>
        `«${value}» corresponde al servicio o al edificio. Escriba el nombre de la persona.`,
    },
  },
}

/** What is wrong with a field of the import form. */
export const exchangeFields: typeof enExchangeFields = {
  csv_required: 'Elija un archivo o pegue las celdas',
  csv_too_large: 'La hoja ocupa más de 2 MB. Divídala en varios archivos',
  kind_required: 'Elija qué hay en la hoja',
  kind_unknown: 'Elija viviendas (units), contactos (contacts) o residentes (residents)',
  dryRun_not_boolean: 'El valor de dryRun tiene que ser true o false',
}

/** Problems of imports. */
export const exchangeProblems: typeof enExchangeProblems = {
  import_refused: {
    title: 'Hay filas que no se pueden importar',
    detail: 'No se ha guardado nada. Corrija las filas que se indican y envíe la hoja otra vez.',
  },
  export_busy: {
    title: 'Ahora mismo se están guardando otros archivos',
    detail: 'Ya se están preparando dos archivos grandes. Espere un momento y vuelva a intentarlo.',
  },
}

/** Lo que se guarda de una persona, y cómo se borra. */
export const personData = {
  title: 'Lo que guardamos de usted',
  intro: 'Lo que avisó y escribió, lo que sigue, dónde tiene sesiones y lo que hizo aquí.',
  ofOne: 'Lo que se guarda de esta persona',
  ofOneHint: 'Para quien lo pide, o quiere que se le olvide.',
  download: 'Descargarlo todo como JSON, con las direcciones de las fotos',
  erase: 'Borrar esta cuenta',
  eraseTitle: '¿Borrar su cuenta?',
  eraseOne: (name: string) => `¿Borrar a ${name}?`,
  goes: 'Esto desaparece para siempre:',
  points: [
    'nombre, correo, vivienda y contraseña',
    'sesiones, enlaces para entrar, el segundo factor, el inicio de sesión único y los teléfonos',
    'todo lo que sigue y todos los correos que esperan',
  ],
  stays:
    'Los avisos, comentarios y fotos se quedan, porque otros cuentan con ellos, y se muestran con «Persona borrada» en lugar del nombre, igual que las entradas del registro. Pida antes a la administración que oculte un texto que diga quién lo escribió. Las copias de seguridad ya hechas no cambian.',
  forGood: 'No se puede deshacer.',
  eraseYes: 'Sí, borrar',
}
