import type { mails as enMails, unsubscribePage as enUnsubscribePage } from '../en/mails.js'
import { count, counted } from './counted.js'

/** Texts of mails and pushes. Subjects begin with the state, because phones cut them short. */
export const mails: typeof enMails = {
  subject: {
    created: (severity: string, title: string) => `Aviso nuevo, gravedad ${severity.toLowerCase()}: ${title}`,
    status: (status: string, title: string) => `${status}: ${title}`,
    reopened: (title: string) => `Sin arreglar: ${title}`,
    raised: (severity: string, title: string) => `Sube a gravedad ${severity.toLowerCase()}: ${title}`,
    waiting: (title: string) => `Sigue sin respuesta: ${title}`,
    merged: (id: number, title: string) => `Unida a INC-${id}: ${title}`,
    unmerged: (title: string) => `Ya no está unida: ${title}`,
    sweep: (n: number) =>
      count(n, {
        one: '1 aviso espera respuesta',
        many: `${n} de avisos esperan respuesta`,
        other: `${n} avisos esperan respuesta`,
      }),
    digest: (days: string, sentence: string) => `${days}: ${sentence}`,
    comments: (n: number, title: string) =>
      `${counted(n, 'comentario nuevo', 'comentarios nuevos')}: ${title}`,
    many: (n: number) => `Novedades de ${counted(n, 'incidencia seguida', 'incidencias seguidas')}`,
  },
  state: {
    created: (severity: string) => `Aviso nuevo, gravedad ${severity.toLowerCase()}`,
    reopened: 'Sin arreglar',
    raised: (severity: string) => `Sube a gravedad ${severity.toLowerCase()}`,
    waiting: 'Sigue sin respuesta',
    merged: 'Unida a otra',
    comments: (n: number) => counted(n, 'comentario nuevo', 'comentarios nuevos'),
    unmerged: 'Ya no está unida',
  },
  lead: {
    created: (time: string) => `Ha llegado un aviso. Hay que responder antes del ${time}.`,
    status: {
      open: 'La administración la ha devuelto al principio.',
      acknowledged: 'Alguien de la administración la ha visto.',
      in_progress: 'Alguien está trabajando en ello.',
      resolved: 'La administración dice que está arreglado. ¿Es así? Quien lo usa lo sabe mejor que nadie.',
      verified: 'Se ha confirmado que está arreglado y se ha cerrado.',
    },
    fixed: (name: string) => `${name} ha confirmado que está arreglado. Se ha cerrado.`,
    notFixed: (name: string) =>
      `${name} dice que no está arreglado. La administración vuelve a tenerlo en su lista.`,
    raised: (from: string, to: string) =>
      `Nadie ha respondido todavía. La gravedad ha subido de ${from.toLowerCase()} a ${to.toLowerCase()} y se ha vuelto a informar a la administración.`,
    waiting: 'Nadie ha respondido todavía. Se ha vuelto a informar a la administración.',
    merged: (id: number) =>
      `Este aviso trata de lo mismo que INC-${id}. Todo sigue allí, y las novedades llegarán igualmente.`,
    earlier: (n: number) =>
      count(n, {
        one: '1 comentario anterior está en su página.',
        other: `${n} comentarios anteriores están en su página.`,
      }),
    many: {
      status: 'La administración ha cambiado su estado.',
      escalated: 'Nadie ha respondido a tiempo. Se ha vuelto a informar a la administración.',
      merged: 'Cada una trata de lo mismo que otra y sigue en ella.',
      unmerged: 'Al final no trataban de lo mismo que otra. Cada una sigue por su cuenta.',
    },
    unmerged: (id: number) =>
      `Al final no trataba de lo mismo que INC-${id}. Este aviso sigue por su cuenta, y se le informará de él.`,
    mergedSince: (id: number) => `Después se unió a INC-${id}.`,
    sweep: (n: number) =>
      count(n, {
        one: 'Nadie lo ha marcado como visto a tiempo. Quien lo envió puede verlo.',
        other: 'Nadie los ha marcado como vistos a tiempo. Quienes los enviaron pueden verlo.',
      }),
  },
  handedOver: {
    subject: (title: string) => `Por favor, encárguese de esto: ${title}`,
    state: 'Para usted',
    lead: (building: string) =>
      `La administración de ${building} le pide que se encargue de esto. Responda diciendo qué hará y cuándo.`,
    building: 'Edificio',
    why: (building: string) =>
      `Recibe este mensaje porque la administración de ${building} le ha encargado este trabajo.`,
  },
  received: {
    subject: 'Recibimos su correo',
    created: (id: number) => `Su correo es ahora el reporte INC-${id}`,
    appended: (id: number) => `Su correo se añadió al reporte INC-${id}`,
    public: 'Cualquiera puede leerlo en la página del reporte.',
    publicWithoutAddress: 'Cualquiera puede leerlo en la página del reporte. Su dirección no se muestra.',
    follow:
      '¿Quiere recibir un correo cuando haya novedades? Pulse el botón. Si usted no nos escribió, ignore este correo.',
    followButton: (id: number) => `Seguir INC-${id}`,
    following: 'Le escribiremos cuando haya novedades.',
    noReplies:
      'No podemos recibir respuestas a este correo. La página del reporte dice lo que se está haciendo.',
    why: 'Recibe este correo porque alguien escribió al edificio desde su dirección.',
  },
  wrote: (name: string) => `${name} escribió:`,
  nameOnPage: (name: string) => `${name} (el nombre se puede leer en su página)`,
  writeAbove: '## Escribir por encima de esta línea ##',
  survivor: 'Sigue en',
  where: 'Dónde',
  severity: 'Gravedad',
  status: 'Estado actual',
  reported: 'Fecha del aviso',
  by: 'De',
  button: {
    open: (id: number) => `Abrir INC-${id}`,
    acknowledge: (id: number) => `Responder a INC-${id}`,
    list: 'Abrir la lista',
    status: 'Abrir la página de estado',
  },
  more: (n: number) => `y ${n} más`,
  raisedFromTo: (from: string, to: string) =>
    from === to ? `${from}, como antes` : `${from}, ahora ${to.toLowerCase()}`,
  cut: 'El resto está en su página.',
  replyToOffice: 'Responda a este correo. Solo la administración leerá su respuesta.',
  reply:
    'Se puede responder a este correo para añadir algo a la incidencia. Allí podrá leerlo todo el mundo, también sin cuenta.',
  why: {
    follower: (id: number) => `Este correo llega a quienes siguen INC-${id}.`,
    followerOfMany: 'Este correo llega a quienes siguen estas incidencias.',
    staff: 'Este correo llega a quienes cuidan de este edificio.',
  },
  stop: {
    comments: 'Solo correos sobre cambios de estado, sin comentarios',
    incident: 'No recibir más correos sobre esta incidencia',
    kind: 'No recibir más correos de este tipo',
    all: 'No recibir ningún correo',
  },
  push: {
    title: (state: string, id: number) => `${state} · INC-${id}`,
    andOthers: (title: string, n: number) => `${title} y ${n} más`,
  },
  digest: {
    title: (days: string) => `La semana en el edificio, ${days}`,
    outNow: (names: string) => `Fuera de servicio ahora: ${names}`,
    back: (name: string, time: string) => `${name} (vuelve el ${time})`,
    noneBefore: 'La semana anterior: ninguna.',
    now: (headline: string) => `Ahora: ${headline}`,
    allWell: 'Nada estuvo fuera de servicio',
    onlyDown: (name: string, hours: string) => `${name} estuvo fuera de servicio ${hours}`,
    worstDown: (name: string, hours: string) =>
      `${name} estuvo fuera de servicio ${hours}, más que ninguna otra instalación`,
    wasBefore: (hours: string) => `La semana anterior fueron ${hours} en total.`,
    inAll: (hours: string) => `En total suman ${hours}.`,
    better: (hours: string) => `La semana anterior fueron ${hours} más.`,
    worse: (hours: string) => `La semana anterior fueron ${hours} menos.`,
    same: 'La semana anterior fue igual.',
    hours: (n: number, shown: string) =>
      count(n, { one: `${shown} hora`, many: `${shown} de horas`, other: `${shown} horas` }),
    countsTitle: 'Incidencias',
    created: 'Nuevas',
    resolved: 'Cerradas por la administración',
    verified: 'Confirmadas',
    before: (n: number) => `${n} la semana anterior`,
    week: 'Esta semana',
    weekBefore: 'Semana anterior',
    hoursTitle: 'Horas fuera de servicio',
    whole: (tower: string) => `${tower}, en total`,
    without: (names: string) => `Nada en ninguna de las dos semanas: ${names}.`,
    promises: (n: number) => counted(n, 'previsión incumplida', 'previsiones incumplidas'),
    overdue: (n: number) => counted(n, 'trabajo atrasado', 'trabajos atrasados'),
    waitingTitle: 'Aún sin ver por la administración, lo más antiguo primero',
    nobodyWaits: 'Nadie espera respuesta.',
    waits: (age: string) => `esperando desde hace ${age}`,
    othersWait: (n: number) => count(n, { one: 'Espera 1 más.', other: `Esperan ${n} más.` }),
    lessThanAnHour: 'menos de una hora',
    maintenanceTitle: 'Mantenimiento previsto en los próximos 14 días',
    noMaintenance: 'No hay mantenimiento previsto en los próximos 14 días.',
  },
}

/** The page an unsubscribe link opens. */
export const unsubscribePage: typeof enUnsubscribePage = {
  title: 'Correos a esta dirección',
  incident: (id: number, title: string) => `Correos y mensajes de la aplicación sobre INC-${id}: ${title}`,
  about: (names: string) => `Correos sobre ${names}`,
  topic: {
    created: 'Correos sobre cada aviso nuevo',
    status: 'Correos cuando cambia el estado de una incidencia que se sigue',
    comment: 'Correos cuando alguien comenta una incidencia que se sigue',
    escalated: 'Correos cuando nadie responde a tiempo a una incidencia que se sigue',
    merged: 'Correos cuando una incidencia que se sigue se une a otra',
    sweep: 'Correos sobre los avisos sin respuesta a tiempo',
    asset: 'Correos sobre ascensores, puertas y demás instalaciones que se siguen',
    digest: 'El resumen semanal',
    all: 'Todos los correos de este edificio',
  },
  on: 'Ahora se reciben.',
  off: 'No se reciben.',
  stop: 'Dejar de recibirlos',
  again: 'Recibirlos otra vez',
  stopped: 'Hecho. Ya no se enviarán más.',
  resumed: 'Hecho. Se enviarán otra vez.',
  stays: 'Los demás correos no cambian, y con este enlace se puede cambiar de opinión en cualquier momento.',
  staysAll: 'Con este enlace se puede cambiar de opinión en cualquier momento.',
}
