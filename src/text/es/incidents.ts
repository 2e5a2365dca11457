import { undoMinutes } from '../../vocabulary/limits.js'
import type * as en from '../en/incidents.js'
import { kindInPlural } from '../equipmentKinds.js'
import { count, counted, el, on } from './counted.js'

/** The office's reasons for a wait; a reason in its own words is shown unchanged. */
const reasons: typeof en.faultState.reasons = {
  waiting_for_parts: 'En espera de repuestos',
  engineer_coming: 'El técnico está en camino',
  being_repaired: 'Reparación en curso',
  watching: 'Reparado, en observación',
}

/** The list of reports. */
export const incidents: typeof en.incidents = {
  title: 'Reportes',
  status: 'Estado',
  severity: 'Gravedad',
  place: 'Dónde',
  anyStatus: 'Cualquier estado',
  anySeverity: 'Cualquier gravedad',
  anyPlace: 'Cualquier lugar',
  includeMerged: 'Mostrar duplicados unidos',
  clear: 'Quitar filtros',
  none: 'No hay reportes que coincidan.',
  noneHint: 'Pruebe con menos filtros o con otra palabra.',
  noneYet: 'Todavía no hay reportes.',
  older: 'Reportes anteriores',
  search: 'Buscar reportes',
  searchHint: 'Palabras, o un número como INC-12',
  words: (words: string) => `Palabras: ${words}`,
  more: 'Filtros y orden',
  tower: 'Torre',
  anyTower: 'Cualquier torre',
  flat: 'Vivienda',
  anyFlat: 'Cualquier vivienda',
  openOnly: 'Solo abiertos',
  from: 'Reportado desde',
  to: 'Reportado hasta',
  reporter: 'Reportado por',
  reporterHint: 'Nombre o correo. Solo lo ve el personal.',
  anybody: 'Cualquier persona',
  order: 'Ordenar por',
  orders: {
    newest: 'Más recientes primero',
    oldest: 'Más antiguos primero',
    activity: 'Actualizados recientemente',
    severity: 'Más graves primero',
    due: 'Vencen antes',
  },
  chosen: 'Filtros en uso',
  removeFilter: (filter: string) => `Quitar filtro: ${filter}`,
  found: (n: number, more: boolean) => (more ? `Se muestran ${n}` : counted(n, 'reporte', 'reportes')),
  exactly: (id: number, title: string) => `Ir a INC-${id}: ${title}`,
  all: 'Todos los reportes',
  next: 'Más reportes',
  untriaged: 'Falta el lugar',
  breached: 'Respuesta tardía',
  downtime: 'Fuera de servicio',
  reportedBy: (name: string) => `Reportado por ${name}`,
}

/** A report's page. */
export const incident: typeof en.incident = {
  /** Beside the address of an email's sender, for staff. */
  sender: {
    proven: 'remitente verificado',
    notProven: 'remitente sin verificar',
    claims: (name: string) => `dice ser de ${name}, sin verificar`,
  },
  severity: 'Gravedad',
  status: 'Estado',
  progress: 'Progreso',
  done: 'hecho',
  photos: 'Fotos',
  photo: (i: number, n: number) => `Foto ${i} de ${n}`,
  photoOf: (title: string) => `Foto: ${title}`,
  previousPhoto: 'Foto anterior',
  nextPhoto: 'Foto siguiente',
  backToReport: 'Volver al reporte',
  timeline: 'Novedades',
  noUpdates: 'Todavía no hay novedades.',
  changed: (status: string) => `Estado: ${status}`,
  from: (id: number) => `de INC-${id}`,
  openedDuplicate: 'Reportó el mismo problema:',
  changedThere: (status: string) => `Estado en ese momento: ${status}`,
  newestOf: (newest: number, total: number, isCut: boolean) =>
    isCut
      ? `Se muestran las ${newest} novedades más recientes de más de ${total}.`
      : `Se muestran las ${newest} novedades más recientes de ${total}.`,
  showAll: 'Ver todas las novedades',
  older: 'Ver novedades anteriores',
  newest: 'Volver a lo más reciente',
  addUpdate: 'Agregar un comentario',
  body: 'Comentario',
  bodyHint: 'Es público. No incluya nombres, teléfonos ni códigos de puertas.',
  newStatus: 'Nuevo estado',
  keepStatus: 'Sin cambios',
  addPhotos: 'Fotos',
  send: 'Publicar comentario',
  signIn: 'Iniciar sesión para comentar',
  commentAs: (name: string) => `Su comentario muestra su nombre: ${name}.`,
  commentHidden: (name: string) => `Los demás residentes ven «${name}» en lugar de su nombre.`,
  draft: {
    notPosted: 'Su comentario todavía no se publicó.',
    whole: 'Inició sesión otra vez.',
    withoutPhotos: 'Inició sesión otra vez. Agregue las fotos de nuevo.',
  },
  received: 'Recibimos su reporte.',
  expect: (deadline: string) => `La administración procura responder a más tardar ${deadline}.`,
  expectIt: (deadline: string) => `Procura responder a más tardar ${deadline}.`,
  overdue: 'La respuesta está atrasada.',
  breached: 'La administración respondió tarde.',
  about: 'Sobre este reporte',
  description: 'Descripción',
  downtime: 'Fuera de servicio',
  verdict: {
    fixed: 'Está arreglado.',
    notFixed: 'Todavía no está arreglado.',
    undone: 'Se retiró la confirmación. ¿Está arreglado?',
  },
  confirmedBy: (who: string, time: string) => `${who} confirmó el arreglo ${on(time)}.`,
  confirmedByYou: (time: string) => `Usted confirmó el arreglo ${on(time)}.`,
  resident: 'Un residente',
  youReported: 'Usted reportó esto',
  othersSee: (name: string) => `Los demás residentes ven «${name}», también en sus comentarios.`,
  verifyTitle: '¿Está arreglado?',
  yes: 'Sí, está arreglado',
  no: 'No, no está arreglado',
  stillWrong: '¿Qué sigue fallando? (opcional)',
  sayWhatIsWrong: '¿Qué sigue fallando?',
  sayNo: 'Decir que no está arreglado',
  backToQuestion: 'Volver',
  undoHint: `Confirmado como arreglado. Si fue un error, puede deshacerlo durante ${undoMinutes} minutos.`,
  undoConfirmation: 'Deshacer la confirmación',
  follow: 'Seguir este reporte',
  followHint: 'Recibir un correo cuando algo cambie.',
  unfollow: 'Dejar de seguir este reporte',
  followingNow: 'Usted sigue este reporte.',
  office: 'Solo para el personal',
  edit: 'Editar reporte',
  title: 'Título',
  asset: 'Equipo',
  unit: 'Vivienda',
  nowhere: 'Ninguno',
  isDowntime: '¿Está fuera de servicio?',
  yesDowntime: 'Sí',
  noDowntime: 'No',
  downtimeStart: 'Fuera de servicio desde',
  downtimeStartHint: (zone: string) => `Déjelo en blanco para usar la hora en que se reportó. ${zone}.`,
  downtimeEnd: 'Fuera de servicio hasta',
  downtimeEndHint: (zone: string) =>
    `Déjelo en blanco para usar la hora en que se marcó como arreglado. ${zone}.`,
  retroactive: 'Aplicar la gravedad desde el principio',
  retroactiveHint: 'De lo contrario, se aplica a partir de ahora.',
  note: 'Nota del personal',
  noteOnly: 'Solo nota del personal',
  notSet: 'Sin definir',
  notePublish: 'Publicar esta respuesta',
  previewEdit: 'Ver cambios antes de guardar',
  consequence: 'Si guarda esto:',
  consequencePast: 'Esto cambia la disponibilidad pasada. Guárdelo otra vez para confirmar.',
  uptimeChanges: (days: number, before: string, after: string) =>
    before === after
      ? `disponibilidad en ${days} días: ${before}%, sin cambios`
      : `disponibilidad en ${days} días: ${before}% → ${after}%`,
  statusStays: (status: string) => `El estado actual sigue siendo «${status}».`,
  statusChanges: (before: string, after: string) => `El estado actual cambia de «${before}» a «${after}».`,
}

/**
 * What residents read about a fault: whether it works, what the office says, when it is expected
 * back.
 */
export const faultState: typeof en.faultState = {
  reasons,
  reason: (reason: string): string =>
    Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : reason,
  affected: (n: number) => counted(n, 'persona afectada', 'personas afectadas'),
  answer: {
    operational: () => 'Funciona.',
    maintenance: (_since: string, until: string) =>
      `Cerrado por mantenimiento programado hasta ${el(until)}.`,
    degraded: (since: string) => `Funciona en parte desde ${el(since)}.`,
    down: (since: string) => `Fuera de servicio desde ${el(since)}.`,
  },
  doing: 'Última novedad',
  officeSays: (time: string) => `Mensaje de la administración (${time}):`,
  nothingSaid: 'La administración todavía no informó novedades.',
  toIncident: (id: number) => `Ver el reporte completo (INC-${id})`,
  alternatives: (category: string, tower: string, working: number, total: number) =>
    `${kindInPlural(category)} en ${tower}: ${working} de ${total} en funcionamiento`,
  expected: (time: string) => `Se espera que funcione: ${time}`,
  late: (time: string) =>
    `Se esperaba que funcionara ${on(time)}. La administración todavía no dio una nueva fecha.`,
}

/** What the office hides, and what people read in its place (decision 7.14). */
export const protection: typeof en.protection = {
  hidden: 'Oculto por la administración',
  hiddenText: 'La administración ocultó este texto.',
  hiddenPhotos: (n: number) =>
    count(n, {
      one: 'La administración ocultó 1 foto.',
      many: `La administración ocultó ${n} de fotos.`,
      other: `La administración ocultó ${n} fotos.`,
    }),
  onlyStaff: 'Oculto: solo lo ve el personal.',
  menu: (what: string) => `Más: ${what}`,
  hideDescription: 'Ocultar descripción',
  hideText: 'Ocultar título y descripción',
  hideTitle: 'Ocultar título',
  hideEntry: (name: string) => `Ocultar el comentario de ${name}`,
  hidePhoto: (n: number) => `Ocultar foto ${n}`,
  restoreText: 'Mostrar título y descripción',
  restoreEntry: (name: string) => `Mostrar el comentario de ${name}`,
  restorePhoto: (n: number) => `Mostrar foto ${n}`,
  notAReport: 'No es un reporte',
  dismissTitle: '¿No es un reporte válido?',
  dismissHint:
    'Para correo basura, pruebas y lo que no tenga que ver con el edificio. El reporte se cierra, se oculta a los residentes y no afecta la disponibilidad. Avisaremos a quien lo envió. Puede deshacerlo.',
  dismiss: 'Cerrar por no ser un reporte',
  reinstate: 'Reabrir como reporte',
  dismissed: 'La administración cerró esto: no se trata del edificio.',
  dismissedEntry:
    'Gracias por escribir. La administración cerró esto porque no se trata del edificio. Si es un error, por favor coméntelo aquí.',
  reinstatedEntry: 'La administración reabrió este reporte.',
  nameHidden: '(oculto para los residentes)',
  unitVisibility: {
    everybody: 'Cualquier persona',
    signed_in: 'Residentes con sesión iniciada',
    staff: 'Solo el personal',
  },
  emailVisibility: { at_once: 'De inmediato', when_sorted: 'Cuando la administración lo apruebe' },
  unitSeenBy: {
    everybody: 'Cualquier persona puede ver el número de vivienda.',
    signed_in: 'Los residentes con sesión iniciada pueden ver el número de vivienda.',
    staff: 'Solo la administración puede ver el número de vivienda. Los demás ven la torre.',
  },
  unitTellsWho:
    'Si su reporte es sobre una vivienda, esto puede revelar su identidad aunque oculte su nombre.',
}

/** Repair costs. */
export const costs: typeof en.costs = {
  title: 'Costos de reparación',
  none: 'Todavía no hay costos.',
  add: 'Agregar un costo',
  send: 'Agregar costo',
  void: 'Quitar del total',
  voidThis: (amount: string) => `Quitar el costo de ${amount} del total`,
  voided: (name: string | null, date: string) => `Quitado por ${name}, ${date}`,
  sum: (amount: string) => `En total: ${amount}`,
  ofDuplicate: (id: number) => `Registrado en INC-${id}`,
  amountIn: (currency: string) => `Monto en ${currency}`,
  fields: {
    amount: 'Monto',
    incurredOn: 'Fecha',
    vendor: 'Pagado a',
    invoiceRef: 'Número de factura',
    costNote: 'Nota',
    enteredBy: 'Registrado por',
    act: 'Acción',
  },
  hints: { amount: (example: string) => `Por ejemplo, ${example}` },
}

/** What is wrong with a field of an incident that the office fills in. */
export const incidentFieldProblems: typeof en.incidentFieldProblems = {
  downtime_not_boolean: 'El valor de «fuera de servicio» debe ser true o false',
  downtime_needs_asset: 'Solo un equipo puede estar fuera de servicio, no una vivienda',
  downtimeStart_unknown: 'Escriba una fecha y hora',
  downtimeStart_future: 'El inicio debe estar en el pasado',
  downtimeStart_after_end: 'El inicio debe ser anterior al momento en que se marcó como arreglado',
  downtimeEnd_unknown: 'Escriba una fecha y hora',
  downtimeEnd_unresolved: 'Márquelo como arreglado antes de indicar el final',
  downtimeEnd_future: 'El final debe estar en el pasado',
  downtimeEnd_before_start: 'El final debe ser posterior al inicio',
  retroactive_not_boolean: 'El valor de retroactive debe ser true o false',
  expectedBack_unknown: 'Escriba una fecha y hora',
  expectedBack_required: 'Escriba una fecha y hora',
  expectedBack_past: 'La vuelta prevista debe estar en el futuro',
  expectedBack_resolved: 'Esto ya está arreglado: no puede tener una vuelta prevista',
  statusReason_required: 'Escriba el motivo en pocas palabras',
  statusReason_too_long: 'El motivo puede tener hasta 200 caracteres',
}

/** What a page says at its top after a report was sent or changed. */
export const incidentNotices: typeof en.incidentNotices = {
  reported: 'Reporte enviado. Avisamos a la administración del edificio.',
  reportGone:
    'Su reporte no se envió: guardamos los reportes sin enviar durante 1 hora. Por favor, reporte el problema otra vez.',
  updated: 'Novedad publicada. Avisaremos por correo a quienes lo siguen.',
  commented: 'Comentario publicado. Avisaremos por correo a quienes lo siguen.',
  merged: 'Ese reporte se unió a este.',
  verified: 'Gracias. El reporte está cerrado.',
  reopened: 'Gracias. Avisamos a la administración de que no está arreglado.',
  confirmationUndone: 'Confirmación deshecha. El reporte espera una respuesta otra vez.',
  mergedNow: 'El duplicado se unió a este reporte.',
  confirmed: 'Marcado como visto. Avisaremos a quienes lo reportaron.',
  unmerged: 'Unión deshecha. Este es de nuevo un reporte aparte.',
  hidden: 'Oculto para los residentes. El personal todavía lo ve.',
  shownAgain: 'Los residentes pueden verlo otra vez.',
  dismissed: 'Cerrado por no ser un reporte. Avisaremos a quien lo envió.',
  reinstated: 'Reabierto como reporte.',
  edited: 'Cambios guardados.',
  someDone: 'Listo, salvo los que ya había atendido un colega.',
  noneDone: 'No cambió nada. Un colega ya se había ocupado de esto.',
  noted: 'Nota agregada. Solo la ve el personal.',
  costAdded: 'Costo agregado.',
  costVoided: 'Costo quitado del total.',
  costRestored: 'El costo cuenta otra vez en el total.',
}

/** Problems of what is not a report. */
export const incidentProblems: typeof en.incidentProblems = {
  dismiss_has_duplicates: {
    title: 'Este reporte tiene duplicados',
    detail:
      'Hay reportes unidos a este. Deshaga primero esas uniones, o cierre este reporte con un resultado.',
  },
  incident_dismissed: {
    title: 'Se cerró por no ser un reporte',
    detail: 'Reábralo primero como reporte.',
  },
}
