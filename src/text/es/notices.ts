import type {
  notices as en,
  guestProblems as enGuestProblems,
  guests as enGuests,
  signUp as enSignUp,
} from '../en/notices.js'
import { count } from './counted.js'

/** What a page says after an action, by the key in its address. */
export const notices: typeof en = {
  reported: 'Gracias. El aviso ha llegado y se ha informado a la administración.',
  reportGone: 'Su aviso no se envió: se guardaba durante una hora. Por favor, avise de nuevo.',
  resumed:
    'La sesión se ha iniciado otra vez. Lo que escribió sigue aquí y todavía no se ha enviado: pulse el botón.',
  resumedWithoutPhotos:
    'La sesión se ha iniciado otra vez. Lo que escribió sigue aquí y todavía no se ha enviado. Si había elegido fotos, elíjalas de nuevo y pulse el botón.',
  updated: 'Se ha añadido a la incidencia.',
  merged: 'El aviso que buscaba se unió a esta incidencia.',
  signedOut: 'La sesión está cerrada.',
  verified: 'Gracias. Está arreglado y se ha cerrado.',
  reopened: 'Gracias. Se ha avisado a la administración de que no está arreglado.',
  mergedNow: 'El duplicado se ha unido a esta incidencia.',
  confirmed: 'Confirmado: la administración lo ha visto. Se avisa a quienes lo comunicaron.',
  unmerged: 'Se ha deshecho la unión. Vuelve a ser una incidencia aparte.',
  hidden: 'Está oculto: ahora solo lo ve la administración.',
  shownAgain: 'Todo el mundo puede verlo de nuevo.',
  dismissed: 'Está cerrada porque no es un aviso. Se ha informado a quien la escribió.',
  reinstated: 'Vuelve a ser un aviso, como antes.',
  erased: 'Su cuenta está borrada.',
  erasedOne: 'La persona está borrada. Lo que avisó se queda, sin su nombre.',
  following: 'Desde ahora está siguiendo esta incidencia y recibirá sus novedades.',
  unfollowed: 'Ha dejado de seguir esta incidencia.',
  edited: 'El cambio se ha guardado.',
  done: 'Hecho.',
  someDone: 'Hecho, salvo lo que otra persona había resuelto entretanto.',
  nothingNew: 'No se ha tomado nada de lo que solo cita un correo anterior: no dice nada nuevo.',
  noted: 'La nota se ha añadido. Solo la administración puede leerla.',
  added: 'Se ha añadido.',
  saved: 'El cambio se ha guardado.',
  deleted: 'Se ha eliminado.',
  moved: 'Se ha movido.',
  skipped: 'Esa fecha se ha suprimido.',
  restored: 'Esa fecha vuelve a estar como estaba prevista.',
  ended: 'Ha terminado. Lo que ya empezó se queda en el historial.',
  retried: 'Se está intentando otra vez.',
  invited: 'El correo está en camino.',
  startDismissed: 'Ya no se recordarán los primeros pasos.',
  allInvited: 'Las invitaciones están en camino.',
  signedOutEverywhere: 'Se han cerrado todas las sesiones.',
  othersSignedOut: 'Se han cerrado las demás sesiones.',
  identityLinked: 'Su cuenta está vinculada. A partir de ahora puede entrar de esa manera.',
  identityUnlinked: 'Se ha quitado el vínculo. Se ha cerrado su sesión en todos los demás sitios.',
  secondFactorOff: 'Su segundo factor está desactivado.',
  linksRemoved: 'Se ha quitado el vínculo con el inicio de sesión único.',
  secondFactorReset: 'Se ha quitado el segundo factor.',
  sessionEnded: 'Esa sesión se ha cerrado.',
  browserRemoved: 'Ese navegador ya no recibe avisos.',
  welcome: 'Hola. La contraseña está guardada y la sesión, iniciada.',
  passwordChanged: 'La contraseña ha cambiado. Se han cerrado las demás sesiones.',
  linkSent: 'Si hay una cuenta con esa dirección, recibirá un enlace por correo. Sirve durante una hora.',
  followLinkSent:
    'Si la dirección es correcta, un enlace va de camino. Al pulsar el botón que hay tras el enlace en un plazo de 24 horas empiezan los correos.',
  followingMails: 'A partir de ahora llegarán estos correos.',
  unfollowedMails: 'Ya no llegarán estos correos.',
  switched: 'El cambio está hecho.',
  costAdded: 'El coste se ha añadido.',
  costVoided: 'El coste se ha anulado y ya no cuenta.',
  assetArchived: 'Esto ya no está en uso. Aquí están los avisos que hubo.',
  archived: 'Se ha archivado.',
  unarchived: 'Vuelve a estar en uso.',
}

/** What people without a session see: reporting, the link that signs in by mail, and the answer by mail. */
export const guests: typeof enGuests = {
  kept: 'Su aviso se guarda durante una hora, con sus fotos. Diga quién es y se envía enseguida.',
  sendAs: 'Al enviarlo dirá quién es. Puede iniciar sesión con una contraseña o con un enlace por correo.',
  noAccount: '¿Todavía no tiene cuenta? La administración se la crea.',
  noAccountCall: (phone: string) => `¿Todavía no tiene cuenta? Pregunte en la administración: ${phone}`,
  link: {
    title: 'Sin contraseña',
    hint: 'Enviamos un enlace a la dirección de su cuenta. Inicia la sesión una sola vez, en este navegador.',
    send: 'Enviarme un enlace',
    sentTitle: 'Mire su correo',
    sent: 'Si esta dirección tiene cuenta, le llegará un enlace. Sirve durante 15 minutos.',
    here: 'Ábralo en este dispositivo y en este navegador. En otro no inicia ninguna sesión.',
    nothing: '¿No ha llegado nada? Mire en el correo no deseado o pida otro enlace.',
    again: 'Pedir otro enlace',
    openTitle: 'Iniciar sesión',
    open: (name: string) => `Este enlace es para ${name}.`,
    button: 'Iniciar sesión',
  },
  fixed: {
    title: '¿Está arreglado?',
    resolved: (time: string) => `La administración dice desde el ${time} que está hecho.`,
    notYet: 'Abrir esta página no dice nada. Elija una de las dos respuestas.',
    answered: {
      title: 'Ya hay una respuesta',
      fixed: 'Se ha confirmado que está arreglado. Si vuelve a fallar, envíe otro aviso.',
      notFixed: 'Alguien ha dicho que no está arreglado, o la administración se ocupa de nuevo.',
      earlier:
        'Este enlace preguntaba por una reparación anterior. Abra la incidencia para ver cómo está ahora.',
    },
    merged: (id: number) => `Este aviso se unió a INC-${id} y se sigue allí.`,
    open: (id: number) => `Abrir INC-${id}`,
    signIn: 'Inicie sesión para decir si está arreglado',
  },
  again: 'Vuelve a fallar',
  againText: (id: number) => `Vuelve a fallar, como en INC-${id}.`,
  place: {
    own: (name: string) => `Mi vivienda (${name})`,
    other: 'Otra vivienda',
  },
}

/** Where anybody may make an account (decision 7.15). */
export const signUp: typeof enSignUp = {
  by: { office: 'Solo la administración', anybody: 'Cualquiera con una dirección confirmada' },
  hint: 'Enviamos un enlace a su dirección. Inicia la sesión una sola vez, en este navegador. Si todavía no tiene cuenta, el enlace permite crearla.',
  sent: 'Si la dirección es suya, le llegará un enlace. Sirve durante 15 minutos.',
  noAccount: '¿Todavía no tiene cuenta? Pida un enlace.',
  title: 'Crear una cuenta',
  lead: (address: string, house: string) =>
    `En ${house} todavía no hay ninguna cuenta con ${address}. Diga cómo quiere llamarse: los demás lo leen junto a sus avisos, salvo que lo oculte.`,
  name: 'Su nombre',
  send: 'Crear la cuenta e iniciar sesión',
}

/** What went wrong with these links and reports. */
export const guestProblems: typeof enGuestProblems = {
  dismiss_has_duplicates: {
    title: 'Otras personas avisaron de lo mismo',
    detail: 'Hay duplicados unidos a esta incidencia. Deshaga antes esas uniones o ciérrela con un motivo.',
  },
  incident_dismissed: {
    title: 'Está cerrada porque no es un aviso',
    detail: 'Vuelva a convertirla antes en aviso, en su página.',
  },
  sign_in_link_over: {
    title: 'Este enlace ya no funciona',
    detail: 'Ya se usó o tiene más de 15 minutos. Pida otro en la página para iniciar sesión.',
  },
  sign_in_link_elsewhere: {
    title: 'Abra este enlace donde lo pidió',
    detail:
      'Por seguridad solo inicia sesión en el dispositivo y el navegador en que se pidió. Ábralo allí: no se ha gastado. O pida otro aquí.',
  },
  answer_link_over: {
    title: 'Este enlace ya no funciona',
    detail: 'No está completo o tiene más de 30 días. Abra la incidencia en su lugar.',
  },
  follow_link_over: {
    title: 'Este enlace ya no funciona',
    detail: 'No está completo o tiene más de 24 horas. Pida uno nuevo.',
  },
  unsubscribe_link_over: {
    title: 'Este enlace no detiene ningún correo',
    detail:
      'No está completo, o aquí ya no se sabe nada de quien lo recibió: entonces no llegan correos. Abra la dirección entera del final del correo o elija sus correos en la página de su cuenta.',
  },
  guest_reports_full: {
    title: 'Demasiados avisos esperan a que alguien inicie sesión',
    detail:
      'No se ha perdido nada: lo que ha escrito está abajo. Inicie sesión antes en otra pestaña o vuelva a intentarlo en una hora.',
  },
}

/** Lo que la administración retira, y lo que se lee en su lugar. */
export const protection = {
  hidden: 'Oculto por la administración',
  hiddenText: 'La administración ha ocultado este texto.',
  hiddenPhotos: (n: number) =>
    count(n, {
      one: 'La administración ha ocultado 1 foto.',
      many: `La administración ha ocultado ${n} de fotos.`,
      other: `La administración ha ocultado ${n} fotos.`,
    }),
  onlyStaff: 'Oculto: solo lo ve la administración.',
  hide: 'Ocultar',
  hideText: 'Ocultar el título y la descripción',
  hideEntry: (name: string) => `Ocultar lo que escribió ${name}`,
  hidePhoto: (n: number) => `Ocultar la foto ${n}`,
  hideHint: 'Los demás leerán entonces que se ha ocultado. Los correos ya enviados no se pueden recuperar.',
  restore: 'Mostrar de nuevo',
  restoreText: 'Mostrar de nuevo el título y la descripción',
  restoreEntry: (name: string) => `Mostrar de nuevo lo que escribió ${name}`,
  restorePhoto: (n: number) => `Mostrar de nuevo la foto ${n}`,
  notAReport: 'No es un aviso',
  dismissTitle: '¿No es un aviso?',
  dismissHint:
    'Para publicidad, pruebas y lo que no tiene que ver con el edificio. Se cierra, los residentes no la encuentran en ninguna lista y no cuenta para la instalación. Se informa a quien la escribió. Se puede deshacer aquí.',
  dismiss: 'No es un aviso',
  reinstate: 'Sí es un aviso',
  dismissed: 'La administración lo ha mirado y lo ha cerrado: no trata de algo del edificio.',
  dismissedEntry:
    'Gracias por escribir. La administración lo ha cerrado porque no es un aviso sobre el edificio. Si es un error, dígalo aquí.',
  reinstatedEntry: 'La administración lo ha vuelto a abrir: sí es un aviso.',
  nameHidden: '(oculto para los residentes)',
  unitVisibility: {
    everybody: 'Todo el mundo',
    signed_in: 'Quien ha iniciado sesión',
    staff: 'Solo la administración',
  },
  mailVisibility: { at_once: 'Enseguida', when_sorted: 'Cuando la administración lo ha clasificado' },
  unitSeenBy: {
    everybody: 'Cualquiera en internet puede leer de qué vivienda se trata.',
    signed_in: 'Solo quien ha iniciado sesión puede leer de qué vivienda se trata.',
    staff: 'Solo la administración puede leer de qué vivienda se trata. Los demás leen la torre.',
  },
  unitTellsWho: 'Si se trata de una vivienda, esta puede decir quién es usted aunque su nombre esté oculto.',
}
