import type { heldMails as en } from '../en/heldMails.js'
import { count, counted } from './counted.js'

/** Mails of unknown senders above the hourly limit. */
export const heldMails: typeof en = {
  title: 'Correos por clasificar',
  intro: (perDomain: number, inAll: number, days: number) =>
    `Aceptamos ${perDomain} correos por hora de remitentes sin cuenta de un mismo dominio, y ${inAll} en total. Los demás esperan aquí durante ${days} días. Solo el personal puede leerlos hasta que usted los acepte. Las respuestas automáticas y los correos devueltos están en «Ignorados», porque una persona puede haber parecido una máquina.`,
  none: 'No hay ningún correo por clasificar.',
  noneOf: 'No hay ninguno de estos.',
  unkept: (n: number) =>
    count(n, {
      one: '1 correo más no se pudo guardar porque hay demasiados en espera. Pedimos a su proveedor que lo envíe de nuevo más tarde:',
      many: `${n} de correos más no se pudieron guardar porque hay demasiados en espera. Pedimos a sus proveedores que los envíen de nuevo más tarde:`,
      other: `${n} correos más no se pudieron guardar porque hay demasiados en espera. Pedimos a sus proveedores que los envíen de nuevo más tarde:`,
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
    sender: 'Demasiados de esta dirección en una hora',
    domain: 'Demasiados de este dominio en una hora',
    total: 'Demasiados de remitentes no comprobados en una hora',
    timeline: 'El reporte no admite más comentarios por correo',
    unsorted: 'Todos los correos esperan a que la administración los clasifique',
    reply: 'Una respuesta que no dice a qué reporte corresponde',
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
