import type * as en from '../en/building.js'
import { count, counted } from './counted.js'

/** An asset's page. */
export const asset: typeof en.asset = {
  uptime: 'Tiempo en servicio',
  last30Days: 'Últimos 30 días',
  last90Days: 'Últimos 90 días',
  about: 'Descripción',
  contact: 'A cargo del mantenimiento',
  noIncidents: 'Todavía no hay reportes.',
  history: 'Historial por día',
  date: 'Fecha',
  status: 'Estado',
  year: 'Últimos 365 días',
  cost: 'Costos de reparación',
  downtime: 'Tiempo fuera de servicio',
  hours: (n: number, figure: string) =>
    count(n, { one: `${figure} hora`, many: `${figure} de horas`, other: `${figure} horas` }),
}

/** The office's part of an asset's page. */
export const assetPage: typeof en.assetPage = {
  title: 'Solo para el personal',
  change: 'Editar este equipo',
  plan: 'Programar mantenimiento de este equipo',
  costs: 'Costos de reparación de los últimos 12 meses',
  noCosts: 'Sin costos de reparación en los últimos 12 meses.',
  chart: (sum: string, month: string, most: string) => `Total: ${sum}. El más alto, en ${month}: ${most}.`,
  table: 'Costos y fallas por mes',
  month: 'Mes',
  cost: 'Costos',
  faults: 'Fallas',
  repeats: 'Fallas repetidas',
  repeatsHint: (n: number) =>
    `${counted(n, 'falla repetida', 'fallas repetidas')} en los 30 días siguientes a una reparación (últimos 365 días).`,
  noRepeats: 'Sin fallas repetidas en los 30 días siguientes a una reparación (últimos 365 días).',
  after: (days: number) =>
    days === 0
      ? 'Menos de un día después de la reparación de'
      : `${counted(days, 'día', 'días')} después de la reparación de`,
}

/** The page of contacts. */
export const contactsPage: typeof en.contactsPage = {
  call: (name: string) => `Llamar a ${name}`,
  openNow: 'atiende ahora',
  closedNow: 'no atiende ahora',
}

/** When a contact can be reached. */
export const openingHours: typeof en.openingHours = {
  always: 'las 24 horas',
  allDay: 'todo el día',
  everyDay: (times: string) => `todos los días ${times}`,
  weekdays: (times: string) => `lun–vie ${times}`,
  toSaturday: (times: string) => `lun–sáb ${times}`,
  weekend: (times: string) => `sáb–dom ${times}`,
  saturday: (times: string) => `sáb ${times}`,
  sunday: (times: string) => `dom ${times}`,
}

/** The office's pages of assets. */
export const assets: typeof en.assets = {
  title: 'Equipos',
  intro: 'Equipos comunes sobre los que se pueden reportar problemas, en el orden de la página de estado.',
  none: 'Todavía no hay equipos.',
  create: 'Agregar un equipo',
  edit: (name: string) => name,
  remove: 'Eliminar este equipo',
  blocked: 'Para conservar su historial, archive este equipo.',
  archive: {
    title: 'Archivar este equipo',
    hint: 'Lo quita de la página de estado, del formulario de reportes y de las etiquetas. Sus reportes y costos se conservan.',
    send: 'Archivar equipo',
    archivedTitle: 'Este equipo está archivado',
    archivedHint:
      'No aparece en la página de estado, el formulario de reportes ni las etiquetas. Sus reportes y costos se conservan.',
    unarchive: 'Restaurar equipo',
  },
  fields: {
    towerId: 'Torre',
    towerName: 'Torre',
    name: 'Nombre',
    category: 'Tipo',
    code: 'Número de equipo',
    description: 'Descripción',
    sortOrder: 'Orden',
    contactId: 'A cargo del mantenimiento',
    contactName: 'A cargo del mantenimiento',
    archived: 'Estado',
    archivedAt: 'Estado',
  },
  hints: {
    name: 'El nombre que se usa en el edificio.',
    category: 'Por ejemplo: Ascensor, Portero eléctrico, Caldera',
    code: 'Número de la etiqueta o del contrato (opcional)',
    description: 'Es pública: dónde está y para qué sirve.',
    contactId:
      'Uno de sus contactos. Quien tenga una cuenta lo ve en la página del equipo; si es público, todas las personas.',
    sortOrder:
      'Los números más bajos van primero dentro de la torre. Los equipos nuevos sin número van al final.',
  },
}

/** Of flats. */
export const units: typeof en.units = {
  title: 'Viviendas',
  intro: 'Donde vive la gente. Se pueden reportar problemas dentro de una vivienda.',
  none: 'Todavía no hay viviendas.',
  create: 'Agregar una vivienda',
  edit: (name: string) => name,
  remove: 'Eliminar esta vivienda',
  blocked: 'Para conservar su historial, archive esta vivienda.',
  archive: {
    title: 'Archivar esta vivienda',
    hint: 'La quita del formulario de reportes. Se conservan sus reportes y las cuentas de quienes viven en ella.',
    send: 'Archivar vivienda',
    archivedTitle: 'Esta vivienda está archivada',
    archivedHint: 'No se puede seleccionar en reportes nuevos. Sus reportes anteriores se conservan.',
    unarchive: 'Restaurar vivienda',
  },
  fields: {
    towerId: 'Torre',
    towerName: 'Torre',
    number: 'Número',
    floor: 'Piso',
    people: 'Personas con cuenta',
    archived: 'Estado',
    archivedAt: 'Estado',
  },
  hints: {
    number: 'Como en la puerta: 1204 o 12A.',
    floor: '0 es la planta baja. Use el signo menos para los pisos inferiores.',
  },
}

/** Of towers. */
export const towers: typeof en.towers = {
  title: 'Torres',
  firstTower: 'Edificio principal',
  intro: 'Los equipos y las viviendas se agrupan por torre. Si el edificio tiene una sola parte, basta una.',
  none: 'Todavía no hay torres.',
  create: 'Agregar una torre',
  edit: (name: string) => `Torre: ${name}`,
  remove: 'Eliminar esta torre',
  fields: {
    name: 'Nombre',
    sortOrder: 'Orden',
    assets: 'Equipos',
    units: 'Viviendas',
  },
  hints: { sortOrder: 'Los números más bajos van primero. Las torres nuevas sin número van al final.' },
}

/** Of contacts. */
export const contacts: typeof en.contacts = {
  title: 'Contactos',
  intro:
    'Se muestran en la página de contactos en este orden. El número de emergencia está en todas las páginas.',
  none: 'Todavía no hay contactos.',
  create: 'Agregar un contacto',
  edit: (name: string) => name,
  remove: 'Eliminar este contacto',
  fields: {
    name: 'Nombre',
    label: 'Función o descripción',
    phone: 'Teléfono',
    email: 'Correo electrónico',
    hoursWeekdays: 'Horario de lunes a viernes',
    hoursSaturday: 'Horario del sábado',
    hoursSunday: 'Horario del domingo',
    notes: 'Notas',
    sortOrder: 'Orden',
    isEmergency: 'Número de emergencia',
    isPublic: 'Público',
    order: 'Posición',
  },
  hints: {
    label: 'Por ejemplo: Empresa de ascensores',
    phone: 'Incluya el código del país.',
    hoursWeekdays:
      'Por ejemplo, 08:00–17:00, o 09:00–13:00, 15:00–18:00. Todo el día: 24h. Durante la noche: 17:00–08:00.',
    hoursSaturday: 'Si ningún día tiene horario, no mostramos ninguno.',
    notes: 'Cuándo llamar, qué tener a mano',
    sortOrder: 'Los números más bajos van primero.',
    isEmergency:
      'Se muestra en todas las páginas, por si alguien está atrapado o en peligro. Si hay varios, mostramos el que atiende en ese momento.',
    isPublic:
      'Todas las personas lo ven en las páginas de los equipos que mantiene. Si no, solo quienes tienen cuenta.',
  },
  moveUp: (name: string) => `Subir a ${name}`,
  moveDown: (name: string) => `Bajar a ${name}`,
}

/** The settings of the building. */
export const property: typeof en.property = {
  title: 'Ajustes del edificio',
  edit: () => 'Ajustes del edificio',
  fields: {
    name: 'Nombre',
    address: 'Dirección',
    timezone: 'Zona horaria',
    currency: 'Moneda',
    locale: 'Idioma',
    secondFactorRequired: 'Verificación en dos pasos',
    officePhone: 'Teléfono de la administración',
    emergencyNumber: 'Número para incendios y heridos',
    unitVisibility: '¿Quién puede ver el número de vivienda en los reportes?',
    emailVisibility: '¿Cuándo se hacen públicos los reportes por correo?',
    signUp: '¿Quién puede crear cuentas?',
  },
  hints: {
    name: 'Se muestra al principio de cada página y correo.',
    address: 'Se muestra al final de cada página.',
    timezone:
      'Por ejemplo, America/Bogota. Se usa para todas las fechas, el mantenimiento que se repite y la disponibilidad, también la pasada.',
    currency: 'Para los costos de reparación. Los montos existentes no se convierten.',
    locale: 'Se usa en las etiquetas y en la pantalla del vestíbulo.',
    secondFactorRequired:
      'Un código de una aplicación además de la contraseña. El personal debe configurarla antes de usar las páginas de administración. Configure primero la suya.',
    officePhone: 'Es público (opcional). Las personas sin cuenta pueden llamar.',
    emergencyNumber:
      'Se muestra en todas las páginas. Si está vacío, usamos el número del país de su zona horaria, como 112, 911 o 123.',
    unitVisibility: 'Los demás solo ven la torre: en las páginas, los correos y la aplicación.',
    emailVisibility: 'Si la administración los aprueba primero, hasta entonces solo los lee el personal.',
    signUp:
      'Si puede cualquier persona, quienes inicien sesión por correo obtienen una cuenta de residente. Puede cambiarlo cuando quiera.',
  },
}

/** The checklist of a new building. */
export const setupSteps: typeof en.setupSteps = {
  title: 'Pasos de configuración',
  intro: 'Configure su edificio paso a paso.',
  allDone: 'Todo está configurado.',
  link: 'Termine de configurar su edificio',
  done: 'Hecho',
  toDo: 'Falta',
  progress: (done: number, all: number) => `${done} de ${all} listos.`,
  next: (step: string) => `Siguiente: ${step}`,
  dismiss: 'Ocultar pasos de configuración',
  steps: {
    name: { title: 'Nombre y dirección', hint: 'Se muestran en cada página, correo y etiqueta.' },
    zone: { title: 'Zona horaria e idioma', hint: 'Se usan para todas las fechas y horas.' },
    towers: { title: 'Torres', hint: 'Ya agregamos una. Cámbiele el nombre o agregue las demás.' },
    assets: {
      title: 'Equipos',
      hint: 'Ascensores, puertas, bombas: todo lo que se comparte y se puede dañar.',
    },
    units: { title: 'Viviendas', hint: 'Impórtelas todas desde una hoja de cálculo.' },
    contacts: { title: 'Número de emergencia', hint: 'Se muestra en todas las páginas.' },
    officePhone: {
      title: 'Teléfono de la administración',
      hint: 'A él llaman las personas sin cuenta: solo la administración puede crearles una.',
    },
    people: { title: 'Residentes', hint: 'Impórtelos desde una hoja de cálculo, con sus viviendas.' },
    invitations: { title: 'Invitaciones', hint: 'Invite a quienes todavía no crearon una contraseña.' },
  },
  email: {
    title: '¿Cuándo se hacen públicos los reportes por correo?',
    choice: {
      at_once:
        'De inmediato: todos pueden leer un reporte por correo enseguida, incluso un insulto o un dato privado que contenga.',
      when_sorted:
        'Cuando la administración lo apruebe: solo el personal puede leer un reporte por correo hasta que alguien lo acepte.',
    },
    save: 'Guardar respuesta',
  },
  stickers: {
    title: 'Etiquetas QR y pantalla del vestíbulo',
    hint: 'Imprima una etiqueta para cada equipo y abra la pantalla del vestíbulo en el televisor de la entrada.',
  },
}

/** Stickers and posters with a QR code. */
export const posters: typeof en.posters = {
  title: 'Etiquetas QR',
  intro: 'Una etiqueta por equipo. Al escanear el código se abre el formulario de reportes de ese equipo.',
  size: 'Tamaño del papel',
  sizes: { a4: 'A4', letter: 'Carta (EE. UU.)' },
  tower: 'Torre',
  allTowers: 'Todas las torres',
  opens: (origin: string) => `Los códigos abren ${origin}.`,
  onlyHere: (origin: string) =>
    `Los códigos abren ${origin}, que solo funciona en esta computadora. Antes de imprimir, ponga en PUBLIC_URL la dirección que usan las personas.`,
  none: 'No hay equipos para imprimir etiquetas.',
  count: (stickers: number, sheets: number) =>
    `${counted(stickers, 'etiqueta', 'etiquetas')} en ${counted(sheets, 'hoja', 'hojas')}.`,
  how: 'Imprima a tamaño real (100%), sin encabezados ni pies de página, y corte por las líneas punteadas.',
  scan: '¿Algo falla? Escanee para reportar',
  opensLink: (link: string) => `Código QR que abre ${link}`,
  number: (id: number) => `N.º ${id}`,
}

/** What a page says at its top about the building. */
export const buildingNotices: typeof en.buildingNotices = {
  startDismissed: 'Pasos de configuración ocultos.',
  assetArchived: 'Esto ya no está en uso. Los reportes anteriores están abajo.',
}
