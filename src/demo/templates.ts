import type { Status } from '../vocabulary/lifecycle.js'
import type { StatusReason } from '../vocabulary/statusReason.js'

/** What the demo's office writes often. */
export const templates: {
  name: string
  wordsEn: string
  wordsEs: string
  status: Status
  statusReason: StatusReason | null
}[] = [
  {
    name: 'Engineer called',
    wordsEn:
      'Thank you for telling us. An engineer is on the way, and we write here as soon as we know more.',
    wordsEs:
      'Gracias por avisarnos. El servicio técnico está en camino y escribiremos aquí en cuanto sepamos más.',
    status: 'in_progress',
    statusReason: 'engineer_coming',
  },
  {
    name: 'Part ordered',
    wordsEn: 'A part is needed and has been ordered. It is out of use until the part is fitted.',
    wordsEs: 'Hace falta una pieza y ya está pedida. No se puede usar hasta que esté montada.',
    status: 'in_progress',
    statusReason: 'waiting_for_parts',
  },
  {
    name: 'Repaired',
    wordsEn: 'It has been repaired. Please say here whether it works for you.',
    wordsEs: 'Está reparado. Por favor, díganos aquí si le funciona.',
    status: 'resolved',
    statusReason: null,
  },
]
