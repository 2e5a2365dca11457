import type {
  apiPage as enApiPage,
  chats as enChats,
  deliveryPage as enDeliveryPage,
  webhookPages as enWebhookPages,
} from '../en/webhooks.js'
import { count, counted } from './counted.js'

const outcomes: Record<string, string> = {
  timeout: 'sin respuesta completa en 5 segundos',
  dns: 'no se encontró el nombre del servidor',
  refused: 'el servidor rechazó la conexión',
  reset: 'se perdió la conexión',
  tls: 'el certificado no es válido',
  'bad answer': 'la respuesta no era HTTP',
  'blocked address': 'la dirección no está en la internet pública',
  inactive: 'el webhook estaba desactivado',
  interrupted: 'este servicio se detuvo antes de terminar',
  backlog: 'había demasiadas entregas en espera',
  paused: 'los envíos de este edificio estaban en pausa',
}

/** The pages of webhooks and their delivery log. */
export const webhookPages: typeof enWebhookPages = {
  title: 'Webhooks',
  intro: 'Envíe eventos a otros servicios.',
  none: 'Todavía no hay webhooks.',
  create: 'Agregar un webhook',
  edit: (url: string) => `Webhook a ${url}`,
  remove: 'Eliminar este webhook',
  fields: {
    url: 'URL',
    events: 'Eventos',
    format: 'Formato',
    active: 'Activo',
    secret: 'Secreto de firma',
    lastStatus: 'Última respuesta',
    lastFiredAt: 'Último envío',
  },
  hints: {
    url: 'A dónde se envían los eventos, por ejemplo https://receiver.example/hook',
    format: 'Para un chat, escriba su webhook entrante como URL.',
    secret: 'Déjelo en blanco para generar un secreto para un webhook nuevo o conservar el actual.',
    active: 'Los webhooks inactivos no envían nada.',
  },
  format: { caretaker: 'JSON', slack: 'Slack', teams: 'Microsoft Teams' },
  event: {
    'incident.created': 'Reporte nuevo (incident.created)',
    'incident.status_changed': 'Cambió el estado de un reporte (incident.status_changed)',
    'incident.sla_breached': 'Reporte sin respuesta a tiempo (incident.sla_breached)',
    'incident.merged': 'Duplicado combinado (incident.merged)',
    'asset.status_changed': 'Cambió el estado de un equipo (asset.status_changed)',
  },
  never: 'nunca',
  answered: (status: string) => `Respuesta ${status}`,
  failed: (code: string) => `Falló: ${Object.hasOwn(outcomes, code) ? outcomes[code] : code}`,
  waiting: 'En curso',
  milliseconds: (n: string) => `${n} ms`,
  test: {
    title: 'Enviar una prueba',
    hint: 'Envía un evento webhook.test y muestra la respuesta.',
    send: 'Enviar una prueba',
    sent: (outcome: string, duration: string) =>
      duration ? `Prueba enviada. ${outcome}, en ${duration}.` : `Prueba enviada. ${outcome}.`,
    open: 'La prueba sigue en curso. Recargue esta página en un momento.',
  },
  log: {
    link: 'Registro de entregas',
    title: 'Registro de entregas',
    intro:
      'Lo enviado en los últimos 30 días, de lo más reciente a lo más antiguo. Los webhooks no se reintentan.',
    none: 'Todavía no se envió nada.',
    noMore: 'No hay entregas anteriores.',
    back: 'Volver al webhook',
    event: 'Evento',
    status: 'Resultado',
    duration: 'Duración',
    createdAt: 'Cuándo',
    body: 'Contenido',
    open: 'Mostrar contenido',
    show: (id: number) => `Mostrar contenido: entrega ${id}`,
    older: 'Entregas anteriores',
  },
  secret: {
    title: 'Secreto de firma',
    once: 'Copie este secreto ahora. No lo mostraremos otra vez.',
    label: 'Secreto',
    use: 'El receptor lo usa para comprobar el encabezado X-Service-Signature. Si lo pierde, cree uno nuevo.',
    done: 'Listo',
    rotateTitle: 'Secreto de firma',
    ends: (mask: string) => `Guardado y oculto: ${mask}`,
    rotateHint: 'Reemplaza el secreto actual de inmediato. Actualice el receptor.',
    rotate: 'Crear un secreto nuevo',
  },
}

/** Emails, app messages and webhook deliveries that did not arrive. */
export const deliveryPage: typeof enDeliveryPage = {
  title: 'Problemas de entrega',
  intro:
    'Mensajes que no pudimos entregar en los últimos 30 días. Intentamos enviar los correos y las notificaciones de la aplicación varias veces, y usted puede reintentarlos. Los webhooks no se reintentan.',
  none: 'Todos los mensajes se entregaron.',
  kind: { mail: 'Correo', push: 'Notificación de la aplicación', webhook: 'Webhook' },
  fields: {
    what: 'Mensaje',
    kind: 'Tipo',
    to: 'Destinatario',
    why: 'Motivo',
    failed: 'Falló',
    again: 'Acción',
  },
  event: {
    'incident.created': 'Reporte nuevo',
    'incident.status_changed': 'Cambio de estado',
    'incident.sla_breached': 'Reporte sin respuesta a tiempo',
    'incident.merged': 'Duplicado combinado',
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
  } as Record<string, string>,
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
  retry: 'Intentar de nuevo',
  retryOne: (what: string, to: string) => `Intentar de nuevo: ${what} a ${to}`,
}

/** The page that says what programs can ask. */
export const apiPage: typeof enApiPage = {
  title: 'API',
  intro:
    'Todo lo que hay en este sitio también está disponible como JSON. Las horas están en UTC. Los errores son documentos de problemas (RFC 9457).',
  document: 'Documento OpenAPI',
  nouns: 'Recursos',
  who: 'Quién puede usarlo:',
  everybody: 'cualquier persona',
  machine: {
    mobile: 'aplicación móvil',
    cron: 'planificador',
    inbound: 'proveedor de correo',
    monitor: 'supervisión',
  } as Record<string, string>,
  inPath: 'En la ruta',
  inQuery: 'En la consulta',
  fields: 'Campos',
  files: 'Archivos, en un formulario multipart',
  required: 'obligatorio',
  onlyFor: (who: string) => `solo ${who}`,
  once: 'Si lo envía otra vez con la misma Idempotency-Key, se hace una sola vez.',
  answers: 'Respuestas:',
  problems: 'Problemas:',
  shapes: 'Esquemas',
}

/** What webhooks write into chats. */
export const chats: typeof enChats = {
  event: {
    'incident.created': 'Reporte nuevo',
    'incident.status_changed': 'Cambió el estado de un reporte',
    'incident.sla_breached': 'Reporte sin respuesta a tiempo',
    'incident.merged': 'Duplicado combinado',
    'asset.status_changed': 'Cambió el estado de un equipo',
    'webhook.test': 'Mensaje de prueba: los eventos llegarán aquí.',
  } as Record<string, string>,
  open: 'Ver detalles',
}
