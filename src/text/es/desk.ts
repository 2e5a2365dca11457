import type { desk as en } from '../en/desk.js'
import { count, counted } from './counted.js'

const some = (n: number, more: boolean) => (more ? `más de ${n}` : String(n))

/** The desk: what needs a person now. */
export const desk: typeof en = {
  title: 'Pendiente',
  allDone: 'No hay nada pendiente.',
  acknowledgedEntry: 'La administración lo ha visto.',
  total: (n: number, more: boolean) => some(n, more),
  choose: (title: string, id: number) => `Seleccionar INC-${id}: ${title}`,
  chosenOnes: 'Con las incidencias seleccionadas:',
  mailsToSort: (n: number) => `${counted(n, 'correo', 'correos')} por clasificar`,
  cameBack: { title: 'Han vuelto', hint: 'Alguien del edificio dice que no está arreglado.' },
  unanswered: {
    title: 'Respuestas y comentarios nuevos',
    hint: 'Nadie de la administración ha escrito ni hecho nada desde entonces. Responda en su página o márquelo como leído.',
    seen: 'Leído',
    seenOne: (id: number) => `Leído: INC-${id}`,
    seenMany: 'Marcar como leídas las seleccionadas',
  },
  untriaged: {
    title: 'Sin clasificar',
    hint: 'Llegó por correo y todavía no está asignado a nada. Indique de qué trata.',
    assign: 'Asignar',
    asset: 'Instalación',
    unit: 'o vivienda',
    nothing: 'Elegir',
  },
  unacknowledged: {
    title: 'A la espera de respuesta',
    hint: 'Lo más urgente, primero.',
    again: 'Vista antes, abierta de nuevo',
    acknowledge: 'Marcar como vista',
    acknowledgeOne: (id: number) => `Marcar como vista: INC-${id}`,
    acknowledgeMany: 'Marcar como vistas las seleccionadas',
  },
  unconfirmed: {
    title: 'Resueltas, sin confirmar',
    hint: 'Nadie ha dicho todavía que funcione.',
    confirm: 'Está arreglado',
    confirmOne: (id: number) => `Está arreglado: INC-${id}`,
    resolved: (time: string) => `Resuelta el ${time}`,
  },
  failed: {
    title: 'No ha llegado',
    messages: (n: number) =>
      count(n, {
        one: '1 mensaje por correo o en la aplicación en los últimos 7 días',
        many: `${n} de mensajes por correo o en la aplicación en los últimos 7 días`,
        other: `${n} mensajes por correo o en la aplicación en los últimos 7 días`,
      }),
    receiver: (url: string, status: string) => `${url}: ${status}`,
    look: 'Verlos',
  },
  today: { title: 'Mantenimiento previsto que empieza hoy' },
  due: {
    left: (span: string) => `${span} de margen`,
    over: (span: string) => `${span} de retraso`,
  },
  span: {
    minutes: (n: number) => counted(n, 'minuto', 'minutos'),
    hours: (n: number) => counted(n, 'hora', 'horas'),
    days: (n: number) => counted(n, 'día', 'días'),
  },
}
