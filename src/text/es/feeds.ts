import type { feeds as en, chats as enChats } from '../en/feeds.js'

export const feeds: typeof en = {
  news: (name) => `Estado de ${name}`,
  planned: (name) => `Trabajos previstos: ${name}`,
  cancelled: (title) => `Cancelado: ${title}`,
  outage: { down: 'Fuera de servicio', degraded: 'Funciona con problemas' },
  since: (from) => `desde el ${from}`,
  newsLink: 'Novedades (Atom)',
  calendarLink: 'Calendario de trabajos previstos',
}

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
