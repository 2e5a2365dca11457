import { limits } from '../../vocabulary/limits.js'
import type * as en from '../en/report.js'
import { count, counted, del, on } from './counted.js'

/** The form of a report. */
export const report: typeof en.report = {
  title: 'Reportar un problema',
  intro: 'Los reportes son públicos.',
  what: '¿Qué se dañó?',
  chooseAsset: 'Seleccione qué se dañó',
  flats: (tower: string) => `Viviendas de ${tower}`,
  titleField: '¿Qué pasa?',
  titleHint: 'Por ejemplo: el ascensor izquierdo se detiene entre dos pisos',
  description: 'Más detalles (opcional)',
  descriptionHint: 'Cuándo empezó, con qué frecuencia ocurre',
  severity: '¿Qué tan grave es?',
  photos: 'Fotos',
  photosHint: `Hasta ${limits.photosPerPost} fotos (opcional)`,
  staged: (n: number) => counted(n, 'foto ya adjunta', 'fotos ya adjuntas'),
  removePhoto: (n: number) => `Quitar foto ${n}`,
  anonymous: 'Ocultar mi nombre a los demás residentes',
  anonymousHint: 'La administración sí puede ver su nombre.',
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
export const known: typeof en.known = {
  title: (n: number) => count(n, { one: '¿Es el mismo problema?', other: '¿Es uno de estos problemas?' }),
  hint: 'Si es así, elija «A mí también me pasa». Le escribiremos por correo cuando esté arreglado.',
  none: 'No hay reportes abiertos sobre esto.',
  me: 'A mí también me pasa',
  meWith: (title: string) => `A mí también me pasa: ${title}`,
  mine: 'Usted sigue este reporte.',
  reported: (time: string) => `reportado ${on(time)}`,
  others: (n: number) => count(n, { one: 'Otro reporte', other: `Otros ${n} reportes` }),
  more: 'Todos los reportes sobre esto',
  said: (name: string, status: string, n: number) =>
    `${name}: ${status}. ${counted(n, 'reporte abierto', 'reportes abiertos')}.`,
  other: 'Reportar otra cosa',
}

/** Photos that are sent while a report is written. */
export const photos: typeof en.photos = {
  remove: 'Quitar foto',
  sending: 'Enviando sus fotos',
  sent: 'Fotos enviadas.',
}

/** After a report was sent. */
export const sent: typeof en.sent = {
  title: 'Reporte enviado',
  reference: 'Referencia',
  next: 'Qué pasa ahora',
  target: (time: string) =>
    `Avisamos a la administración del edificio. Su objetivo es responder antes ${del(time)}.`,
  late: 'La administración del edificio no respondió a tiempo.',
  now: (status: string) => `Estado actual: ${status}.`,
  follow: 'Le escribiremos por correo cuando algo cambie.',
  noFollow: 'No recibirá correos sobre esto.',
  here: (name: string) => `Reportar otro problema con ${name}`,
  another: 'Reportar otro problema',
  status: 'Volver al estado del edificio',
}

/** The reports someone sent or follows. */
export const mine: typeof en.mine = {
  title: 'Mis reportes',
  intro: 'Los reportes que usted hizo o sigue, del más reciente al más antiguo.',
  none: 'Todavía no hizo ni sigue ningún reporte.',
  reported: 'Usted reportó esto.',
  hidden: 'Usted reportó esto. Los demás residentes no ven su nombre.',
  followed: 'Usted sigue esto.',
  notFollowing: 'Usted no sigue esto.',
  verify: 'La administración dice que está arreglado. ¿Lo está?',
}
