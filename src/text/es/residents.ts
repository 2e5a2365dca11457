import type {
  residents as en,
  incidentFields as enFields,
  followMails as enFollowMails,
  followPages as enFollowPages,
} from '../en/residents.js'
import { count, counted, del, el, on } from './counted.js'

/** The office's reasons for a wait; a reason in its own words is shown unchanged. */
const reasons: typeof en.reasons = {
  waiting_for_parts: 'En espera de repuestos',
  engineer_coming: 'El técnico está en camino',
  being_repaired: 'Reparación en curso',
  watching: 'Reparado, en observación',
}

/** The residents' pages: what is known, what happens next, when it works again. */
export const residents: typeof en = {
  reasons,
  reason: (said: string): string =>
    Object.hasOwn(reasons, said) ? reasons[said as keyof typeof reasons] : said,
  affected: (n: number) => counted(n, 'persona afectada', 'personas afectadas'),
  answer: {
    operational: () => 'Funciona.',
    maintenance: (_since: string, until: string) =>
      `Cerrado por mantenimiento programado hasta ${el(until)}.`,
    degraded: (since: string) => `Funciona en parte desde ${el(since)}.`,
    down: (since: string) => `Fuera de servicio desde ${el(since)}.`,
  },
  doing: 'Última novedad',
  officeSays: (time: string) => `Novedad de la administración, ${time}:`,
  nothingSaid: 'La administración todavía no informó novedades.',
  toIncident: (id: number) => `Ver el reporte completo (INC-${id})`,
  alternatives: (category: string, tower: string, working: number, total: number) =>
    `${category} en ${tower}: funcionan ${working} de ${total}`,
  office: {
    expectedBackAt: 'Vuelta prevista',
    statusReason: 'Motivo de la espera',
    statusReasonHint: 'Se muestra en la página de estado hasta que esto se marque como arreglado.',
    noReason: 'Sin motivo',
    other: 'Otro motivo:',
    otherReason: 'Otro motivo, en pocas palabras',
  },
  expected: (time: string) => `Vuelta prevista: ${time}`,
  late: (time: string) => `La vuelta estaba prevista para ${el(time)}. Esperamos una nueva fecha.`,
  resume: 'Su sesión se cerró. Guardamos su texto: inicie sesión para enviarlo.',
  known: {
    title: (n: number) => count(n, { one: '¿Es el mismo problema?', other: '¿Es uno de estos problemas?' }),
    hint: 'Si es así, elija «A mí también me pasa». Le escribiremos por correo cuando esté arreglado.',
    none: 'No hay reportes abiertos sobre esto.',
    me: 'A mí también me pasa',
    meWith: (title: string) => `A mí también me pasa: ${title}`,
    mine: 'Usted sigue este reporte.',
    reported: (time: string) => `reportado ${on(time)}`,
    others: (n: number) => count(n, { one: 'Otro reporte', other: `Otros ${n} reportes` }),
    more: 'Todos los reportes sobre esto',
    said: (name: string, status: string, n: number) =>
      `${name}: ${status}. ${counted(n, 'reporte abierto', 'reportes abiertos')}.`,
    other: 'Reportar otra cosa',
  },
  mine: {
    title: 'Mis reportes',
    intro: 'Los reportes que usted hizo o sigue, del más reciente al más antiguo.',
    none: 'Todavía no hizo ni sigue ningún reporte.',
    reported: 'Usted reportó esto.',
    hidden: 'Usted reportó esto. Los demás residentes no ven su nombre.',
    followed: 'Usted sigue esto.',
    notFollowing: 'Usted no sigue esto.',
    verify: 'La administración dice que está arreglado. ¿Lo está?',
    older: 'Reportes anteriores',
  },
  photos: { remove: 'Quitar foto', sending: 'Enviando sus fotos', sent: 'Fotos enviadas.' },
  display: {
    problems: 'Problemas actuales',
    turn: (n: number, all: number) => `página ${n} de ${all}`,
    today: 'Mantenimiento programado hoy',
    noWork: 'Ninguno.',
    scan: 'Escanee para reportar un problema',
    code: (address: string) => `Código QR que abre ${address}/report`,
    orType: 'O visite',
    asOf: 'Actualizado a las',
    stale: 'Sin actualizar desde hace más de 3 minutos. La información puede no estar al día.',
  },
  sent: {
    title: 'Reporte enviado',
    reference: 'Referencia',
    next: 'Qué pasa ahora',
    target: (time: string) =>
      `Avisamos a la administración del edificio. Su objetivo es responder antes ${del(time)}.`,
    late: 'La administración del edificio no respondió a tiempo.',
    now: (status: string) => `Estado actual: ${status}.`,
    follow: 'Le escribiremos por correo cuando algo cambie.',
    noFollow: 'No recibirá correos sobre esto.',
    here: (name: string) => `Reportar otro problema con ${name}`,
    another: 'Reportar otro problema',
    status: 'Volver al estado del edificio',
  },
}

/** What is wrong with a field of an incident that the office fills in. */
export const incidentFields: typeof enFields = {
  downtime_not_boolean: 'El valor de «fuera de servicio» debe ser true o false',
  downtime_needs_asset: 'Solo un equipo puede estar fuera de servicio, no una vivienda',
  downtimeStart_unknown: 'Escriba una fecha y hora',
  downtimeStart_future: 'El inicio debe estar en el pasado',
  downtimeStart_after_end: 'El inicio debe ser anterior al momento en que se marcó como arreglado',
  downtimeEnd_unknown: 'Escriba una fecha y hora',
  downtimeEnd_unresolved: 'Márquelo como arreglado antes de indicar el final',
  downtimeEnd_future: 'El final debe estar en el pasado',
  downtimeEnd_before_start: 'El final debe ser posterior al inicio',
  retroactive_not_boolean: 'El valor de retroactive debe ser true o false',
  expectedBack_unknown: 'Escriba una fecha y hora',
  expectedBack_required: 'Escriba una fecha y hora',
  expectedBack_past: 'La vuelta prevista debe estar en el futuro',
  expectedBack_resolved: 'Esto ya está arreglado: no puede tener una vuelta prevista',
  statusReason_required: 'Escriba el motivo en pocas palabras',
  statusReason_too_long: 'El motivo puede tener hasta 200 caracteres',
}

/** Following by mail: the form, the page of its link, and the account's list. */
export const followPages: typeof enFollowPages = {
  title: 'Recibir novedades por correo',
  about: {
    building: (name: string) => `Novedades por correo sobre todo en ${name}`,
    tower: (name: string) => `Novedades por correo sobre todo en ${name}`,
    asset: (name: string) => `Novedades por correo sobre ${name}`,
    incident: (name: string) => `Novedades por correo sobre ${name}`,
  },
  what: 'Le escribiremos por correo cuando algo deje de funcionar o se arregle, cuando cambie una fecha prevista y sobre el mantenimiento programado. Recibirá como máximo un correo cada 10 minutos sobre lo mismo.',
  whatIncident: 'Contará como persona afectada y le escribiremos por correo cuando cambie el estado.',
  noAccount: 'No necesita una cuenta. Le enviaremos un enlace para confirmar. Puede cancelar cuando quiera.',
  email: 'Su correo electrónico',
  send: 'Enviarme un enlace',
  begin: 'Recibir novedades por correo',
  end: 'Dejar de recibir novedades',
  endOne: (name: string) => `Dejar de recibir novedades sobre ${name}`,
  on: 'Usted recibe estas novedades por correo.',
  confirmTitle: 'Confirmar las novedades por correo',
  confirmedTitle: 'Las novedades por correo están activadas',
  confirmHint: 'Las enviaremos a la dirección que recibió este enlace. Puede cancelar cuando quiera.',
  confirmButton: 'Sí, enviarme novedades',
  confirmed: 'Confirmado. Le enviaremos novedades por correo.',
  ownTitle: 'Ascensores, puertas y equipos que sigue',
  ownHint: 'Recibe correos sobre estos. Para dejar de seguir un reporte, ábralo.',
  ownNone: 'Todavía no sigue nada. Abra un ascensor o una puerta y elija «Recibir novedades por correo».',
  building: 'Recibir novedades por correo sobre el edificio',
  tower: (name: string) => `Recibir novedades por correo sobre ${name}`,
}

/** The email with the link to confirm, and emails about assets. */
export const followMails: typeof enFollowMails = {
  confirm: {
    subject: (name: string) => `Por favor, confirme: novedades por correo sobre ${name}`,
    title: (name: string) => `Novedades por correo sobre ${name}`,
    lead: 'Por favor, confirme que quiere recibir estas novedades por correo. Si no las pidió, ignore este mensaje: no le enviaremos más.',
    button: 'Sí, enviarme novedades',
    why: 'Recibe este correo porque alguien escribió su dirección.',
  },
  subject: {
    down: (name: string) => `Fuera de servicio: ${name}`,
    back: (name: string) => `De nuevo en servicio: ${name}`,
    expected: (name: string, time: string) => `Vuelta prevista ${on(time)}: ${name}`,
    unexpected: (name: string) => `Ya no hay fecha prevista: ${name}`,
    work: {
      new: (name: string) => `Mantenimiento programado: ${name}`,
      moved: (name: string) => `Mantenimiento reprogramado: ${name}`,
      skipped: (name: string) => `Fecha de mantenimiento cancelada: ${name}`,
      cancelled: (name: string) => `Mantenimiento cancelado: ${name}`,
      ahead: (name: string) => `Mantenimiento en las próximas 24 horas: ${name}`,
      done: (name: string) => `Mantenimiento terminado: ${name}`,
    },
    more: (subject: string, n: number) => `${subject}, y ${n} más`,
  },
  lead: {
    down: 'Fuera de servicio.',
    back: {
      operational: 'De nuevo en servicio.',
      degraded: 'De nuevo en servicio, pero funciona solo en parte.',
      maintenance: 'Reparado. El mantenimiento programado está en curso.',
    },
    expected: (time: string) => `Vuelta prevista antes ${del(time)}.`,
    unexpected: 'Ya no hay una fecha prevista.',
    work: {
      new: 'Hay un mantenimiento programado. Es posible que el equipo no se pueda usar durante ese tiempo.',
      moved: 'El mantenimiento programado pasó a otro momento.',
      skipped: 'El mantenimiento de esta fecha se canceló. Las demás fechas no cambian.',
      cancelled: 'El mantenimiento programado se canceló.',
      ahead:
        'El mantenimiento empieza en las próximas 24 horas. Es posible que el equipo no se pueda usar durante ese tiempo.',
      done: 'El mantenimiento programado terminó.',
    },
  },
  button: (name: string) => `Abrir ${name}`,
  why: 'Recibe este correo porque pidió novedades.',
  stop: 'Dejar de recibir estos correos',
}
