import type {
  apiPage as enApiPage,
  chats as enChats,
  deliveryPage as enDeliveryPage,
  webhookPages as enWebhookPages,
} from '../en/webhooks.js'
import { count, counted } from './counted.js'

const outcomes: Record<string, string> = {
  timeout: 'sin respuesta completa en 5 segundos',
  dns: 'el nombre no tiene dirección',
  refused: 'allí no responde nadie',
  reset: 'la conexión se cortó',
  tls: 'el certificado no es válido',
  'bad answer': 'la respuesta no era HTTP',
  'blocked address': 'la dirección no está en la internet pública',
  inactive: 'el webhook estaba desactivado',
  interrupted: 'este servicio se detuvo a medias',
  backlog: 'había demasiados en espera',
  paused: 'este edificio no enviaba nada',
}

/** The pages of webhooks and their delivery log. */
export const webhookPages: typeof enWebhookPages = {
  title: 'Webhooks',
  intro: 'Direcciones de otros servicios que reciben un mensaje cuando pasa algo en el edificio.',
  none: 'Todavía no hay ningún webhook.',
  create: 'Añadir un webhook',
  edit: (url: string) => `Webhook a ${url}`,
  remove: 'Eliminar este webhook',
  fields: {
    url: 'Dirección',
    events: 'Eventos',
    format: 'Forma de los mensajes',
    active: 'Activo',
    secret: 'Secreto de firma',
    lastStatus: 'Última respuesta',
    lastFiredAt: 'Último envío',
  },
  hints: {
    url: 'Adónde se envían los eventos, por ejemplo https://receiver.example/hook',
    format: 'Para un chat, pegue arriba la dirección de su webhook de entrada.',
    secret: 'Déjelo en blanco: para un webhook nuevo se crea uno y uno existente conserva el suyo.',
    active: 'A un webhook que no está activo no se le envía nada.',
  },
  format: { caretaker: 'Caretaker (JSON, como está descrito)', slack: 'Slack', teams: 'Microsoft Teams' },
  event: {
    'incident.created': 'Un aviso nuevo (incident.created)',
    'incident.status_changed': 'Una incidencia cambia de estado (incident.status_changed)',
    'incident.sla_breached': 'Nadie ha respondido a tiempo a un aviso (incident.sla_breached)',
    'incident.merged': 'Un duplicado se ha unido a otra incidencia (incident.merged)',
    'asset.status_changed': 'Una instalación cambia de estado (asset.status_changed)',
  },
  never: 'nunca',
  answered: (status: string) => `Respondió ${status}`,
  failed: (code: string) => `Falló: ${Object.hasOwn(outcomes, code) ? outcomes[code] : code}`,
  waiting: 'Sin terminar',
  milliseconds: (n: string) => `${n} ms`,
  test: {
    title: 'Probarlo',
    hint: 'Envía el evento webhook.test, solo con los datos del edificio, y muestra qué responde el receptor.',
    send: 'Enviar una prueba',
    sent: (outcome: string, duration: string) =>
      duration
        ? `La prueba se ha enviado. ${outcome}, en ${duration}.`
        : `La prueba se ha enviado. ${outcome}.`,
    open: 'La prueba está en camino y no ha terminado. Cargue esta página otra vez dentro de un momento.',
  },
  log: {
    link: 'Registro de envíos',
    title: 'Registro de envíos',
    intro:
      'Lo enviado en los últimos 30 días, de lo más reciente a lo más antiguo. Cada envío se intenta una vez.',
    none: 'Todavía no se ha enviado nada.',
    noMore: 'No hay nada anterior.',
    back: 'Volver al webhook',
    event: 'Evento',
    status: 'Resultado',
    duration: 'Duración',
    createdAt: 'Cuándo',
    body: 'Contenido',
    open: 'Mostrar',
    show: (id: number) => `Mostrar el contenido del envío ${id}`,
    older: 'Envíos anteriores',
  },
  secret: {
    title: 'El secreto de firma',
    once: 'Cópielo ahora: se muestra solo esta vez.',
    label: 'Secreto',
    use: 'Con él comprueba el receptor la cabecera X-Service-Signature. Si se pierde, cree uno nuevo.',
    done: 'Ya está copiado',
    rotateTitle: 'Secreto de firma',
    ends: (mask: string) => `Está guardado y oculto: ${mask}`,
    rotateHint:
      'El secreto nuevo sustituye de inmediato al anterior: el receptor también tiene que conocerlo.',
    rotate: 'Crear un secreto nuevo',
  },
}

/** Mails, app messages and webhook deliveries that did not arrive. */
export const deliveryPage: typeof enDeliveryPage = {
  title: 'Sin entregar',
  intro:
    'Lo que no se ha podido entregar en los últimos 30 días. Los correos y los mensajes de la aplicación se intentaron varias veces y se pueden volver a intentar; los webhooks se intentan una sola vez.',
  none: 'No hay nada dado por perdido.',
  kind: { mail: 'Correo', push: 'Mensaje de la aplicación', webhook: 'Webhook' },
  fields: {
    what: 'Qué',
    kind: 'Cómo',
    to: 'A quién',
    why: 'Por qué',
    failed: 'Fallo definitivo',
    again: 'Otra vez',
  },
  event: {
    'incident.created': 'Aviso nuevo',
    'incident.status_changed': 'Cambio de estado',
    'incident.sla_breached': 'Sin respuesta a tiempo',
    'incident.merged': 'Duplicado unido',
    'asset.status_changed': 'Estado de una instalación',
    'sweep.report': 'Avisos sin respuesta',
    digest: 'Resumen semanal',
    'account.invited': 'Invitación',
    'account.reset': 'Contraseña nueva',
    'account.sign_in': 'Enlace para iniciar sesión',
    'account.sign_up': 'Enlace para crear una cuenta',
    'account.notice': 'Seguridad de una cuenta',
    'mail.received': 'Acuse de recibo de un correo',
    'asset.news': 'Novedades de una instalación',
    'follow.asked': 'Enlace para seguir por correo',
    'webhook.test': 'Prueba de un webhook',
  } as Record<string, string>,
  followers: (n: number) =>
    count(n, {
      one: '1 persona sin cuenta sigue algo por correo.',
      other: `${n} personas sin cuenta siguen algo por correo.`,
    }),
  heldBack: (n: number) =>
    count(n, {
      one: 'Los límites han retenido 1 correo a estas personas en las últimas 24 horas.',
      other: `Los límites han retenido ${n} correos a estas personas en las últimas 24 horas.`,
    }),
  stopped: (addresses: string, more: number) =>
    `Ya no se escribe, porque su servidor rechazó tres correos, a ${addresses}${more > 0 ? ` y ${more} más` : ''}.`,
  nobody: 'nadie',
  about: (what: string, id: number) => `${what}, INC-${id}`,
  attempts: (n: number) => counted(n, 'intento', 'intentos'),
  waiting: {
    title: 'En espera del próximo intento',
    many: (n: number) => `${counted(n, 'mensaje', 'mensajes')} en espera`,
    since: 'Falla desde',
    next: 'Próximo intento:',
  },
  reason: {
    connection_refused: 'No se llega al servidor: rechaza la conexión',
    name_not_found: 'El nombre del servidor no tiene dirección',
    no_answer: 'El servidor no responde',
    connection_lost: 'La conexión se corta',
    certificate_not_trusted: 'El certificado del servidor no es de confianza',
    no_encryption: 'El servidor no ofrece un cifrado que funcione',
    sign_in_refused: 'El servidor rechaza nuestro usuario o contraseña',
    sender_refused: 'El servidor rechaza nuestra dirección de remitente',
    refused_for_now: 'El servidor dice que lo aceptará más tarde',
    refused: 'El servidor rechaza el mensaje',
    folder: 'No se puede escribir en la carpeta de correos',
    stopping: 'Este servicio se detuvo a la mitad',
    internal: 'Un fallo de este servicio: su registro dice más',
    other: 'No ha llegado',
  },
  jobs: {
    title: 'Lo que funciona solo',
    hint: 'Lo que falla se vuelve a intentar a los pocos minutos.',
    success: 'Hecho por última vez',
    failure: 'Falló por última vez',
    never: 'nunca',
    name: {
      sweep: 'Subir de gravedad lo que nadie atendió a tiempo, cada hora',
      digest: 'Resumen semanal, los lunes',
      tidy: 'Limpieza, cada hora',
      tick: 'Trabajos que empiezan o terminan, cada minuto',
    },
  },
  retry: 'Volver a intentarlo',
  retryOne: (what: string, to: string) => `Volver a intentarlo: ${what} a ${to}`,
}

/** The page that says what programs can ask. */
export const apiPage: typeof enApiPage = {
  title: 'Para programas',
  intro:
    'Todo lo que muestran y hacen las páginas de este sitio también lo pueden pedir los programas. Las respuestas son JSON; las fechas, UTC; lo que se rechaza llega como documento de problema (RFC 9457).',
  document: 'Lo mismo como documento OpenAPI',
  nouns: 'Qué hay',
  who: 'Quién puede:',
  everybody: 'cualquiera',
  machine: {
    mobile: 'aplicación móvil',
    cron: 'planificador',
    inbound: 'proveedor de correo',
    monitor: 'supervisión',
  },
  inPath: 'En la dirección',
  inQuery: 'En la consulta',
  fields: 'Campos',
  files: 'Archivos, en un formulario multipart',
  required: 'obligatorio',
  onlyFor: (who: string) => `solo ${who}`,
  once: 'Enviado otra vez con la misma Idempotency-Key, se hace una sola vez.',
  answers: 'Respuestas:',
  problems: 'Problemas:',
  shapes: 'Qué se envía y qué se responde',
}

/** What webhooks write into chats. */
export const chats: typeof enChats = {
  event: {
    'incident.created': 'Aviso nuevo',
    'incident.status_changed': 'Un aviso tiene un estado nuevo',
    'incident.sla_breached': 'Nadie ha respondido a tiempo a un aviso',
    'incident.merged': 'Se ha unido un duplicado',
    'asset.status_changed': 'Ha cambiado el estado de una instalación',
    'webhook.test': 'Una prueba: los mensajes llegan aquí.',
  },
  open: 'Abrir',
}
