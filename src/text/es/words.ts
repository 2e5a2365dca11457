import type { words as en, feeds as enFeeds, statusPages as enStatusPages } from '../en/words.js'
import { count, counted, listed } from './counted.js'

const named = (names: string[], more: number) => listed(more > 0 ? [...names, `${more} más`] : names)

/** Words used everywhere: states, severities, units of time. */
export const words: typeof en = {
  assetStatus: {
    operational: 'Funciona',
    degraded: 'Funciona con problemas',
    down: 'Fuera de servicio',
    maintenance: 'Mantenimiento previsto',
  },
  status: {
    open: 'Avisada',
    acknowledged: 'Vista por la administración',
    in_progress: 'En reparación',
    resolved: 'Arreglada, según la administración',
    verified: 'Arreglo confirmado',
  },
  statusMeaning: {
    open: 'El aviso ha llegado a la administración.',
    acknowledged: 'Alguien de la administración la ha visto.',
    in_progress: 'Alguien está trabajando en ello.',
    resolved: 'La administración dice que está arreglado. Los residentes pueden confirmarlo.',
    verified: 'Está confirmado que se ha arreglado.',
  },
  severity: { low: 'Baja', medium: 'Media', high: 'Alta', critical: 'Crítica' },
  severityMeaning: {
    low: 'Tiene mal aspecto, pero funciona',
    medium: 'Funciona mal o solo a veces',
    high: 'No se puede usar',
    critical: 'Es peligroso, o nadie puede entrar, salir o moverse por el edificio',
  },
  source: { web: 'desde la web', mobile: 'desde la aplicación', email: 'por correo' },
  role: { resident: 'Residente', board: 'Junta', manager: 'Gestión', admin: 'Admin' },
  recurrence: { none: 'Una vez', weekly: 'Cada semana', monthly: 'Cada mes' },
  ofTheOffice: 'Administración',
  anonymous: 'Residente anónimo',
  deletedPerson: 'Persona borrada',
  system: 'Caretaker',
  byEmail: 'Por correo',
  inboundMail: {
    noSubject: '(sin asunto)',
    nothingNew: 'Respuesta por correo, sin texto nuevo.',
    onlyPhotos: 'Enviado por correo.',
    removed: '[eliminado]',
    notTaken: (n: number) =>
      count(n, {
        one: 'No se ha podido añadir 1 archivo adjunto.',
        many: `No se han podido añadir ${n} de archivos adjuntos.`,
        other: `No se han podido añadir ${n} archivos adjuntos.`,
      }),
    refused: (names: string[], more: number) =>
      `Venía adjunto al correo y no se ha añadido: ${named(names, more)}. Se admiten hasta 5 fotos en JPEG, PNG, WebP o AVIF, de 10 MB cada una.`,
    later: (names: string[], more: number) =>
      `Venía adjunto al correo, pero no se ha podido guardar en ese momento: ${named(names, more)}. Para añadirlo hay que enviarlo otra vez.`,
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
          ? `${name}: mantenimiento previsto`
          : `Mantenimiento previsto en ${counted(n, 'instalación', 'instalaciones')}`,
      degraded: (n: number, name: string) =>
        n === 1
          ? `${name} funciona con problemas`
          : `${counted(n, 'instalación', 'instalaciones')} funcionan con problemas`,
      down: (n: number, name: string) =>
        n === 1
          ? `${name} está fuera de servicio`
          : `${counted(n, 'instalación', 'instalaciones')} están fuera de servicio`,
    },
    empty: 'Todavía no hay nada en la lista',
    emptyHint: 'La administración añade los ascensores, las puertas y todo lo demás que puede fallar.',
    summary: (working: number, total: number) => `Funcionan ${working} de ${total}`,
    now: 'Ahora mismo',
    problems: 'Qué falla',
    noProblemsNow: 'No hay problemas.',
    unconfirmed: 'Según un aviso no se puede usar; todavía sin confirmar.',
    confirm: 'Confirmarlo por la administración',
    incidents: 'Problemas menores',
    allIncidents: 'Todas las incidencias',
    more: (n: number) => `${n} más`,
    everyWeek: (time: string) => `cada semana, la próxima el ${time}`,
    everyMonth: (time: string) => `cada mes, la próxima el ${time}`,
    history: 'Historial por meses',
    upcoming: 'Mantenimiento previsto en los próximos 30 días',
    noUpcoming: 'No hay mantenimiento previsto en los próximos 30 días.',
    lastKnown: (minutes) =>
      minutes === 0
        ? 'Ahora mismo no podemos comprobarlo. Así estaba hace menos de un minuto.'
        : count(minutes, {
            one: 'Ahora mismo no podemos comprobarlo. Así estaba hace 1 minuto.',
            other: `Ahora mismo no podemos comprobarlo. Así estaba hace ${minutes} minutos.`,
          }),
    since: (time: string) => `desde el ${time}`,
    until: (time: string) => `hasta el ${time}`,
    lastDays: (percent: string) => `${percent} % de disponibilidad en 90 días`,
    neverDown: 'Nunca fuera de servicio en 90 días',
    noProblems: 'sin problemas',
    dayCounts: {
      down: (n: number) => `fuera de servicio en ${counted(n, 'día', 'días')}`,
      degraded: (n: number) => `problemas en ${counted(n, 'día', 'días')}`,
      maintenance: (n: number) => `mantenimiento en ${counted(n, 'día', 'días')}`,
    },
    rule: 'La disponibilidad es la parte del tiempo en que algo no ha estado fuera de servicio. El mantenimiento previsto no cuenta, y lo que funciona mal cuenta como que funciona.',
    legend: 'Cómo leer las barras',
    legendText: (from: string) =>
      `Cada trazo es un día, del ${from} a hoy. Cuanto más alto es el trazo, peor fue el día.`,
    refresh: 'Vuelva a cargar la página para ver las novedades.',
  },
  offlinePage: {
    title: 'Sin conexión',
    text: 'No se ha podido cargar esta página. Inténtelo de nuevo cuando haya conexión; no ha cambiado nada.',
    kept: (time: string) => `Sin conexión. Esto es lo que se sabía a las ${time}.`,
    home: 'Último estado conocido',
    news: 'Hay novedades de algo que sigue.',
  },
  waitingPage: {
    title: 'Avisos que esperan en este teléfono',
    intro:
      'Un aviso que no se puede enviar por falta de conexión se guarda en el teléfono en el que se escribió, durante una semana y cinco como máximo. Se envía cuando hay conexión y quien lo escribió tiene la sesión iniciada. Si no se puede saber quién lo escribió, espera a que se pulse «Enviar ahora».',
    none: 'Ningún aviso espera en este teléfono.',
    mine: 'Mis avisos',
    another: 'Avisar de algo',
    written: (time: string) => `Escrito a las ${time}.`,
    photos: (n: string) => `Fotos: ${n}.`,
    sendAs: (name: string) => `Enviar ahora como ${name}`,
    words: {
      untitled: 'Un aviso',
      automatic:
        'Aún no se ha enviado. Se envía en cuanto haya conexión y quien lo escribió tenga la sesión iniciada.',
      byHand: 'Aún no se ha enviado y no se envía solo. Pulse «Enviar ahora» cuando haya conexión.',
      late: 'Espera desde hace mucho y puede haber llegado. Mire en «Mis avisos» antes de pulsar «Enviar ahora».',
      refused: 'No se ha aceptado. Pulse «Enviar ahora» para ver por qué y cambiarlo allí.',
      shown: 'No se aceptó y se le mostró otra vez. Descártelo si ya lo ha enviado.',
      sent: 'Este aviso se ha enviado.',
      look: 'Verlo',
      send: 'Enviar ahora',
      discard: 'Descartar',
      discardNow: 'Sí, descartar este aviso',
      notices: {
        sent: 'Sin conexión. Su aviso se ha guardado en este teléfono y aún no se ha enviado.',
        kept: 'Su aviso se ha guardado en este teléfono y aún no se ha enviado.',
        as: 'Su aviso aún no se ha enviado. Mire abajo en nombre de quién se envía y pulse «Enviar ahora» otra vez.',
        room: 'En este teléfono no caben más avisos. Envíe o descarte antes uno de estos.',
        unkept:
          'Su aviso no se ha guardado en este teléfono: no cabe. Envíe o descarte uno de los que esperan y vuelva a cargar esta página; lo que escribió está abajo.',
        connection: 'Sigue sin haber conexión. El aviso espera en este teléfono.',
        other: 'Otra persona tiene la sesión iniciada. Solo quien escribió ese aviso puede enviarlo.',
        full: 'Sin conexión, y su aviso no se ha guardado: ya espera demasiado en este teléfono. Vuelva a cargar esta página para enviarlo; lo que escribió está abajo.',
        failed:
          'Sin conexión, y este teléfono no ha podido guardar su aviso. Vuelva a cargar esta página para enviarlo; lo que escribió está abajo.',
      },
      news: {
        sent: 'Un aviso que esperaba en este teléfono se ha enviado.',
        refused: 'Un aviso que espera en este teléfono no se ha aceptado.',
        waiting: 'Un aviso espera en este teléfono y aún no se ha enviado.',
      },
    },
  },
  offlineForm: {
    intro:
      'No hay conexión, pero puede escribir su aviso ahora. Se guarda en este teléfono durante una semana y no se envía solo: cuando haya conexión, vuelva a abrir este sitio y pulse «Enviar ahora».',
    keep: 'Guardar el aviso en este teléfono',
  },
  historyPage: {
    title: (month: string) => `Historial: ${month}`,
    months: 'Meses',
    never: 'Nunca fuera de servicio',
    hours: (n: string) => `Fuera de servicio durante ${n} horas`,
  },
}

/** What feed readers, calendars and badges show. */
export const feeds: typeof enFeeds = {
  news: (name) => `Estado de ${name}`,
  planned: (name) => `Trabajos previstos: ${name}`,
  cancelled: (title) => `Cancelado: ${title}`,
  outage: { down: 'Fuera de servicio', degraded: 'Funciona con problemas' },
  since: (from) => `desde el ${from}`,
  newsLink: 'Novedades (Atom)',
  calendarLink: 'Calendario de trabajos previstos',
}
