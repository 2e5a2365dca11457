import type * as en from '../en/times.js'
import { counted } from './counted.js'

export const times: typeof en.times = {
  ago: (span) => `hace ${span}`,
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
