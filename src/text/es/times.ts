import type * as en from '../en/times.js'
import { counted, on } from './counted.js'

export const times: typeof en.times = {
  ago: (span) => `hace ${span}`,
  deadline: {
    today: { morning: 'esta mañana', afternoon: 'esta tarde', evening: 'esta noche', night: 'esta noche' },
    tomorrow: {
      morning: 'mañana por la mañana',
      afternoon: 'mañana por la tarde',
      evening: 'mañana por la noche',
      night: 'mañana por la noche',
    },
    moment: on,
  },
  due: {
    left: (span) => `Vence en ${span}`,
    over: (span) => `${span} de atraso`,
  },
  span: {
    minutes: (n) => counted(n, 'minuto', 'minutos'),
    hours: (n) => counted(n, 'hora', 'horas'),
    days: (n) => counted(n, 'día', 'días'),
  },
}
