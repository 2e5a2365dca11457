import type { mails as enMails, unsubscribePage as enUnsubscribePage } from '../en/mails.js'
import { count, counted, del, on } from './counted.js'

/** Texts of emails and pushes. Subjects start with the state, because phones cut them short. */
export const mails: typeof enMails = {
  subject: {
    created: (severity: string, title: string) =>
      `Reporte nuevo (gravedad ${severity.toLowerCase()}): ${title}`,
    status: (status: string, title: string) => `${status}: ${title}`,
    raised: (severity: string, title: string) => `Sube a gravedad ${severity.toLowerCase()}: ${title}`,
    waiting: (title: string) => `Sigue en espera: ${title}`,
    merged: (id: number, title: string) => `Combinado con INC-${id}: ${title}`,
    unmerged: (title: string) => `Separado de nuevo: ${title}`,
    sweep: (n: number) => counted(n, 'reporte sin respuesta a tiempo', 'reportes sin respuesta a tiempo'),
    digest: (days: string, sentence: string) => `${days}: ${sentence}`,
    comments: (n: number, title: string) =>
      `${counted(n, 'comentario nuevo', 'comentarios nuevos')}: ${title}`,
    many: (n: number) => `Novedades de ${counted(n, 'reporte que sigue', 'reportes que sigue')}`,
  },
  state: {
    created: (severity: string) => `Reporte nuevo, gravedad ${severity.toLowerCase()}`,
    raised: (severity: string) => `Sube a gravedad ${severity.toLowerCase()}`,
    waiting: 'Sigue en espera',
    merged: 'Combinado',
    comments: (n: number) => counted(n, 'comentario nuevo', 'comentarios nuevos'),
    unmerged: 'Separado de nuevo',
  },
  lead: {
    created: (time: string) => `Alguien reportó un problema. Hay que responder antes ${del(time)}.`,
    fixed: (name: string) => `${name} confirmó el arreglo. El reporte está cerrado.`,
    notFixed: (name: string) => `${name} dice que no está arreglado. Avisamos a la administración.`,
    raised: (from: string, to: string) =>
      `Nadie respondió todavía, así que subimos la gravedad de ${from.toLowerCase()} a ${to.toLowerCase()} y se lo recordamos a la administración.`,
    waiting: 'Nadie respondió todavía, así que se lo recordamos a la administración.',
    merged: (id: number) =>
      `Este reporte trata del mismo problema que INC-${id}. Le escribiremos por correo sobre los cambios de ese reporte.`,
    earlier: (n: number) => `Lea en línea ${counted(n, 'comentario anterior', 'comentarios anteriores')}.`,
    many: {
      status: 'La administración cambió el estado de estos reportes.',
      escalated: 'Nadie respondió a tiempo a estos reportes, así que se lo recordamos a la administración.',
      merged: 'Cada uno de estos reportes se combinó con otro sobre el mismo problema.',
      unmerged: 'Estos reportes se separaron de nuevo.',
    },
    unmerged: (id: number) =>
      `Este reporte se separó de nuevo de INC-${id}. Le escribiremos por correo sobre los cambios.`,
    mergedSince: (id: number) => `Después, este reporte se combinó con INC-${id}.`,
    sweep: (n: number) =>
      count(n, {
        one: 'La respuesta a este reporte está atrasada. Los residentes pueden verlo.',
        other: 'Las respuestas a estos reportes están atrasadas. Los residentes pueden verlo.',
      }),
  },
  handedOver: {
    subject: (title: string) => `Por favor, revise esto: ${title}`,
    state: 'Para usted',
    lead: (building: string) =>
      `${building} le asignó este trabajo. Por favor, responda con lo que hará y cuándo.`,
    building: 'Edificio',
    why: (building: string) => `Recibe este correo porque ${building} le asignó este trabajo.`,
  },
  received: {
    subject: 'Recibimos su correo',
    created: (id: number) => `Su correo es ahora el reporte INC-${id}`,
    appended: (id: number) => `Agregamos su correo al reporte INC-${id}`,
    public: 'Cualquiera puede leerlo en la página del reporte.',
    publicWithoutAddress: 'Cualquiera puede leerlo en la página del reporte. Su dirección no se muestra.',
    follow:
      '¿Quiere recibir un correo cuando algo cambie? Presione el botón. Si usted no nos escribió, ignore este correo.',
    followButton: (id: number) => `Seguir INC-${id}`,
    following: 'Le escribiremos por correo cuando algo cambie.',
    noReplies:
      'No responda a este correo: nadie lee esta dirección. Siga el avance en la página del reporte.',
    why: 'Recibe este correo porque alguien escribió al edificio desde su dirección.',
  },
  wrote: (name: string) => `${name} escribió:`,
  nameOnPage: (name: string) => `${name} (vea el nombre completo en línea)`,
  writeAbove: '## Responda por encima de esta línea ##',
  survivor: 'Combinado con',
  where: 'Dónde',
  severity: 'Gravedad',
  status: 'Estado actual',
  reported: 'Reportado',
  by: 'Reportado por',
  button: {
    open: (id: number) => `Abrir INC-${id}`,
    acknowledge: (id: number) => `Marcar INC-${id} como visto`,
    list: 'Ver reportes abiertos',
    status: 'Abrir la página de estado',
  },
  more: (n: number) => `y ${n} más`,
  raisedFromTo: (from: string, to: string) =>
    from === to ? `${from}, sin cambios` : `${from}, ahora ${to.toLowerCase()}`,
  cut: 'Lea el resto en línea.',
  replyToOffice: 'Responda a este correo para contestar. Solo la administración lee su respuesta.',
  reply: 'Responda a este correo para comentar. Los comentarios son públicos.',
  why: {
    follower: (id: number) => `Recibe este correo porque sigue INC-${id}.`,
    followerOfMany: 'Recibe este correo porque sigue estos reportes.',
    staff: 'Recibe este correo porque es parte del personal del edificio.',
  },
  stop: {
    comments: 'Solo cambios de estado',
    incident: 'Dejar de recibir correos sobre este reporte',
    kind: 'Dejar de recibir estos correos',
    all: 'Dejar de recibir todos los correos',
  },
  push: {
    title: (state: string, id: number) => `${state} · INC-${id}`,
    andOthers: (title: string, n: number) => `${title} y ${n} más`,
  },
  digest: {
    title: (days: string) => `Su edificio esta semana: ${days}`,
    outNow: (names: string) => `Fuera de servicio ahora: ${names}`,
    back: (name: string, time: string) => `${name} (vuelve ${on(time)})`,
    noneBefore: 'La semana anterior: ninguna.',
    now: (headline: string) => `Ahora: ${headline}`,
    allWell: 'Sin interrupciones',
    onlyDown: (name: string, hours: string) => `${name}, fuera de servicio ${hours}`,
    worstDown: (name: string, hours: string) => `Mayor interrupción: ${name}, ${hours}`,
    wasBefore: (hours: string) => `Total de la semana anterior: ${hours}.`,
    inAll: (hours: string) => `En total: ${hours}.`,
    better: (hours: string) => `Son ${hours} menos que la semana anterior.`,
    worse: (hours: string) => `Son ${hours} más que la semana anterior.`,
    same: 'Es lo mismo que la semana anterior.',
    hours: (n: number, shown: string) =>
      count(n, { one: `${shown} hora`, many: `${shown} de horas`, other: `${shown} horas` }),
    countsTitle: 'Reportes',
    created: 'Nuevos',
    resolved: 'Cerrados por la administración',
    verified: 'Arreglos confirmados',
    before: (n: number) => `${n} la semana anterior`,
    week: 'Esta semana',
    weekBefore: 'Semana anterior',
    hoursTitle: 'Horas fuera de servicio',
    whole: (tower: string) => `${tower}, en total`,
    without: (names: string) => `Sin interrupciones: ${names}.`,
    promises: (n: number) => counted(n, 'fecha prevista vencida', 'fechas previstas vencidas'),
    overdue: (n: number) => counted(n, 'trabajo atrasado', 'trabajos atrasados'),
    waitingTitle: 'Aún no vistos por la administración, los más antiguos primero',
    nobodyWaits: 'La administración ya vio todos los reportes.',
    waits: (age: string) => `en espera desde hace ${age}`,
    othersWait: (n: number) => count(n, { one: 'Espera 1 más.', other: `Esperan ${n} más.` }),
    lessThanAnHour: 'menos de una hora',
    maintenanceTitle: 'Mantenimiento programado en los próximos 14 días',
    noMaintenance: 'No hay mantenimiento programado en los próximos 14 días.',
  },
}

/** The page an unsubscribe link opens. */
export const unsubscribePage: typeof enUnsubscribePage = {
  title: 'Sus correos',
  incident: (id: number, title: string) =>
    `Correos y notificaciones de la aplicación sobre INC-${id}: ${title}`,
  about: (names: string) => `Correos sobre ${names}`,
  topic: {
    created: 'Correos sobre cada reporte nuevo',
    status: 'Correos sobre cambios de estado en reportes que sigue',
    comment: 'Correos sobre comentarios en reportes que sigue',
    escalated: 'Correos sobre reportes atrasados que sigue',
    merged: 'Correos sobre combinaciones de reportes que sigue',
    sweep: 'Correos sobre reportes sin respuesta a tiempo',
    asset: 'Correos sobre ascensores, puertas y equipos que sigue',
    digest: 'El resumen semanal',
    all: 'Todos los correos de este edificio',
  },
  on: 'Estos correos están activados.',
  off: 'Estos correos están desactivados.',
  stop: 'Cancelar suscripción',
  again: 'Volver a suscribirse',
  stopped: 'Canceló la suscripción.',
  resumed: 'Se suscribió de nuevo.',
  stays: 'Los demás correos no cambian. Puede cambiar esto cuando quiera con este enlace.',
  staysAll: 'Puede cambiar esto cuando quiera con este enlace.',
}
