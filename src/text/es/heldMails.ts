import type { heldMails as en } from '../en/heldMails.js'
import { count, counted } from './counted.js'

/** Mails of unknown senders above the hourly limit. */
export const heldMails: typeof en = {
  title: 'Correos por clasificar',
  intro: (perDomain: number, inAll: number, days: number) =>
    `Quien no tiene cuenta puede abrir ${perDomain} incidencias por hora desde un mismo dominio, y ${inAll} en total. Lo que llegó de más se guarda aquí durante ${days} días. Solo lo ve el personal hasta que lo convierta en incidencia. Las respuestas automáticas, los correos devueltos y los nuestros quedan en «Ignorados» el mismo tiempo: una persona puede haber parecido una máquina.`,
  none: 'No hay ningún correo por clasificar.',
  noneOf: 'No hay ninguno de estos.',
  unkept: (n: number) =>
    count(n, {
      one: 'Llegó 1 correo más cuando ya no quedaba sitio. Se contó y no se guardó:',
      many: `Llegaron ${n} de correos más cuando ya no quedaba sitio. Se contaron y no se guardaron:`,
      other: `Llegaron ${n} correos más cuando ya no quedaba sitio. Se contaron y no se guardaron:`,
    }),
  unkeptFrom: (n: number, domain: string) => `${n} de ${domain}`,
  elsewhere: 'otros dominios',
  which: 'Mostrar',
  state: {
    waiting: 'Por clasificar',
    accepted: 'Admitidos',
    discarded: 'Descartados',
    ignored: 'Ignorados',
  },
  choose: (subject: string) => `Seleccionar el correo: ${subject}`,
  from: (sender: string) => `De ${sender}`,
  nobody: 'alguien sin dirección',
  noSubject: '(sin asunto)',
  whole: 'Mostrar todo',
  reason: {
    domain: 'Demasiados de este dominio en una hora',
    total: 'Demasiados de remitentes desconocidos en una hora',
    unsorted: 'Todos los correos esperan a que la administración los clasifique',
    own_address: 'Enviado desde nuestra propia dirección',
    own_mail: 'Un correo nuestro que ha vuelto',
    bounce: 'Un aviso de que un correo no se pudo entregar',
    automatic_reply: 'Una respuesta automática',
  },
  photos: (n: number) => counted(n, 'foto', 'fotos'),
  notKept: (names: string) => `Adjuntos que no se guardaron: ${names}`,
  accept: 'Convertir en incidencia',
  acceptOne: (subject: string) => `Convertir en incidencia el correo: ${subject}`,
  discard: 'Descartar',
  discardOne: (subject: string) => `Descartar el correo: ${subject}`,
  chosenOnes: 'Con los correos seleccionados:',
  acceptMany: 'Convertirlos en incidencias',
  discardMany: 'Descartarlos',
  discardDomain: (n: number, domain: string) =>
    count(n, {
      one: `Descartar el único de ${domain} (1)`,
      many: `Descartar los ${n} de correos de ${domain}`,
      other: `Descartar los ${n} de ${domain}`,
    }),
  domains: 'De dónde llegan muchos',
  became: (id: number) => `Está en INC-${id}`,
  answers: (id: number) => `Añadir a INC-${id}`,
  answersOne: (id: number, subject: string) => `Añadir a INC-${id} el correo: ${subject}`,
}
