import type { desk as en, answers as enAnswers, merging as enMerging } from '../en/desk.js'
import { count, counted } from './counted.js'

const some = (n: number, more: boolean) => (more ? `más de ${n}` : String(n))

/** The desk: what needs a person now. */
export const desk: typeof en = {
  title: 'Pendiente',
  allDone: 'No hay nada pendiente.',
  did: {
    acknowledged: (n) =>
      `${counted(n, 'aviso marcado como visto', 'avisos marcados como vistos')}. Se avisa a quienes los siguen.`,
    assigned: (n) => `${counted(n, 'aviso ya tiene su lugar', 'avisos ya tienen su lugar')}.`,
    handedOver: (n) => `${counted(n, 'aviso encargado', 'avisos encargados')}.`,
    merged: (n) =>
      `${counted(n, 'duplicado unido', 'duplicados unidos')}. Se puede deshacer durante diez minutos.`,
    seen: (n) => `${counted(n, 'aviso marcado como leído', 'avisos marcados como leídos')}.`,
  },
  left: (n) =>
    `${counted(n, 'aviso no se ha tocado', 'avisos no se han tocado')}: otra persona ya se había ocupado.`,
  tickAll: 'Seleccionar todo',
  tickAllOf: (section) => `Seleccionar todo: ${section}`,
  rest: (n, more) =>
    more
      ? `Mostrar más de ${counted(n, 'aviso', 'avisos')}`
      : `Mostrar ${counted(n, 'aviso más', 'avisos más')}`,
  whole: 'Volver a todo lo pendiente',
  keys: 'Con un aviso enfocado: j va al siguiente, k al anterior, Intro lo abre, a pulsa su botón, m lo une a uno anterior.',
  ago: (span) => `hace ${span}`,
  officeSaid: (ago) => `La administración, ${ago}:`,
  noWord: 'La administración todavía no ha dicho nada.',
  passed: (time) => `La vuelta al servicio estaba prevista para el ${time}`,
  handOver: 'Encargar las seleccionadas a alguien',
  unchanged: 'Como está',
  mergeTicked: 'Las seleccionadas son lo mismo',
  mergeOne: (id) => `Unir INC-${id} a un aviso anterior`,
  merge: 'Unir',
  inHand: {
    title: 'En marcha',
    hint: 'Primero las previsiones incumplidas, después los trabajos atrasados y luego aquello de lo que hace más tiempo que no se dice nada.',
  },
  acknowledgedEntry: 'La administración lo ha visto.',
  total: (n: number, more: boolean) => some(n, more),
  choose: (title: string, id: number) => `Seleccionar INC-${id}: ${title}`,
  chosenOnes: 'Con las incidencias seleccionadas:',
  sendingPaused: {
    restored: (since: string) =>
      `Esto es una copia, restaurada de una copia de seguridad el ${since}. No envía correos, avisos ni webhooks hasta que quienes la administran digan que ocupa el lugar del original.`,
    moved: (since: string) =>
      `Este edificio se trasladó a otra base de datos el ${since}. Desde aquí ya no se envía nada, y lo que se escriba aquí se queda aquí.`,
    by_hand: (since: string) =>
      `No se envían correos, avisos ni webhooks desde el ${since}: los detuvieron quienes administran este servicio.`,
  },
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
    hint: 'Lo más urgente, primero: lo crítico y lo grave que ha esperado demasiado, y después lo crítico.',
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
    stuck: {
      mail: (n: number) => `No sale ningún correo: ${counted(n, 'correo', 'correos')} en espera.`,
      push: (n: number) =>
        `No sale ningún mensaje de la aplicación: ${counted(n, 'mensaje', 'mensajes')} en espera.`,
    },
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

/** The office's answer, who does the work, and templates for replies. */
export const answers: typeof enAnswers = {
  title: 'Responder',
  body: '¿Qué quiere decir a todo el edificio?',
  closingReason: 'Si la cierra: ¿por qué?',
  closingHint: 'Solo cuenta con un nuevo estado que la cierre.',
  closing: {
    fixed: 'Arreglado',
    no_fault_found: 'No se ha encontrado ninguna avería',
    not_ours: 'No corresponde al edificio',
    cannot_be_repaired: 'No tiene arreglo',
  },
  closed: {
    fixed: 'La administración dice que está arreglado.',
    no_fault_found: 'La administración no ha encontrado ninguna avería y la ha cerrado.',
    not_ours: 'La administración la ha cerrado: no corresponde al edificio repararlo.',
    cannot_be_repaired: 'La administración la ha cerrado: no tiene arreglo.',
  },
  closedStatus: {
    no_fault_found: 'Cerrada, sin avería',
    not_ours: 'Cerrada, no corresponde al edificio',
    cannot_be_repaired: 'Cerrada, no tiene arreglo',
  },
  closedAs: (reason) => `Cerrada: ${reason}`,
  onStatusPage: 'Mostrarlo en la página de la instalación, como lo que se está haciendo',
  onStatusPageDefault: 'Con un nuevo estado o una previsión',
  doneBy: 'Quién se encarga',
  doneByHint:
    'El vecindario solo ve que alguien se encarga. A un contacto con dirección de correo se le escribe.',
  nobody: 'Nadie todavía',
  contact: (name, label, hasEmail) =>
    `${name}${label ? `, ${label}` : ''}${hasEmail ? '' : ' (sin dirección de correo)'}`,
  keeper: (contact) => `Se ocupa del mantenimiento: ${contact}`,
  dueOn: 'Debe estar hecho el',
  due: (day) => `para el ${day}`,
  overdue: (day) => `debía estar hecho el ${day}`,
  isAssigned: 'Alguien se encarga de esto.',
  expected: (time) => `Vuelta al servicio prevista: ${time}`,
  meanwhile: 'La administración ha respondido entretanto',
  meanwhileMoved: 'Entretanto alguien del edificio ha dicho si está arreglado',
  meanwhileHint:
    'No se ha guardado nada suyo. Lo que escribió está más abajo, y lo que no tocó muestra lo que vale ahora: cámbielo o déjelo, y envíelo de nuevo si aún hay que decirlo.',
  both: (theirs, yours) => `ahora «${theirs}»; usted escribió «${yours}», que está más abajo.`,
  nothing: 'nada',
  meanwhileBy: (name, time) => `${name}, ${time}:`,
  now: (status) => `El estado es ahora «${status}».`,
  template: 'Plantilla',
  chooseTemplate: 'Elegir una plantilla',
  useTemplate: 'Usarla',
  templates: {
    title: 'Plantillas de respuesta',
    intro:
      'Textos que la administración usa a menudo. Se ofrecen al responder a una incidencia y allí se pueden cambiar.',
    none: 'Todavía no hay ninguna plantilla.',
    create: 'Añadir una plantilla',
    edit: (name) => `Plantilla ${name}`,
    fields: {
      name: 'Nombre',
      wordsEn: 'Texto en inglés',
      wordsEs: 'Texto en español',
      status: 'Nuevo estado',
      statusReason: 'Qué se está haciendo',
    },
    hints: {
      name: 'Solo la ve la administración.',
      wordsEn: 'En blanco: no se ofrece en este idioma.',
      wordsEs: 'En blanco: no se ofrece en este idioma.',
    },
  },
}

export const merging: typeof enMerging = {
  mergedEntry: (id) => `INC-${id} se ha unido a esta incidencia: trata de lo mismo.`,
  unmergedEntry: (id) => `INC-${id} se ha separado de esta incidencia: son cosas distintas.`,
  unmerge: (id) => `Deshacer: volver a separar INC-${id}`,
  unmergeHint: (minutes) => `Se puede deshacer durante ${counted(minutes, 'minuto', 'minutos')} más.`,
  merge: 'Es un duplicado',
  mergeHint:
    'Se informa a quienes la siguen, que desde entonces siguen la otra. Se puede deshacer durante diez minutos.',
  targetId: '¿Qué incidencia se conserva?',
  otherId: 'O su número',
  find: 'Buscarla por sus palabras o su número',
  findSend: 'Buscar',
  duplicates: 'Hay duplicados de esta',
  duplicatesHint:
    'Se informa a quienes los siguen, que desde entonces siguen esta. Se puede deshacer durante diez minutos.',
  duplicateIds: '¿Cuáles tratan de lo mismo?',
  noCandidates: 'No hay avisos parecidos de esas fechas.',
  candidate: (id, title, place, time, status) =>
    `INC-${id}: ${title} (${place ? `${place}, ` : ''}${time}; ${status})`,
  preview: 'Ver qué ocurre',
  previewTitle: (n) => `Unir ${counted(n, 'duplicado', 'duplicados')}`,
  into: (id, title) => `A INC-${id}: ${title}`,
  goes: (id, title) => `INC-${id}: ${title}`,
  brings: (ids) => `con ${ids.map((id) => `INC-${id}`).join(', ')}`,
  effects: 'Qué ocurre',
  closes: (n, id) =>
    count(n, {
      one: `Se cierra y lleva a INC-${id}, donde se ve lo que se dijo y fotografió allí.`,
      other: `Se cierran y llevan a INC-${id}, donde se ve lo que se dijo y fotografió allí.`,
    }),
  newFollowers: (n, id) =>
    n === 0
      ? `Nadie nuevo sigue INC-${id}: quienes los siguen ya lo hacían.`
      : `Desde entonces siguen INC-${id} ${counted(n, 'persona', 'personas')} más.`,
  becomesDowntime: (id) =>
    `INC-${id} cuenta desde entonces como fuera de servicio, como lo que se une ahora.`,
  confirmHint: 'Se informa a quienes lo siguen. Se puede deshacer durante diez minutos.',
  staysWord: (name, status) => `${name}: aparece como «${status}», como ahora.`,
  changesWord: (name, before, after) => `${name}: aparece como «${after}», ahora «${before}».`,
  uptime: (days, before, after) =>
    before === after
      ? `Disponibilidad en ${days} días: ${before} %, como ahora.`
      : `Disponibilidad en ${days} días: ${before} % → ${after} %.`,
  send: (n) => count(n, { one: 'Unirlo', other: `Unir los ${n}` }),
  back: 'No cambiar nada',
}
