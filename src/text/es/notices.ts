import type {
  notices as en,
  guestProblems as enGuestProblems,
  guests as enGuests,
  signUp as enSignUp,
} from '../en/notices.js'
import { count } from './counted.js'

/** What a page says after an action, by the key in its address. */
export const notices: typeof en = {
  reported: 'Reporte enviado. Avisamos a la administración del edificio.',
  reportGone:
    'Su reporte no se envió: guardamos los reportes sin enviar durante 1 hora. Por favor, reporte el problema otra vez.',
  resumed: 'Inició sesión otra vez. Guardamos su texto: presione el botón para enviarlo.',
  resumedWithoutPhotos:
    'Inició sesión otra vez. Guardamos su texto. Agregue las fotos de nuevo y presione el botón para enviarlo.',
  updated: 'Novedad publicada. Avisaremos por correo a quienes lo siguen.',
  commented: 'Comentario publicado. Avisaremos por correo a quienes lo siguen.',
  merged: 'Ese reporte se combinó con este.',
  signedOut: 'Cerró la sesión.',
  verified: 'Gracias. El reporte está cerrado.',
  reopened: 'Gracias. Avisamos a la administración de que no está arreglado.',
  mergedNow: 'El duplicado se combinó con este reporte.',
  confirmed: 'Marcado como visto. Avisaremos a quienes lo reportaron.',
  unmerged: 'Combinación deshecha. Este es de nuevo un reporte aparte.',
  hidden: 'Oculto para los residentes. El personal todavía lo ve.',
  shownAgain: 'Los residentes pueden verlo otra vez.',
  dismissed: 'Cerrado por no ser un reporte. Avisaremos a quien lo envió.',
  reinstated: 'Reabierto como reporte.',
  erased: 'Su cuenta se eliminó.',
  erasedOne: 'Cuenta eliminada. Los reportes quedan, con el nombre «Persona eliminada».',
  following: 'Ahora sigue este reporte. Le escribiremos por correo sobre los cambios.',
  unfollowed: 'Dejó de seguir este reporte.',
  edited: 'Cambios guardados.',
  mailsAccepted: 'Movido a «Aceptados».',
  mailsDiscarded: 'Movido a «Descartados». Desde allí todavía puede aceptar los correos.',
  someDone: 'Listo, salvo los que ya había atendido un colega.',
  nothingNew: 'No se agregó nada: ese correo solo citaba uno anterior.',
  noted: 'Nota agregada. Solo la ve el personal.',
  added: (name?: string) => (name ? `Se agregó ${name}.` : 'Agregado.'),
  personAdded: (name?: string) =>
    name ? `Se agregó a ${name}. Le enviamos una invitación.` : 'Agregado. Enviamos una invitación.',
  workAdded: (name?: string) =>
    name ? `Se agregó ${name}. Los residentes ya pueden verlo.` : 'Agregado. Los residentes ya pueden verlo.',
  saved: 'Cambios guardados.',
  deleted: (name?: string) => (name ? `Se eliminó ${name}.` : 'Eliminado.'),
  alreadyDeleted: 'No cambió nada. Esto ya se eliminó.',
  undeleted: (name?: string) => (name ? `Se recuperó ${name}.` : 'Se deshizo la eliminación.'),
  alreadyBack: 'No cambió nada. La eliminación ya se deshizo.',
  moved: 'Orden cambiado.',
  dateMoved: 'Fecha movida.',
  skipped: 'Fecha omitida.',
  restored: 'Fecha restaurada.',
  ended: 'Serie terminada. Las fechas pasadas quedan en el historial.',
  retried: 'Lo estamos intentando de nuevo.',
  invited: 'Invitación enviada.',
  startDismissed: 'Pasos de configuración ocultos.',
  allInvited: 'Invitaciones enviadas.',
  signedOutEverywhere: 'Se cerraron todas las sesiones.',
  othersSignedOut: 'Se cerraron las demás sesiones.',
  identityLinked: 'Cuenta vinculada. Ahora puede iniciar sesión con ella.',
  identityUnlinked: 'Vínculo quitado. Se cerraron las demás sesiones.',
  secondFactorOff: 'La verificación en dos pasos está desactivada.',
  linksRemoved: 'Vínculo con el inicio de sesión único quitado.',
  secondFactorReset: 'Verificación en dos pasos restablecida.',
  sessionEnded: 'Se cerró la sesión de ese navegador.',
  browserRemoved: 'Notificaciones desactivadas en ese navegador.',
  welcome: 'Le damos la bienvenida. Guardamos su contraseña y ya inició sesión.',
  passwordChanged: 'Contraseña cambiada. Se cerraron las demás sesiones.',
  linkSent: 'Si esa dirección tiene una cuenta, enviamos un enlace por correo. Funciona durante 1 hora.',
  followLinkSent:
    'Le enviamos un enlace por correo. Ábralo en las próximas 24 horas para empezar a recibir novedades.',
  followingMails: 'Recibirá estas novedades por correo.',
  unfollowedMails: 'Ya no recibirá estas novedades por correo.',
  switched: 'Función opcional modificada.',
  costAdded: 'Costo agregado.',
  costVoided: 'Costo quitado del total.',
  costRestored: 'El costo cuenta otra vez en el total.',
  assetArchived: 'Esto ya no está en uso. Los reportes anteriores están abajo.',
  archived: (name?: string) => (name ? `${name}: archivado.` : 'Archivado.'),
  unarchived: (name?: string) => (name ? `${name}: en uso otra vez.` : 'Restaurado y en uso otra vez.'),
}

/** What people without a session see: reporting, the sign-in link and the answer by email. */
export const guests: typeof enGuests = {
  kept: 'Ya casi termina. Inicie sesión para enviar su reporte. Lo guardaremos durante 1 hora.',
  sendAs: 'Iniciará sesión al final.',
  noAccount: '¿No tiene cuenta? Pídala a la administración del edificio.',
  noAccountCall: (phone: string) => `¿No tiene cuenta? Llame a la administración del edificio: ${phone}`,
  link: {
    title: 'Iniciar sesión por correo',
    hint: 'Le enviaremos por correo un enlace que funciona una vez, en este navegador.',
    send: 'Enviarme un enlace',
    sentTitle: 'Revise su correo',
    sent: 'Si esa dirección tiene una cuenta, enviamos un enlace por correo. Funciona durante 15 minutos.',
    here: 'Ábralo en este dispositivo y en este navegador.',
    nothing: '¿No llegó nada? Revise el correo no deseado o pida otro enlace.',
    again: 'Pedir otro enlace',
    openTitle: 'Iniciar sesión',
    open: (name: string) => `Este enlace es para ${name}.`,
    button: 'Iniciar sesión',
  },
  fixed: {
    title: '¿Está arreglado?',
    resolved: (time: string) => `Marcado como arreglado por la administración: ${time}.`,
    notYet: 'Elija una opción.',
    answered: {
      title: 'Ya está respondido',
      fixed: 'El arreglo está confirmado. Si el problema vuelve, repórtelo otra vez.',
      notFixed: 'Alguien dijo que no está arreglado, o la administración lo está revisando otra vez.',
      earlier: 'Este enlace es de una reparación anterior. Abra el reporte para ver el estado actual.',
    },
    merged: (id: number) => `Este reporte se combinó con INC-${id}. Siga el avance allí.`,
    open: (id: number) => `Abrir INC-${id}`,
    signIn: 'Iniciar sesión para decir si está arreglado',
  },
  again: 'Falló otra vez',
  againText: (id: number) => `Falló otra vez, vea INC-${id}.`,
  place: {
    own: (name: string) => `Mi vivienda (${name})`,
  },
}

/** Where anyone may make an account (decision 7.15). */
export const signUp: typeof enSignUp = {
  by: {
    office: 'Solo la administración',
    anybody: 'Cualquier persona con un correo electrónico confirmado',
  },
  hint: 'Le enviaremos por correo un enlace que funciona una vez, en este navegador. Si todavía no tiene una cuenta, puede crearla con ese enlace.',
  sent: 'Si esta es su dirección, le enviamos un enlace por correo. Funciona durante 15 minutos.',
  noAccount: '¿No tiene cuenta? Pida un enlace para crearla.',
  title: 'Crear una cuenta',
  lead: (address: string, house: string) =>
    `Todavía no hay una cuenta para ${address} en ${house}. Su nombre se muestra con sus reportes, salvo que lo oculte.`,
  name: 'Su nombre',
  send: 'Crear cuenta',
}

/** What went wrong with these links and reports. */
export const guestProblems: typeof enGuestProblems = {
  dismiss_has_duplicates: {
    title: 'Este reporte tiene duplicados',
    detail:
      'Hay reportes combinados con este. Deshaga primero esas combinaciones, o cierre este reporte con un resultado.',
  },
  incident_dismissed: {
    title: 'Se cerró por no ser un reporte',
    detail: 'Reábralo primero como reporte.',
  },
  sign_in_link_over: {
    title: 'Este enlace venció',
    detail: 'Ya se usó o tiene más de 15 minutos. Pida otro en la página de inicio de sesión.',
  },
  sign_in_link_elsewhere: {
    title: 'Abra este enlace donde lo pidió',
    detail:
      'Por su seguridad, solo funciona en el mismo dispositivo y en el mismo navegador. Ábralo allí o pida otro enlace aquí.',
  },
  answer_link_over: {
    title: 'Este enlace venció',
    detail: 'Está incompleto o tiene más de 30 días. Abra el reporte.',
  },
  follow_link_over: {
    title: 'Este enlace venció',
    detail: 'Está incompleto o tiene más de 24 horas. Pida uno nuevo.',
  },
  unsubscribe_link_over: {
    title: 'Este enlace para cancelar la suscripción no funciona',
    detail:
      'Está incompleto o es demasiado antiguo. Use el enlace completo del correo o cambie las opciones en su cuenta.',
  },
}

/** What the office hides, and what people read in its place (decision 7.14). */
export const protection = {
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
  mailVisibility: { at_once: 'De inmediato', when_sorted: 'Cuando la administración lo apruebe' },
  unitSeenBy: {
    everybody: 'Cualquier persona puede ver el número de vivienda.',
    signed_in: 'Los residentes con sesión iniciada pueden ver el número de vivienda.',
    staff: 'Solo la administración puede ver el número de vivienda. Los demás ven la torre.',
  },
  unitTellsWho:
    'Si su reporte es sobre una vivienda, esto puede revelar su identidad aunque oculte su nombre.',
}
