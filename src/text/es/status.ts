import type * as en from '../en/status.js'
import { count, counted, el, on } from './counted.js'

/** The status page and the history of a month. */
export const statusPages: typeof en.statusPages = {
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
export const feeds: typeof en.feeds = {
  news: (name) => `Estado de ${name}`,
  planned: (name) => `Mantenimiento programado: ${name}`,
  cancelled: (title) => `Cancelado: ${title}`,
  outage: { down: 'Fuera de servicio', degraded: 'Funciona en parte' },
  since: (from) => `desde ${el(from)}`,
  newsLink: 'Novedades (Atom)',
  calendarLink: 'Calendario de mantenimiento programado (.ics)',
}

/** The screen in the lobby. */
export const display: typeof en.display = {
  turn: (n: number, all: number) => `página ${n} de ${all}`,
  today: 'Mantenimiento programado hoy',
  noWork: 'Ninguno.',
  scan: 'Escanee para reportar un problema',
  code: (address: string) => `Código QR que abre ${address}/report`,
  orType: 'O visite',
  asOf: 'Actualizado a las',
  stale: 'Sin actualizar desde hace más de 3 minutos. La información puede no estar al día.',
}

/** The year of the building, for its board. */
export const year: typeof en.year = {
  title: (year: string) => `Informe anual ${year}`,
  soFar: (date: string) => `Hasta ${el(date)}, comparado con el mismo período del año anterior.`,
  whole: 'Comparado con el año anterior.',
  alone: (date: string) => `Hasta ${el(date)}. No hay datos del año anterior.`,
  wholeAlone: 'No hay datos del año anterior.',
  years: 'Años',
  worst: (shown: number, all: number) =>
    `Estos son los ${shown} equipos con más horas fuera de servicio. El CSV los tiene todos: ${all}.`,
  assets: 'Equipos',
  second: (year: string) => `Segunda línea: ${year}`,
  asset: 'Equipo',
  uptime: 'Disponibilidad',
  outages: 'Interrupciones',
  hours: 'Horas fuera de servicio',
  cost: 'Costo',
  repeats: 'Fallas repetidas',
  reports: 'Reportes',
  toAnswer: 'Horas hasta marcar como visto',
  toRepair: 'Horas hasta reparar',
  confirmed: 'Reparaciones confirmadas',
  of: (part: string, all: string) => `${part} de ${all}`,
  none: '–',
  noFigure: 'sin dato',
  total: 'Todo el edificio',
  elsewhere: 'Viviendas y sin asignar',
  months: 'Meses',
  month: 'Mes',
  downtimeChart: (sum: string, month: string, most: string) =>
    `Horas fuera de servicio: ${sum} en total. El valor más alto, en ${month}: ${most}.`,
  costChart: (sum: string, month: string, most: string) =>
    `Costo: ${sum} en total. El valor más alto, en ${month}: ${most}.`,
  legend: (year: string, before: string) => `Barras rellenas: ${year}. Barras con contorno: ${before}.`,
  noDowntime: 'Sin interrupciones.',
  noCosts: 'Sin costos de reparación.',
  meaning: 'Qué significan los datos',
  means: {
    uptime:
      'Disponibilidad: tiempo en servicio, sin contar el mantenimiento programado. Los equipos agregados o retirados durante el año cuentan solo por el tiempo que estuvieron en uso.',
    outages:
      'Interrupciones: períodos fuera de servicio. Varios reportes de una interrupción cuentan una vez.',
    repeats: 'Fallas repetidas: interrupciones en los 30 días siguientes a una reparación.',
    reports: 'Reportes: los hechos durante el año, sin duplicados.',
    toAnswer:
      'Horas hasta marcar como visto: mediana del tiempo entre el reporte y el momento en que la administración lo marcó como visto. Los reportes que siguen en espera cuentan como los más largos. Si son la mayoría, no hay dato.',
    toRepair: 'Horas hasta reparar: mediana del tiempo entre el reporte y la reparación, calculada igual.',
    confirmed: 'Reparaciones confirmadas: cuántas de estas reparaciones confirmó un residente.',
    cost: 'Costo: costos de reparación con fecha en el año.',
  },
}
