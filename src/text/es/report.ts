import { limits } from '../../vocabulary/limits.js'
import type * as en from '../en/report.js'
import { count, counted, on } from './counted.js'

/** The form of a report. */
export const report: typeof en.report = {
  title: 'Reportar un problema',
  intro: 'Cualquier persona puede leer los reportes.',
  what: '¿Qué está averiado?',
  chooseAsset: 'Seleccione qué está averiado',
  flats: (tower: string) => `Viviendas de ${tower}`,
  titleField: '¿Qué pasa?',
  titleHint: 'Por ejemplo: se detiene entre dos pisos',
  description: 'Más detalles (opcional)',
  descriptionHint: 'Cuándo empezó, con qué frecuencia ocurre',
  severity: '¿Qué tan grave es? (opcional)',
  more: 'Agregar detalles u ocultar mi nombre (opcional)',
  change: 'Cambiar',
  photos: 'Fotos',
  photosHint: `Hasta ${limits.photosPerPost} fotos (opcional)`,
  staged: (n: number) => counted(n, 'foto ya adjunta', 'fotos ya adjuntas'),
  removePhoto: (n: number) => `Quitar foto ${n}`,
  anonymous: 'Ocultar mi nombre a los demás residentes',
  anonymousHint: 'Cualquier persona puede leer su reporte. Solo la administración ve su nombre.',
  send: 'Enviar reporte',
  suggest: {
    title: '¿No sabe qué elegir?',
    hint: 'Podemos sugerir respuestas con IA. Solo ve su texto, no su nombre ni sus fotos.',
    ask: 'Pedir una sugerencia',
    nothing: 'No hay sugerencias. Elija lo más adecuado.',
    asset: (name: string) => `Parece tratarse de: ${name}.`,
    useAsset: (name: string) => `Elegir «${name}»`,
    severity: (name: string) => `Gravedad sugerida: ${name}.`,
    useSeverity: (name: string) => `Elegir «${name}»`,
    duplicate: 'Es posible que ya esté reportado:',
    chosen: 'Ya lo eligió.',
  },
}

/** Open reports of the same place, before another one is sent. */
export const openReports: typeof en.openReports = {
  title: (n: number) => count(n, { one: '¿Es el mismo problema?', other: '¿Es uno de estos problemas?' }),
  hint: 'Si a usted también le pasa, le escribiremos por correo cuando esté arreglado.',
  none: 'No hay reportes abiertos sobre esto.',
  join: 'A mí también me pasa',
  joinNamed: (title: string) => `A mí también me pasa: ${title}`,
  followNamed: (title: string) => `Seguir este reporte: ${title}`,
  following: 'Usted sigue este reporte.',
  reported: (time: string) => `reportado ${on(time)}`,
  others: (n: number) => count(n, { one: 'Otro reporte', other: `Otros ${n} reportes` }),
  more: 'Todos los reportes sobre esto',
  summary: (name: string, status: string, n: number) =>
    `${name}: ${status}. ${counted(n, 'reporte abierto', 'reportes abiertos')}.`,
  other: 'Reportar otra cosa',
}

/** Photos that are sent while a report is written. */
export const photos: typeof en.photos = {
  take: 'Tomar una foto',
  choose: 'Elegir fotos',
  remove: 'Quitar foto',
  sending: 'Enviando sus fotos',
  sent: 'Fotos enviadas.',
}

/** After a report was sent. */
export const reportSent: typeof en.reportSent = {
  title: 'Reporte enviado',
  reference: 'Referencia',
  next: 'Qué pasa ahora',
  target: (deadline: string) =>
    `Avisamos a la administración del edificio. Procura responder a más tardar ${deadline}.`,
  late: 'La administración del edificio no respondió a tiempo.',
  now: (status: string) => `Estado actual: ${status}.`,
  follow: 'Le escribiremos por correo cuando algo cambie.',
  noFollow: 'No recibirá correos sobre esto.',
  here: (name: string) => `Reportar otro problema con ${name}`,
  another: 'Reportar otro problema',
  status: 'Volver al estado del edificio',
}

/** The reports someone sent or follows. */
export const myReports: typeof en.myReports = {
  title: 'Mis reportes',
  intro: 'Los reportes que usted hizo o sigue, del más reciente al más antiguo.',
  none: 'Todavía no hizo ni sigue ningún reporte.',
  reported: 'Usted reportó esto.',
  hidden: 'Usted reportó esto. Los demás residentes no ven su nombre.',
  followed: 'Usted sigue esto.',
  notFollowing: 'Usted no sigue esto.',
  verify: 'La administración dice que está arreglado. ¿Funciona?',
}

/** Reports, comments and answers that a phone keeps until they can be sent. */
export const waitingPage: typeof en.waitingPage = {
  title: 'Todavía sin enviar',
  intro:
    'Si no hay conexión, guardamos hasta 5 reportes, comentarios y respuestas en este teléfono durante una semana. Enviaremos los reportes y comentarios cuando haya conexión y usted haya iniciado sesión. Si al escribir no había iniciado sesión, o abrió la página sin conexión, inicie sesión y presione «Enviar ahora». Las respuestas a «¿Está arreglado?» esperan hasta que presione «Intentar otra vez».',
  none: 'Todo está enviado.',
  written: (time: string) => `Escrito: ${time}.`,
  photos: (n: string) => `Fotos: ${n}.`,
  sendAs: (name: string) => `Enviar ahora como ${name}`,
  kinds: {
    report: {
      saved: 'Guardamos su reporte en este teléfono. Todavía no se envió.',
      sent: 'Reporte enviado.',
      discard: 'Eliminar reporte',
      discardNow: 'Sí, eliminar este reporte',
      news: {
        sent: 'Enviamos un reporte que estaba guardado en este teléfono.',
        refused: 'No pudimos aceptar un reporte que está guardado en este teléfono.',
        waiting: 'Tiene un reporte sin enviar en este teléfono.',
      },
    },
    comment: {
      on: 'Comentario sobre …',
      saved: 'Guardamos su comentario en este teléfono. Todavía no se envió.',
      sent: 'Comentario enviado.',
      discard: 'Eliminar comentario',
      discardNow: 'Sí, eliminar este comentario',
      news: {
        sent: 'Enviamos un comentario que estaba guardado en este teléfono.',
        refused: 'No pudimos aceptar un comentario que está guardado en este teléfono.',
        waiting: 'Tiene un comentario sin enviar en este teléfono.',
      },
    },
    follow: {
      on: '«A mí también me pasa» en …',
      saved: 'Guardamos «A mí también me pasa» en este teléfono. Todavía no se envió.',
      sent: '«A mí también me pasa» enviado.',
      discard: 'Eliminar «A mí también me pasa»',
      discardNow: 'Sí, eliminar «A mí también me pasa»',
      news: {
        sent: 'Enviamos «A mí también me pasa», que estaba guardado en este teléfono.',
        refused: 'No pudimos aceptar «A mí también me pasa», que está guardado en este teléfono.',
        waiting: 'En este teléfono, «A mí también me pasa» todavía no se envió.',
      },
    },
    answer: {
      on: '¿Está arreglado? Su respuesta sobre …',
      saved: 'Guardamos su respuesta en este teléfono. No se enviará hasta que presione «Intentar otra vez».',
      sent: 'Respuesta enviada.',
      discard: 'Eliminar respuesta',
      discardNow: 'Sí, eliminar esta respuesta',
      news: {
        sent: 'Enviamos una respuesta que estaba guardada en este teléfono.',
        refused: 'No pudimos aceptar una respuesta que está guardada en este teléfono.',
        waiting: 'Tiene una respuesta sin enviar en este teléfono.',
      },
    },
  },
  words: {
    untitled: 'Reporte sin título',
    automatic: 'Todavía no se envió. Lo enviaremos cuando haya conexión y usted haya iniciado sesión.',
    byHand: 'Todavía no se envió. Presione «Enviar ahora» cuando tenga conexión.',
    late: 'Es posible que ya se haya enviado. Consulte «Mis reportes» antes de presionar «Enviar ahora».',
    lateOnReport: 'Es posible que ya se haya enviado. Consulte el reporte antes de presionar «Enviar ahora».',
    signIn: 'Todavía no se envió. Inicie sesión y lo enviaremos.',
    signInNow: 'Iniciar sesión para enviar',
    signInFirst: 'Todavía no se envió. Inicie sesión y luego presione «Intentar otra vez».',
    byWriter:
      'Todavía no se envió. Consulte primero el reporte, porque puede haber cambiado. Luego presione «Intentar otra vez».',
    tryAgain: 'Intentar otra vez',
    other: 'Todavía no se envió. Otra persona inició sesión: solo quien lo escribió puede enviarlo.',
    refused: 'No pudimos aceptarlo. Presione «Enviar ahora» para ver por qué y corregirlo.',
    shown: 'No pudimos aceptarlo. Si ya lo envió de otra forma, elimínelo.',
    look: 'Ver reporte',
    lookWaiting: 'Ver qué falta enviar',
    send: 'Enviar ahora',
    notices: {
      offline: 'Sin conexión.',
      as: 'Todavía no se envió. Compruebe a nombre de quién se enviará y presione «Enviar ahora» otra vez.',
      room: 'En este teléfono no caben más reportes sin enviar. Envíe o elimine uno primero.',
      unkept:
        'No pudimos guardar su reporte: no hay espacio en este teléfono. Envíe o elimine un reporte sin enviar y recargue esta página. Su texto está abajo.',
      connection: 'Sigue sin conexión. Está guardado en este teléfono.',
      other: 'Otra persona inició sesión. Solo quien lo escribió puede enviarlo.',
      full: 'Sin conexión, y en este teléfono no cabe nada más. Su texto está abajo: recargue esta página cuando tenga conexión.',
      failed:
        'Sin conexión, y no pudimos guardarlo en este teléfono. Su texto está abajo: recargue esta página cuando tenga conexión.',
    },
  },
}

/** The form of a report while the phone is offline. */
export const offlineForm: typeof en.offlineForm = {
  intro:
    'No hay conexión, pero puede escribir su reporte. Lo guardaremos en este teléfono durante una semana. Cuando tenga conexión, presione «Enviar ahora» en la página «Todavía sin enviar».',
  keep: 'Guardar reporte en este teléfono',
}
