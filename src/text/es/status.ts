import type * as en from '../en/status.js'
import { count, counted, el, on } from './counted.js'

/** The status page. */
export const statusPage: typeof en.statusPage = {
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
  problems: 'Problemas actuales',
  noProblemsNow: 'Sin problemas.',
  unconfirmed: {
    unusable: 'Reportado como fuera de servicio. Todavía sin confirmar.',
    faulty: 'Reportado porque no funciona bien. Todavía sin confirmar.',
  },
  confirm: 'Confirmar como administración',
  incidents: 'Otros reportes abiertos',
  more: (n: number) => `${n} más`,
  everyWeek: (time: string) => `cada semana; la próxima vez, ${on(time)}`,
  everyMonth: (time: string) => `cada mes; la próxima vez, ${on(time)}`,
  history: 'Historial por mes',
  noUpcoming: 'No hay mantenimiento programado en los próximos 30 días.',
  lastKnown: (minutes) =>
    minutes === 0
      ? 'No podemos consultar el estado ahora. Este es el de hace menos de un minuto.'
      : `No podemos consultar el estado ahora. Este es el de hace ${counted(minutes, 'minuto', 'minutos')}.`,
  since: (time: string) => `desde ${el(time)}`,
  until: (time: string) => `hasta ${el(time)}`,
  uptime: (percent: string) => `${percent}% del tiempo en servicio`,
  badDays: (n: number, of: number) =>
    n === 0
      ? `Sin días con problemas en ${of}`
      : `${counted(n, 'día con problemas', 'días con problemas')} en ${of}`,
  partly: '(funcionó en parte)',
  recordedSince: (date: string) => `Con datos desde ${el(date)}`,
  recordedToday: 'Con datos desde hoy',
  notRecorded: 'Sin datos',
  instead: (names: string, n: number) => (n === 1 ? `${names} funciona.` : `${names} funcionan.`),
  insteadMany: (n: number) => `Funcionan otros ${n} del mismo tipo.`,
  usually: {
    hours: (n: number) =>
      n === 1
        ? 'Por lo general se repara en una hora.'
        : `Por lo general se repara en ${counted(n, 'hora', 'horas')}.`,
    days: (n: number) =>
      n === 1
        ? 'Por lo general se repara en un día.'
        : `Por lo general se repara en ${counted(n, 'día', 'días')}.`,
  },
  rule: 'El mantenimiento programado y «Funciona en parte» cuentan como en servicio.',
  legendText: (from: string) => `Una barra por día desde ${el(from)}: cuanto más alta, peor.`,
  refresh: 'Recargue la página para actualizar.',
}

/** The list of equipment. */
export const equipmentPage: typeof en.equipmentPage = {
  title: 'Todos los equipos',
  search: 'Buscar por nombre',
  send: 'Buscar equipo',
  troubled: 'Con problemas',
  found: (n) => `${counted(n, 'resultado', 'resultados')}`,
  none: 'No hay resultados. Revise la ortografía o busque una parte del nombre.',
  all: 'Mostrar todos',
  towers: 'Torres',
}

/** What happened to an asset on some days. */
export const daysPage: typeof en.daysPage = {
  title: (name, days) => `${name}: ${days}`,
  nothing: 'Sin problemas ni mantenimiento programado ese día.',
  nothingInDays: 'Sin problemas ni mantenimiento programado esos días.',
  happened: 'Qué pasó',
  earlier: (days) => `Antes: ${days}`,
  later: (days) => `Después: ${days}`,
  back: (name) => `Ver todo sobre ${name}`,
  others: 'Otros días con problemas',
}

/** What a phone shows without a connection. */
export const offlinePage: typeof en.offlinePage = {
  title: 'Sin conexión',
  text: 'No pudimos cargar esta página. Inténtelo de nuevo cuando tenga conexión.',
  statusAt: (time: string) => `Sin conexión. Último estado conocido: ${time}.`,
  pageAt: (time: string) => `Sin conexión. Página guardada: ${time}. Puede estar desactualizada.`,
  home: 'Ver el último estado conocido',
  seen: 'Páginas que puede leer sin conexión',
  news: 'Hay novedades de algo que usted sigue.',
  unsent: {
    title: 'No se envió: no hay conexión',
    kept: 'Guardamos lo que escribió en esta página:',
    withoutFiles: 'No guardamos las fotos ni los archivos. Para enviarlos, vuelva al formulario.',
    goBack: 'Vuelva al formulario y envíelo otra vez cuando tenga conexión.',
    signedIn: 'Su sesión sigue abierta. Eliminamos las páginas que podía leer sin conexión.',
    again: 'Intentar otra vez',
  },
}

/** The history of a month. */
export const historyPage: typeof en.historyPage = {
  menu: 'Historial',
  title: (month: string) => `Historial: ${month}`,
  months: 'Meses',
  never: 'Sin interrupciones',
  hours: (n: number, figure: string) =>
    count(n, {
      one: `Fuera de servicio: ${figure} hora`,
      many: `Fuera de servicio: ${figure} de horas`,
      other: `Fuera de servicio: ${figure} horas`,
    }),
}

/** What feed readers, calendars and badges show. */
export const feeds: typeof en.feeds = {
  news: (name) => `Estado de ${name}`,
  planned: (name) => `Mantenimiento programado: ${name}`,
  cancelled: (title) => `Cancelado: ${title}`,
  outage: { down: 'Fuera de servicio', degraded: 'Funciona en parte' },
  since: (from) => `desde ${el(from)}`,
  lastKnown: (minutes) =>
    minutes === 0
      ? 'No podemos consultarlo ahora. Los datos son de hace menos de un minuto.'
      : `No podemos consultarlo ahora. Los datos son de hace ${counted(minutes, 'minuto', 'minutos')}.`,
  minutesAgo: (minutes) => (minutes === 0 ? 'hace < 1 min' : `hace ${minutes} min`),
  newsLink: 'Novedades (Atom)',
  calendarLink: 'Calendario de mantenimiento programado (.ics)',
}

/** The status in a frame on another website. */
export const embed: typeof en.embed = { open: 'Abrir la página de estado' }

/** The screen in the lobby. */
export const display: typeof en.display = {
  turn: (n: number, all: number) => `página ${n} de ${all}`,
  today: 'Mantenimiento programado hoy',
  noWork: 'Ninguno.',
  scan: 'Escanee para reportar un problema',
  code: (address: string) => `Código QR que abre ${address}/report`,
  orType: 'O visite',
  asOf: 'Actualizado a las',
  stale: (time) => `Sin actualizar desde las ${time}. La información puede estar desactualizada.`,
  lastKnown: (time) => `No podemos consultar el estado ahora. Este estado es de las ${time}.`,
}

/** The year of the building, for its board. */
export const year: typeof en.year = {
  title: (year: string) => `Informe anual ${year}`,
  soFar: (date: string) => `Hasta ${el(date)}, comparado con el mismo período del año anterior.`,
  whole: 'Comparado con el año anterior.',
  noYearBeforePart: (date: string) => `Hasta ${el(date)}. No hay datos del año anterior.`,
  noYearBefore: 'No hay datos del año anterior.',
  years: 'Años',
  worst: (listed: number, all: number) =>
    `Estos son los ${listed} equipos con más horas fuera de servicio. El CSV los tiene todos: ${all}.`,
  assets: 'Equipos',
  second: (year: string) => `Segunda línea: ${year}`,
  recordedSince: (date: string) => `Con datos desde ${el(date)}`,
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
