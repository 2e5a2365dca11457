import { limits } from '../../vocabulary/limits.js'
import type * as en from '../en/webhooks.js'

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
  body: 'no se pudo componer el mensaje',
}

/** The pages of webhooks and their delivery log. */
export const webhookPages: typeof en.webhookPages = {
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
    'incident.merged': 'Duplicado unido (incident.merged)',
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
    intro: `Lo enviado en los últimos ${limits.deliveryDays} días, de lo más reciente a lo más antiguo. Los webhooks no se reintentan.`,
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

/** What webhooks write into chats. */
export const chats: typeof en.chats = {
  event: {
    'incident.created': 'Reporte nuevo',
    'incident.status_changed': 'Cambió el estado de un reporte',
    'incident.sla_breached': 'Reporte sin respuesta a tiempo',
    'incident.merged': 'Duplicado unido',
    'asset.status_changed': 'Cambió el estado de un equipo',
    'webhook.test': 'Mensaje de prueba: los eventos llegarán aquí.',
  },
  open: 'Ver detalles',
}
