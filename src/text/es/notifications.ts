import { strangerEmails } from '../../vocabulary/countedLimits.js'
import { linkPurposes } from '../../vocabulary/email/linkPurposes.js'
import { assetNewsMinutes, limits } from '../../vocabulary/limits.js'
import type * as en from '../en/notifications.js'
import { count, counted, del, on } from './counted.js'

/**
 * Texts of emails and pushes. The subject of an email about a report is its title; what is new
 * comes first in the email.
 */
export const emails: typeof en.emails = {
  subject: {
    withoutTitle: (building: string) => `Reporte a ${building}`,
    sweep: (n: number) => counted(n, 'reporte sin respuesta a tiempo', 'reportes sin respuesta a tiempo'),
    digest: (days: string, sentence: string) => `${days}: ${sentence}`,
    many: (n: number) => `Novedades de ${counted(n, 'reporte que sigue', 'reportes que sigue')}`,
  },
  state: {
    created: (severity: string) => `Reporte nuevo, gravedad ${severity.toLowerCase()}`,
    raised: (severity: string) => `Sube a gravedad ${severity.toLowerCase()}`,
    waiting: 'Sigue en espera',
    merged: 'Unido a otro',
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
      merged: 'Cada uno de estos reportes se unió a otro sobre el mismo problema.',
      unmerged: 'Estos reportes se separaron de nuevo.',
    },
    unmerged: (id: number) =>
      `Este reporte se separó de nuevo de INC-${id}. Le escribiremos por correo sobre los cambios.`,
    mergedSince: (id: number) => `Después, este reporte se unió a INC-${id}.`,
    sweep: (n: number) =>
      count(n, {
        one: 'La respuesta a este reporte está atrasada. Los residentes pueden verlo.',
        other: 'Las respuestas a estos reportes están atrasadas. Los residentes pueden verlo.',
      }),
  },
  assignment: {
    subject: (title: string) => `Por favor, revise esto: ${title}`,
    state: 'Para usted',
    lead: (building: string) =>
      `${building} le asignó este trabajo. Por favor, responda con lo que hará y cuándo.`,
    leadWithoutReplies: (building: string) => `${building} le asignó este trabajo.`,
    building: 'Edificio',
    why: (building: string) => `Recibe este correo porque ${building} le asignó este trabajo.`,
  },
  receipt: {
    state: 'Recibimos su reporte',
    lead: (id: number) => `Es el número INC-${id}. La administración lo leerá.`,
    anonymous: 'Los demás residentes no ven su nombre.',
    photos: 'Fotos',
    photosAttached: (n: number, attached: number) =>
      n === attached ? `${n}, en este correo` : `${n}, las primeras ${attached} en este correo`,
    why: 'Recibe este correo porque reportó un problema.',
  },
  received: {
    state: 'Recibido',
    created: (id: number) => `Su correo es ahora el reporte INC-${id}`,
    appended: (id: number) => `Agregamos su correo al reporte INC-${id}`,
    public: 'Cualquiera puede leerlo en la página del reporte.',
    publicWithoutAddress: 'Cualquiera puede leerlo en la página del reporte. Su dirección no se muestra.',
    follow:
      '¿Quiere recibir un correo cuando algo cambie? Presione el botón. Si usted no nos escribió, ignore este correo.',
    followButton: (id: number) => `Seguir INC-${id}`,
    following: 'Le escribiremos por correo cuando algo cambie.',
    why: 'Recibe este correo porque alguien escribió al edificio desde su dirección.',
  },
  wrote: (name: string) => `${name} escribió:`,
  nameOnPage: (name: string) => `${name} (vea el nombre completo en línea)`,
  filesNotTaken: 'Archivos no guardados',
  writeAbove: '## Responda por encima de esta línea ##',
  survivor: 'Unido a',
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
  noReplies: {
    report: 'Nadie lee las respuestas a este correo. Para responder, abra el reporte:',
    other:
      'Nadie lee las respuestas a este correo. Para comunicarse con la administración, abra nuestra página:',
  },
  why: {
    follower: (id: number) => `Recibe este correo porque sigue INC-${id}.`,
    followerOfMany: 'Recibe este correo porque sigue estos reportes.',
    staff: 'Recibe este correo porque es parte del personal del edificio.',
  },
  stop: {
    comments: 'Solo cambios de estado',
    incident: 'Dejar de recibir correos sobre este reporte',
    kind: 'Dejar de recibir estos correos',
    receipts: 'Dejar de recibir correos sobre reportes nuevos',
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
    hours: (n: number, figure: string) =>
      count(n, { one: `${figure} hora`, many: `${figure} de horas`, other: `${figure} horas` }),
    countsTitle: 'Reportes',
    created: 'Nuevos',
    resolved: 'Cerrados por la administración',
    verified: 'Arreglos confirmados',
    before: (n: number) => `${n} la semana anterior`,
    week: 'Esta semana',
    weekBefore: 'Semana anterior',
    hoursTitle: 'Horas fuera de servicio',
    whole: (tower: string) => `${tower}, en total`,
    withoutOutages: (names: string) => `Sin interrupciones: ${names}.`,
    promises: (n: number) => counted(n, 'fecha prevista vencida', 'fechas previstas vencidas'),
    overdue: (n: number) => counted(n, 'trabajo atrasado', 'trabajos atrasados'),
    waitingTitle: 'Aún no vistos por la administración, los más antiguos primero',
    nobodyWaits: 'La administración ya vio todos los reportes.',
    waits: (age: string) => `en espera desde hace ${age}`,
    othersWait: (n: number) => count(n, { one: 'Espera 1 más.', other: `Esperan ${n} más.` }),
    lessThanAnHour: 'menos de una hora',
    maintenanceTitle: `Mantenimiento programado en los próximos ${limits.digestDaysAhead} días`,
    noMaintenance: `No hay mantenimiento programado en los próximos ${limits.digestDaysAhead} días.`,
  },
}

/** Following by mail: the form, the page of its link, and the account's list. */
export const followPages: typeof en.followPages = {
  title: 'Recibir novedades por correo',
  about: {
    building: (name: string) => `Novedades por correo sobre todo en ${name}`,
    tower: (name: string) => `Novedades por correo sobre todo en ${name}`,
    asset: (name: string) => `Novedades por correo sobre ${name}`,
    incident: (name: string) => `Novedades por correo sobre ${name}`,
  },
  what: `Le escribiremos por correo cuando algo deje de funcionar o se arregle, cuando cambie una fecha prevista y sobre el mantenimiento programado. Recibirá como máximo un correo cada ${assetNewsMinutes} minutos sobre lo mismo.`,
  whatIncident: 'Contará como persona afectada y le escribiremos por correo cuando cambie el estado.',
  noAccount: 'No necesita una cuenta. Le enviaremos un enlace para confirmar. Puede cancelar cuando quiera.',
  email: 'Su correo electrónico',
  begin: 'Recibir novedades por correo',
  sent: (address: string) =>
    `Enviaremos un enlace a ${address} (como máximo ${strangerEmails.linksPerDay} al día). Ábralo en un plazo de ${linkPurposes.follow.minutes / 60} horas para empezar a recibir novedades.`,
  wrongAddress: '¿La dirección no es correcta?',
  end: 'Dejar de recibir novedades',
  endOne: (name: string) => `Dejar de recibir novedades sobre ${name}`,
  on: 'Usted recibe estas novedades por correo.',
  confirmTitle: 'Confirmar las novedades por correo',
  confirmedTitle: 'Las novedades por correo están activadas',
  confirmHint: (address: string) => `Las enviaremos a ${address}. Puede cancelar cuando quiera.`,
  confirmButton: 'Sí, enviarme novedades',
  confirmed: 'Confirmado. Le enviaremos novedades por correo.',
  ownTitle: 'Ascensores, puertas y equipos que sigue',
  ownHint: 'Recibe correos sobre estos. Para dejar de seguir un reporte, ábralo.',
  ownNone: 'Todavía no sigue nada. Abra un ascensor o una puerta y elija «Recibir novedades por correo».',
  building: 'Recibir novedades por correo sobre el edificio',
  tower: (name: string) => `Recibir novedades por correo sobre ${name}`,
}

/** The email with the link to confirm, and emails about assets. */
export const followEmails: typeof en.followEmails = {
  confirm: {
    subject: (name: string) => `Por favor, confirme: novedades por correo sobre ${name}`,
    title: (name: string) => `Novedades por correo sobre ${name}`,
    lead: 'Por favor, confirme que quiere recibir estas novedades por correo. Si no las pidió, ignore este mensaje: no le enviaremos más.',
    button: 'Sí, enviarme novedades',
    why: 'Recibe este correo porque alguien pidió estas novedades con su dirección.',
  },
  subject: {
    down: (name: string) => `Fuera de servicio: ${name}`,
    back: (name: string) => `De nuevo en servicio: ${name}`,
    expected: (name: string, time: string) => `Se espera que funcione ${on(time)}: ${name}`,
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
    expected: (time: string) => `Se espera que funcione antes ${del(time)}.`,
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

/** What people can be notified of, as their account page lists it. */
export const notificationKinds: typeof en.notificationKinds = {
  created: 'Reporte nuevo',
  ownReport: 'Constancia de mi propio reporte',
  status: 'Cambio de estado en un reporte que sigo',
  comment: 'Comentario en un reporte que sigo',
  escalated: 'La administración tarda en responder a un reporte que sigo',
  merged: 'Un reporte que sigo se unió a otro',
  asset: 'Novedades de ascensores, puertas y equipos que sigo',
  sweep: 'Lista de reportes sin respuesta a tiempo',
  digest: 'Resumen semanal',
}

/** The page an unsubscribe link opens. */
export const unsubscribePage: typeof en.unsubscribePage = {
  title: {
    ask: '¿Dejar de recibir estos correos?',
    on: 'Usted recibe estos correos',
    off: 'Usted no recibe estos correos',
  },
  incident: (id: number, title: string) =>
    `Correos y notificaciones de la aplicación sobre INC-${id}: ${title}`,
  about: (names: string) => `Correos sobre ${names}`,
  topic: {
    created: 'Correos sobre reportes nuevos, incluidas las constancias de los suyos',
    status: 'Correos sobre cambios de estado en reportes que sigue',
    comment: 'Correos sobre comentarios en reportes que sigue',
    escalated: 'Correos sobre respuestas atrasadas a reportes que sigue',
    merged: 'Correos sobre reportes que sigue y que se unen a otro',
    sweep: 'Correos sobre reportes sin respuesta a tiempo',
    asset: 'Correos sobre ascensores, puertas y equipos que sigue',
    digest: 'El resumen semanal',
    all: 'Todos los correos de este edificio',
  },
  on: 'Usted recibe estos correos.',
  stop: 'Cancelar suscripción',
  again: 'Volver a suscribirse',
  stopped: 'Canceló la suscripción.',
  resumed: 'Se suscribió de nuevo.',
  stays: 'Los demás correos no cambian. Puede cambiar esto cuando quiera con este enlace.',
  staysAll: 'Puede cambiar esto cuando quiera con este enlace.',
}

/** Emails, app messages and webhook deliveries that did not arrive. */
export const deliveryPage: typeof en.deliveryPage = {
  title: 'Problemas de entrega',
  intro: `Mensajes de los últimos ${limits.deliveryDays} días que no pudimos entregar o cuya entrega no se confirmó. Intentamos enviar los correos y las notificaciones de la aplicación varias veces, y usted puede reintentarlos. Los webhooks no se reintentan.`,
  none: 'Todos los mensajes se entregaron.',
  kind: { mail: 'Correo', push: 'Notificación de la aplicación', webhook: 'Webhook' },
  fields: {
    what: 'Mensaje',
    kind: 'Tipo',
    to: 'Destinatario',
    why: 'Motivo',
    lastAttempt: 'Último intento',
    again: 'Acción',
  },
  event: {
    'incident.created': 'Reporte nuevo',
    'incident.status_changed': 'Cambio de estado',
    'incident.sla_breached': 'Reporte sin respuesta a tiempo',
    'incident.merged': 'Duplicado unido',
    'incident.receipt': 'Constancia de un reporte',
    'incident.unmerged': 'Unión deshecha',
    'incident.commented': 'Comentario nuevo',
    'incident.reopened': 'Reportado como no arreglado',
    'incident.handed_over': 'Asignado a un contacto',
    'asset.status_changed': 'Cambio de estado de un equipo',
    'sweep.report': 'Reportes sin respuesta a tiempo',
    digest: 'Resumen semanal',
    'account.invited': 'Invitación',
    'account.reset': 'Restablecimiento de contraseña',
    'account.sign_in': 'Enlace para iniciar sesión',
    'account.sign_up': 'Enlace para crear una cuenta',
    'account.notice': 'Seguridad de la cuenta',
    'mail.received': 'Confirmación de un correo que recibimos',
    'asset.news': 'Novedad de un ascensor, una puerta u otro equipo',
    'follow.asked': 'Enlace para confirmar novedades por correo',
    'webhook.test': 'Prueba de un webhook',
  },
  followers: (n: number) =>
    count(n, {
      one: '1 persona sin cuenta recibe novedades por correo.',
      many: `${n} de personas sin cuenta reciben novedades por correo.`,
      other: `${n} personas sin cuenta reciben novedades por correo.`,
    }),
  heldBack: (n: number) =>
    count(n, {
      one: 'Los límites de envío retuvieron 1 correo en las últimas 24 horas.',
      many: `Los límites de envío retuvieron ${n} de correos en las últimas 24 horas.`,
      other: `Los límites de envío retuvieron ${n} correos en las últimas 24 horas.`,
    }),
  stopped: (addresses: string, more: number) =>
    `Dejamos de escribir a ${addresses}${more > 0 ? ` y ${more} más` : ''} después de 3 rebotes.`,
  noOne: 'nadie',
  about: (what: string, id: number) => `${what}, INC-${id}`,
  attempts: (n: number) => counted(n, 'intento', 'intentos'),
  waiting: {
    title: 'En espera del próximo intento',
    many: (n: number) => `${n} en espera`,
    since: 'Falla desde',
    next: 'Próximo intento:',
  },
  reason: {
    connection_refused: 'El servidor rechazó la conexión',
    name_not_found: 'No se encontró el nombre del servidor',
    no_answer: 'El servidor no responde',
    connection_lost: 'Se perdió la conexión',
    certificate_not_trusted: 'El certificado del servidor no es de confianza',
    no_encryption: 'El servidor no ofrece un cifrado que podamos usar',
    sign_in_refused: 'El servidor rechazó nuestro inicio de sesión',
    sender_refused: 'El servidor rechazó nuestra dirección de remitente',
    refused_for_now: 'El servidor pidió reintentarlo más tarde',
    refused: 'El servidor rechazó el mensaje',
    folder: 'No podemos escribir en la carpeta de correos',
    not_confirmed:
      'Sin confirmar: el servidor lo recibió, pero no respondió. Es probable que haya llegado: pregunte a la persona antes de intentarlo de nuevo',
    stopping: 'Este servicio se detuvo antes de terminar',
    internal: 'Error interno: consulte el registro del servicio',
    other: 'Falló la entrega',
  },
  jobs: {
    title: 'Procesos programados',
    hint: 'Los que fallan se reintentan unos minutos después.',
    success: 'Última ejecución',
    failure: 'Última falla',
    never: 'nunca',
    name: {
      sweep: 'Escalar reportes atrasados (cada hora)',
      digest: 'Resumen semanal (los lunes)',
      tidy: 'Borrar datos antiguos (cada hora)',
      tick: 'Iniciar y terminar el mantenimiento programado (cada minuto)',
    },
  },
  retryOne: (what: string, to: string) => `Intentar de nuevo: ${what} a ${to}`,
}

/** What a page says at its top after a change to who is notified. */
export const notificationNotices: typeof en.notificationNotices = {
  following: 'Ahora sigue este reporte. Le escribiremos por correo sobre los cambios.',
  unfollowed: 'Dejó de seguir este reporte.',
  followLinkSent: `Le enviaremos un enlace por correo (como máximo ${strangerEmails.linksPerDay} al día). Ábralo en un plazo de ${linkPurposes.follow.minutes / 60} horas para empezar a recibir novedades.`,
  followingEmails: 'Recibirá estas novedades por correo.',
  unfollowedEmails: 'Ya no recibirá estas novedades por correo.',
  browserRemoved: 'Notificaciones desactivadas en ese navegador.',
  retried: 'Lo estamos intentando de nuevo.',
}
