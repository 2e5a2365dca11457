import type * as en from '../en/app.js'
import { on } from './counted.js'

/** The switches admins have. */
export const flagPage: typeof en.flagPage = {
  title: 'Funciones opcionales',
  intro: 'Active o desactive partes del servicio.',
  on: 'Activada',
  off: 'Desactivada',
  switchOn: 'Activar',
  switchOff: 'Desactivar',
  switchOne: (what: string, name: string) => `${what}: ${name}`,
  changed: (time: string) => `Cambiada ${on(time)}.`,
  never: 'Nunca se cambió.',
  name: { ai_triage: 'Sugerencias al reportar' },
  about: {
    ai_triage:
      'Una IA lee el título y el texto de un reporte y sugiere qué está averiado y la gravedad. No ve nombres ni fotos. Requiere una clave de API en los ajustes del servidor.',
  },
}

/** The page that says what programs can ask. */
export const apiPage: typeof en.apiPage = {
  title: 'API',
  intro:
    'Todo lo que hay en este sitio también está disponible como JSON. Las horas están en UTC. Los errores son documentos de problemas (RFC 9457).',
  document: 'Documento OpenAPI',
  nouns: 'Recursos',
  who: 'Quién puede usarlo:',
  everyone: 'cualquier persona',
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

/** After a feature was switched on or off. */
export const appNotices: typeof en.appNotices = {
  switched: 'Función opcional modificada.',
}
