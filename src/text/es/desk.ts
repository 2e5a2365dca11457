import { limits, undoMinutes } from '../../vocabulary/limits.js'
import type * as en from '../en/desk.js'
import { count, counted, el, on } from './counted.js'

const some = (n: number, more: boolean) => (more ? `más de ${n}` : String(n))

/** The desk: what needs a person now. */
export const desk: typeof en.desk = {
  title: 'Tareas',
  allDone: 'Todo está al día.',
  results: {
    acknowledged: (n) =>
      count(n, {
        one: '1 reporte marcado como visto. Avisaremos por correo a quienes lo siguen.',
        many: `${n} de reportes marcados como vistos. Avisaremos por correo a quienes los siguen.`,
        other: `${n} reportes marcados como vistos. Avisaremos por correo a quienes los siguen.`,
      }),
    placed: (n) => `Lugar guardado en ${counted(n, 'reporte', 'reportes')}.`,
    assigned: (n) => `${counted(n, 'reporte asignado', 'reportes asignados')}.`,
    merged: (n) =>
      `${counted(n, 'duplicado unido', 'duplicados unidos')}. Puede deshacerlo durante ${undoMinutes} minutos.`,
    read: (n) => `${counted(n, 'reporte marcado como leído', 'reportes marcados como leídos')}.`,
  },
  skipped: (n) =>
    count(n, {
      one: '1 omitido: otra persona ya se ocupó de él.',
      many: `${n} de reportes omitidos: otra persona ya se ocupó de ellos.`,
      other: `${n} omitidos: otra persona ya se ocupó de ellos.`,
    }),
  tabs: {
    new: 'Nuevos',
    replies: 'Respuestas',
    reopened: 'Reabiertos',
    inProgress: 'En curso',
    toConfirm: 'Por confirmar',
    emails: 'Correos por clasificar',
  },
  order: {
    new: 'Los más urgentes primero.',
    replies: 'Primero los que llevan más tiempo esperando.',
    reopened: 'Un residente dice que no está arreglado. Primero los que llevan más tiempo esperando.',
    inProgress: 'Primero los atrasados, después los que llevan más tiempo sin novedades.',
    toConfirm: 'Terminados, a la espera de que un residente lo confirme. Los últimos primero.',
  },
  none: 'No hay nada aquí.',
  skip: 'Saltar a los reportes',
  selectAll: 'Seleccionar todo',
  selected: 'Seleccionados',
  clear: 'Quitar selección',
  acknowledgeMany: 'Marcar como vistos',
  readMany: 'Marcar como leídos',
  assignMany: 'Asignar…',
  mergeMany: 'Unir…',
  previous: 'Reportes anteriores',
  menu: (id) => `Más acciones para INC-${id}`,
  assign: 'Asignar',
  openOne: (id) => `Abrir INC-${id}`,
  mergeInto: (id) => `Unir a INC-${id}`,
  same: (id) => `¿El mismo problema que INC-${id}?`,
  again: 'Visto y después reabierto',
  noWords: 'Foto o correo sin texto',
  resolved: (time) => `Terminado: ${time}`,
  assignTitle: (n, id) => (n === 1 ? `Asignar INC-${id}` : `Asignar ${counted(n, 'reporte', 'reportes')}`),
  place: {
    missing: 'Sin lugar: elija uno',
    choose: 'Elegir un lugar…',
    title: (n, id) =>
      n === 1 ? `¿De qué trata INC-${id}?` : `¿De qué tratan estos ${counted(n, 'reporte', 'reportes')}?`,
    asset: 'Equipo',
    unit: 'O vivienda',
    save: 'Guardar lugar',
  },
  keys: {
    title: 'Atajos de teclado',
    next: 'Reporte siguiente',
    previous: 'Reporte anterior',
    select: 'Seleccionar el reporte',
    press: 'Presionar el botón del reporte',
    merge: 'Unir el reporte, si parece un duplicado',
    open: 'Abrir el reporte',
    show: 'Mostrar estos atajos',
    use: 'Usar atajos en este dispositivo',
    close: 'Cerrar atajos',
  },
  taps: {
    acknowledge: (id) => `INC-${id} marcado como visto. Avisaremos por correo a quienes lo siguen.`,
    start: (id) => `INC-${id} está en curso. Avisaremos por correo a quienes lo siguen.`,
    fixed: (id) => `INC-${id} marcado como arreglado. Pediremos a quienes lo siguen que lo confirmen.`,
    reopen: (id) => `INC-${id} reabierto. Avisaremos por correo a quienes lo siguen.`,
    confirm: (id) => `Arreglo de INC-${id} confirmado: el reporte está cerrado.`,
    undo: (id) => `Confirmación deshecha. INC-${id} vuelve a esperar confirmación.`,
    merge: (id) => `INC-${id} unido a otro reporte.`,
    unmerge: (id) => `Unión deshecha. INC-${id} es otra vez un reporte aparte.`,
    separate: (id) => `No cambió nada. INC-${id} ya es un reporte aparte.`,
    read: (id) => `INC-${id} marcado como leído.`,
    assign: (id) => `INC-${id} asignado.`,
    place: (id) => `INC-${id}: lugar guardado.`,
    newer: (id) => `INC-${id} tiene una respuesta más reciente. No cambió nada.`,
    already: (id, status) => `No cambió nada. INC-${id} ya está en «${status}».`,
    merged: (id) => `No cambió nada. INC-${id} se unió a otro reporte.`,
    tooLate: (id) =>
      `INC-${id} sigue cerrado. Una confirmación se puede deshacer durante ${undoMinutes} minutos.`,
  },
  acts: {
    acknowledge: 'Marcar como visto',
    start: 'Empezar el trabajo',
    fixed: 'Marcar como arreglado',
    reopen: 'Reabrir',
    confirm: 'Confirmar arreglo',
    read: 'Marcar como leído',
  },
  undo: 'Deshacer',
  undoneEntry: 'La administración retiró su confirmación. ¿Está arreglado?',
  confirm: {
    title: (id) => `¿Confirma que INC-${id} está arreglado?`,
    hint: `Esto cierra el reporte. Puede deshacerlo durante ${undoMinutes} minutos.`,
    send: 'Confirmar arreglo',
  },
  rest: (n, more) =>
    more
      ? `Mostrar más (más de ${counted(n, 'reporte', 'reportes')})`
      : `Mostrar ${counted(n, 'reporte más', 'reportes más')}`,
  officeSaid: (ago) => `Administración, ${ago}:`,
  noWord: 'Todavía no se enviaron novedades.',
  passed: (time) => `Atrasado: la vuelta estaba prevista para ${el(time)}`,
  unchanged: 'Sin cambios',
  acknowledgedEntry: 'La administración ya lo vio.',
  total: (n: number, more: boolean) => some(n, more),
  choose: (title: string, id: number) => `Seleccionar INC-${id}: ${title}`,
  sendingPaused: {
    restored: (since: string) =>
      `Esta copia se restauró de una copia de seguridad ${on(since)}. No enviará correos, notificaciones ni webhooks hasta que un operador la active.`,
    moved: (since: string) =>
      `Este edificio se trasladó a otra base de datos ${on(since)}. Ya no enviamos nada desde aquí, y los cambios que haga aquí no se copiarán.`,
    by_hand: (since: string) =>
      `Un operador detuvo los envíos ${on(since)}. Los correos, las notificaciones y los webhooks están en pausa.`,
  },
  failed: {
    messages: (n: number) =>
      count(n, {
        one: `1 correo o notificación de la aplicación en los últimos ${limits.failedMessageDays} días`,
        many: `${n} de correos y notificaciones de la aplicación en los últimos ${limits.failedMessageDays} días`,
        other: `${n} correos y notificaciones de la aplicación en los últimos ${limits.failedMessageDays} días`,
      }),
    stuck: {
      mail: (n: number) => `No se están enviando correos: ${n} en espera.`,
      push: (n: number) => `No se están enviando notificaciones de la aplicación: ${n} en espera.`,
    },
  },
  today: { title: 'Mantenimiento programado que empieza hoy' },
}

/** The office's answer, who does the work, and templates for replies. */
export const answers: typeof en.answers = {
  title: 'Publicar una novedad',
  body: 'Novedad para los residentes',
  closingReason: 'Resultado',
  closingHint: 'Solo es necesario si lo marca como arreglado o lo cierra.',
  closing: {
    fixed: 'Arreglado',
    no_fault_found: 'No se encontró ninguna falla',
    not_ours: 'No es responsabilidad del edificio',
    cannot_be_repaired: 'No se puede reparar',
  },
  closed: {
    fixed: 'La administración lo marcó como arreglado.',
    no_fault_found: 'Cerrado: la administración no encontró ninguna falla.',
    not_ours: 'Cerrado: no es responsabilidad del edificio.',
    cannot_be_repaired: 'Cerrado: no se puede reparar.',
  },
  closedStatus: {
    no_fault_found: 'Cerrado: sin fallas',
    not_ours: 'Cerrado: no es responsabilidad del edificio',
    cannot_be_repaired: 'Cerrado: no se puede reparar',
  },
  closedAs: (reason) => `Cerrado: ${reason}`,
  notOnStatusPage: 'No mostrar esta novedad en la página de estado',
  more: 'Más opciones',
  afterwards: 'Agregar un comentario o una nota del personal',
  assignee: 'Asignado a',
  assigneeHint: 'Los residentes no ven el nombre. Escribiremos por correo al proveedor.',
  noOne: 'Nadie todavía',
  contact: (name, label, hasEmail) =>
    `${name}${label ? `, ${label}` : ''}${hasEmail ? '' : ' (sin correo electrónico)'}`,
  keeper: (contact) => `Proveedor habitual: ${contact}`,
  dueOn: 'Fecha límite',
  due: (day) => `vence ${on(day)}`,
  overdue: (day) => `atrasado desde ${el(day)}`,
  isAssigned: 'Alguien está a cargo.',
  expected: (time) => `Se espera que funcione: ${time}`,
  meanwhile: 'Un colega acaba de responder.',
  meanwhileMoved: 'Un residente acaba de responder.',
  meanwhileHint: 'Su novedad no se envió. Revísela abajo y envíela de nuevo.',
  newAndEntered: (theirs, yours) => `ahora «${theirs}» (usted escribió «${yours}»)`,
  nothing: 'nada',
  meanwhileBy: (name, time) => `${name}, ${time}:`,
  now: (status) => `El estado ahora es «${status}».`,
  template: 'Plantilla',
  chooseTemplate: 'Seleccione una plantilla',
  useTemplate: 'Insertar plantilla',
  templates: {
    title: 'Plantillas de respuesta',
    intro: 'Respuestas ya escritas que puede insertar y editar.',
    none: 'Todavía no hay plantillas.',
    create: 'Agregar una plantilla',
    edit: (name) => `Plantilla: ${name}`,
    fields: {
      name: 'Nombre',
      wordsEn: 'Texto en inglés',
      wordsEs: 'Texto en español',
      status: 'Nuevo estado',
      statusReason: 'Motivo de la espera',
    },
    hints: {
      name: 'Solo lo ve el personal.',
      wordsEn: 'Déjelo en blanco para ocultar esta plantilla en inglés.',
      wordsEs: 'Déjelo en blanco para ocultar esta plantilla en español.',
    },
  },
  expectedBackAt: 'Se espera que funcione',
  statusReason: 'Motivo de la espera',
  statusReasonHint: 'Se muestra en la página de estado hasta que esto se marque como arreglado.',
  noReason: 'Sin motivo',
  other: 'Otro motivo:',
  otherReason: 'Otro motivo, en pocas palabras',
}

export const merging: typeof en.merging = {
  mergedEntry: (id) => `INC-${id} se unió a este reporte: trata del mismo problema.`,
  unmergedEntry: (id) => `INC-${id} se separó de este reporte.`,
  unmerge: (id) => `Deshacer la unión de INC-${id}`,
  unmergeHint: (minutes) => `Puede deshacerlo durante ${counted(minutes, 'minuto', 'minutos')} más.`,
  merge: 'Unir a otro reporte',
  mergeHint: `Quienes lo siguen pasan a seguir el otro reporte y reciben una notificación. Puede deshacerlo durante ${undoMinutes} minutos.`,
  targetId: '¿Qué reporte quiere conservar?',
  otherId: 'O escriba su número',
  find: 'Buscar por palabras o número',
  findSend: 'Buscar reportes',
  duplicates: 'Unir otros reportes a este',
  duplicatesHint: `Quienes los siguen pasan a seguir este reporte y reciben una notificación. Puede deshacerlo durante ${undoMinutes} minutos.`,
  duplicateIds: '¿Qué reportes son duplicados?',
  noCandidates: 'No se encontraron reportes parecidos.',
  candidate: (id, title, place, time, status) =>
    `INC-${id}: ${title} (${place ? `${place}, ` : ''}${time}; ${status})`,
  preview: 'Ver vista previa',
  previewTitle: (n) => `Unir ${counted(n, 'duplicado', 'duplicados')}`,
  survivor: '¿Qué reporte se conserva?',
  stays: (id, title, severity, time) => `INC-${id}: ${title} (${severity}, ${time})`,
  severityKept: 'Gravedad del reporte que se conserva',
  previewAgain: 'Ver vista previa de esta elección',
  into: (id, title) => `Con INC-${id}: ${title}`,
  goes: (id, title) => `INC-${id}: ${title}`,
  brings: (ids) => `con ${ids.map((id) => `INC-${id}`).join(', ')}`,
  effects: 'Qué ocurre',
  closes: (n, id) =>
    count(n, {
      one: `El duplicado se cerrará. INC-${id} mostrará sus comentarios y fotos.`,
      other: `Los duplicados se cerrarán. INC-${id} mostrará sus comentarios y fotos.`,
    }),
  newFollowers: (n, id) =>
    n === 0
      ? `INC-${id} no suma seguidores: todos lo siguen ya.`
      : `INC-${id} suma ${counted(n, 'seguidor', 'seguidores')}.`,
  becomesDowntime: (id) => `INC-${id} contará como fuera de servicio.`,
  confirmHint: `Avisaremos a quienes lo siguen. Puede deshacerlo durante ${undoMinutes} minutos.`,
  staysWord: (name, status) => `${name}: sigue «${status}».`,
  changesWord: (name, before, after) => `${name}: cambia de «${before}» a «${after}».`,
  uptime: (days, before, after) =>
    before === after
      ? `Disponibilidad en ${days} días: ${before}%, sin cambios.`
      : `Disponibilidad en ${days} días: ${before}% → ${after}%.`,
  send: (n) => count(n, { one: 'Unir reporte', many: `Unir ${n} de reportes`, other: `Unir ${n} reportes` }),
}
