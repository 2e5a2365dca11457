import type * as en from '../en/inbound.js'
import { count, counted } from './counted.js'

/** Emails that wait for the office, such as those above the hourly limits. */
export const heldEmails: typeof en.heldEmails = {
  title: 'Correos por clasificar',
  intro: (perDomain: number, inAll: number, days: number) =>
    `Aceptamos ${perDomain} correos por hora por dominio (${inAll} en total) de remitentes que no podemos verificar. Los demás correos, y los marcados como spam, esperan aquí durante ${days} días. Solo el personal puede leerlos hasta que usted los acepte. Las respuestas automáticas, las respuestas a invitaciones y los correos devueltos están en «Ignorados»: revise allí por si alguno es de una persona.`,
  none: 'No hay nada por clasificar.',
  noneOf: 'No hay correos aquí.',
  dropped: (n: number) =>
    count(n, {
      one: 'No pudimos guardar 1 correo más porque la cola estaba llena. Pedimos a su proveedor que lo envíe de nuevo más tarde:',
      many: `No pudimos guardar ${n} de correos más porque la cola estaba llena. Pedimos a sus proveedores que los envíen de nuevo más tarde:`,
      other: `No pudimos guardar ${n} correos más porque la cola estaba llena. Pedimos a sus proveedores que los envíen de nuevo más tarde:`,
    }),
  droppedFrom: (n: number, domain: string) => `${n} de ${domain}`,
  elsewhere: 'otros dominios',
  which: 'Estado',
  state: {
    waiting: 'Por clasificar',
    accepted: 'Aceptados',
    discarded: 'Descartados',
    ignored: 'Ignorados',
  },
  choose: (subject: string) => `Seleccionar correo: ${subject}`,
  from: (sender: string) => `De ${sender}`,
  noOne: 'dirección desconocida',
  noSubject: '(sin asunto)',
  whole: 'Ver el correo completo',
  reason: {
    sender: 'Demasiados de esta dirección en una hora',
    domain: 'Demasiados de este dominio en una hora',
    total: 'Demasiados de remitentes sin verificar en una hora',
    timeline: 'El reporte no admite más comentarios por correo',
    unsorted: 'Todos los correos necesitan la aprobación de la administración',
    reply: 'Respuesta a un reporte desconocido',
    spam: 'El proveedor de correo lo marcó como spam',
    own_address: 'Enviado desde nuestra propia dirección',
    own_mail: 'Un correo nuestro, devuelto',
    bounce: 'Mensaje de rebote',
    automatic_reply: 'Respuesta automática',
    calendar: 'Respuesta a una invitación o una reacción',
  },
  mark: (mark: string) => `Reconocido por «${mark}».`,
  photos: (n: number) => counted(n, 'foto', 'fotos'),
  accept: 'Crear reporte',
  acceptOne: (subject: string) => `Crear reporte: ${subject}`,
  discard: 'Descartar correo',
  discardOne: (subject: string) => `Descartar correo: ${subject}`,
  chosenOnes: 'Correos seleccionados:',
  acceptMany: 'Crear reportes',
  discardMany: 'Descartar correos',
  discardDomain: (n: number, domain: string) =>
    count(n, {
      one: `Descartar 1 correo de ${domain}`,
      many: `Descartar los ${n} de correos de ${domain}`,
      other: `Descartar los ${n} correos de ${domain}`,
    }),
  domains: 'Principales remitentes',
  became: (id: number) => `Agregado a INC-${id}`,
  answers: (id: number) => `Agregar a INC-${id}`,
  answersOne: (id: number, subject: string) => `Agregar a INC-${id}: ${subject}`,
}

/** The whole text of an email that became a report, an update or a note; for staff. */
export const wholeEmail: typeof en.wholeEmail = {
  show: 'Ver el correo completo',
  showOf: (what: string) => `Ver el correo completo: ${what}`,
  onlyStaff: 'Solo lo ve el personal.',
  subject: 'Asunto:',
  noSubject: '(sin asunto)',
  rest: 'Leer el resto de este correo',
  back: (id: number) => `Volver a INC-${id}`,
}

/** After emails were sorted. */
export const inboundNotices: typeof en.inboundNotices = {
  emailsAccepted: 'Movido a «Aceptados».',
  emailsDiscarded: 'Movido a «Descartados». Desde allí todavía puede aceptar los correos.',
  nothingNew: 'No se agregó nada: ese correo solo citaba uno anterior.',
}
