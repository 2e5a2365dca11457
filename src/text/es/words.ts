import type { words as en, feeds as enFeeds, statusPages as enStatusPages } from '../en/words.js'
import { count, counted, el, listed, on } from './counted.js'

const named = (names: string[], more: number) => listed(more > 0 ? [...names, `${more} más`] : names)

/** Words used everywhere: states, severities, units of time. */
export const words: typeof en = {
  assetStatus: {
    operational: 'Funciona',
    degraded: 'Funciona en parte',
    down: 'Fuera de servicio',
    maintenance: 'Mantenimiento programado',
  },
  status: {
    open: 'Reportado',
    acknowledged: 'Visto por la administración',
    in_progress: 'En reparación',
    resolved: 'Marcado como arreglado',
    verified: 'Arreglo confirmado',
  },
  statusMeaning: {
    open: 'Recibimos su reporte.',
    acknowledged: 'La administración del edificio ya lo vio.',
    in_progress: 'Alguien está trabajando en esto.',
    resolved: 'La administración lo marcó como arreglado. ¿Lo está?',
    verified: 'Un residente o la administración confirmó el arreglo.',
  },
  statusNews: {
    open: 'La administración reabrió este reporte.',
    acknowledged: 'Le escribiremos por correo cuando haya novedades.',
    in_progress: 'Le escribiremos por correo cuando haya novedades.',
    resolved: '¿Está arreglado?',
    verified: 'El reporte está cerrado.',
  },
  notFixed: {
    status: 'Reportado como no arreglado',
    meaning: 'Un residente dice que no está arreglado. Avisamos a la administración.',
    statement: (time: string) => `Reportado como no arreglado, ${time}. Avisamos a la administración.`,
  },
  severity: { low: 'Baja', medium: 'Media', high: 'Alta', critical: 'Crítica' },
  severityMeaning: {
    low: 'Se ve mal, pero funciona',
    medium: 'Funciona, pero no bien',
    high: 'No se puede usar',
    critical: 'Es peligroso, o no se puede entrar ni salir',
  },
  source: { web: 'en este sitio', mobile: 'en la aplicación', email: 'por correo' },
  role: { resident: 'Residente', board: 'Junta', manager: 'Gestión', admin: 'Admin' },
  recurrence: { none: 'Una vez', weekly: 'Cada semana', monthly: 'Cada mes' },
  ofTheOffice: 'Administración',
  anonymous: 'Residente anónimo',
  deletedPerson: 'Persona eliminada',
  system: 'Caretaker',
  byEmail: 'Por correo',
  inApp: 'Reportado en la aplicación',
  inboundMail: {
    noSubject: '(sin asunto)',
    nothingNew: 'Respondió por correo, sin texto nuevo.',
    onlyPhotos: 'Enviado por correo.',
    removed: '[eliminado]',
    notTaken: (n: number) => `No pudimos guardar ${counted(n, 'archivo adjunto', 'archivos adjuntos')}.`,
    refused: (names: string[], more: number) =>
      `No agregamos: ${named(names, more)}. Puede adjuntar hasta 5 fotos (JPEG, PNG, WebP o AVIF), de 10 MB cada una.`,
    later: (names: string[], more: number) =>
      `No pudimos guardar: ${named(names, more)}. Por favor, envíe el correo otra vez.`,
  },
  hours: (n: number) => counted(n, 'hora', 'horas'),
  days: (n: number) => counted(n, 'día', 'días'),
  list: listed,
}

/** The status page and the history of a month. */
export const statusPages: typeof enStatusPages = {
  statusPage: {
    title: 'Estado',
    headline: {
      operational: () => 'Todo funciona',
      maintenance: (n: number, name: string) =>
        n === 1
          ? `${name}: en mantenimiento programado`
          : `${counted(n, 'equipo', 'equipos')} en mantenimiento programado`,
      degraded: (n: number, name: string) =>
        n === 1 ? `${name} funciona en parte` : `${counted(n, 'equipo', 'equipos')} funcionan en parte`,
      down: (n: number, name: string) =>
        n === 1
          ? `${name} está fuera de servicio`
          : `${counted(n, 'equipo', 'equipos')} están fuera de servicio`,
    },
    empty: 'Todavía no hay equipos',
    emptyHint: 'La administración todavía no agregó ascensores, puertas ni otros equipos.',
    summary: (working: number, total: number) => `Funcionan ${working} de ${total}`,
    now: 'Ahora mismo',
    problems: 'Problemas actuales',
    noProblemsNow: 'Sin problemas.',
    unconfirmed: 'Reportado como fuera de servicio. La administración todavía no lo confirmó.',
    confirm: 'Confirmar como administración',
    incidents: 'Otros reportes abiertos',
    more: (n: number) => `${n} más`,
    everyWeek: (time: string) => `cada semana, la próxima ${on(time)}`,
    everyMonth: (time: string) => `cada mes, la próxima ${on(time)}`,
    history: 'Historial por mes',
    upcoming: 'Mantenimiento programado',
    noUpcoming: 'No hay mantenimiento programado en los próximos 30 días.',
    lastKnown: (minutes) =>
      minutes === 0
        ? 'No podemos consultar el estado ahora. Este es el de hace menos de un minuto.'
        : `No podemos consultar el estado ahora. Este es el de hace ${counted(minutes, 'minuto', 'minutos')}.`,
    since: (time: string) => `desde ${el(time)}`,
    until: (time: string) => `hasta ${el(time)}`,
    lastDays: (percent: string) => `${percent}% de disponibilidad en 90 días`,
    rule: 'Contamos como en servicio el mantenimiento programado y «Funciona en parte».',
    legendText: (from: string) =>
      `Cada barra es un día, desde ${el(from)}. Cuanto más alta, peor. La cifra es la disponibilidad.`,
    refresh: 'Recargue la página para actualizar.',
  },
  offlinePage: {
    title: 'Sin conexión',
    text: 'No pudimos cargar esta página. Inténtelo de nuevo cuando tenga conexión. No cambió nada.',
    kept: (time: string) => `Sin conexión. Este era el estado a las ${time}.`,
    home: 'Ver el último estado conocido',
    news: 'Hay novedades de algo que usted sigue.',
  },
  waitingPage: {
    title: 'Reportes sin enviar',
    intro:
      'Si no hay conexión, guardamos hasta 5 reportes en este teléfono durante una semana. Los enviamos cuando hay conexión y usted inició sesión. Si no sabemos quién escribió un reporte, presione «Enviar ahora» para enviarlo.',
    none: 'No tiene reportes sin enviar.',
    mine: 'Mis reportes',
    another: 'Reportar un problema',
    written: (time: string) => `Escrito a las ${time}.`,
    photos: (n: string) => `Fotos: ${n}.`,
    sendAs: (name: string) => `Enviar ahora como ${name}`,
    words: {
      untitled: 'Reporte sin título',
      automatic: 'Todavía no se envió. Lo enviaremos cuando haya conexión y usted haya iniciado sesión.',
      byHand: 'Todavía no se envió. Presione «Enviar ahora» cuando tenga conexión.',
      late: 'Es posible que ya se haya enviado. Consulte «Mis reportes» antes de presionar «Enviar ahora».',
      refused: 'No pudimos aceptar este reporte. Presione «Enviar ahora» para ver por qué y corregirlo.',
      shown: 'No pudimos aceptar este reporte. Elimínelo si ya lo envió después.',
      sent: 'Reporte enviado.',
      look: 'Ver reporte',
      send: 'Enviar ahora',
      discard: 'Eliminar reporte',
      discardNow: 'Sí, eliminar este reporte',
      notices: {
        sent: 'Sin conexión. Guardamos su reporte en este teléfono. Todavía no se envió.',
        kept: 'Guardamos su reporte en este teléfono. Todavía no se envió.',
        as: 'Todavía no se envió. Compruebe a nombre de quién se enviará y presione «Enviar ahora» otra vez.',
        room: 'En este teléfono no caben más reportes sin enviar. Envíe o elimine uno primero.',
        unkept:
          'No pudimos guardar su reporte: no hay espacio en este teléfono. Envíe o elimine un reporte sin enviar y recargue esta página. Su texto está abajo.',
        connection: 'Sigue sin conexión. Su reporte está guardado en este teléfono.',
        other: 'Otra persona inició sesión. Solo quien escribió este reporte puede enviarlo.',
        full: 'Sin conexión, y en este teléfono no caben más reportes. Su texto está abajo: recargue esta página cuando tenga conexión.',
        failed:
          'Sin conexión, y no pudimos guardar su reporte en este teléfono. Su texto está abajo: recargue esta página cuando tenga conexión.',
      },
      news: {
        sent: 'Enviamos un reporte que estaba guardado en este teléfono.',
        refused: 'No pudimos aceptar un reporte que está guardado en este teléfono.',
        waiting: 'Tiene un reporte sin enviar en este teléfono.',
      },
    },
  },
  offlineForm: {
    intro:
      'No hay conexión, pero puede escribir su reporte. Lo guardaremos en este teléfono durante una semana. Cuando tenga conexión, vuelva y presione «Enviar ahora».',
    keep: 'Guardar reporte en este teléfono',
  },
  historyPage: {
    title: (month: string) => `Historial: ${month}`,
    months: 'Meses',
    never: 'Sin interrupciones',
    hours: (n: number, shown: string) =>
      count(n, {
        one: `Fuera de servicio: ${shown} hora`,
        many: `Fuera de servicio: ${shown} de horas`,
        other: `Fuera de servicio: ${shown} horas`,
      }),
  },
}

/** What feed readers, calendars and badges show. */
export const feeds: typeof enFeeds = {
  news: (name) => `Estado de ${name}`,
  planned: (name) => `Mantenimiento programado: ${name}`,
  cancelled: (title) => `Cancelado: ${title}`,
  outage: { down: 'Fuera de servicio', degraded: 'Funciona en parte' },
  since: (from) => `desde ${el(from)}`,
  newsLink: 'Novedades (Atom)',
  calendarLink: 'Calendario de mantenimiento programado (.ics)',
}
