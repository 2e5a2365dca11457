import type * as en from '../en/shared.js'

/** What stands around every page. */
export const frame: typeof en.frame = {
  version: (version: string) => `Caretaker ${version}`,
  skip: 'Ir al contenido',
  offline: 'Sin conexión. Esta página puede estar desactualizada.',
  retry: 'Reintentar',
  about: (name: string) =>
    `${name}: qué funciona, qué está fuera de servicio, mantenimiento programado y reportes.`,
  signOut: 'Cerrar sesión',
  mainMenu: 'Menú principal',
  menu: 'Menú',
  reportShort: 'Reportar',
  times: (zone: string) => `Zona horaria: ${zone}.`,
  reference: 'Referencia',
  share: 'Compartir',
  linkCopied: 'Enlace copiado',
}

/** Whom to call in danger: on every page, sticker and lobby screen. */
export const emergency: typeof en.emergency = {
  question: '¿Hay alguien atrapado o en peligro?',
  call: 'Llame al',
  public: 'Incendio o heridos: llame al',
  when: 'Cuándo llamar',
}

/** The menu of the office's pages. */
export const nav: typeof en.nav = {
  label: 'Administración',
  building: 'Edificio',
  settings: 'Ajustes',
  year: 'Informe anual',
  display: 'Pantalla del vestíbulo',
}

/** The page of an error. */
export const problemPage: typeof en.problemPage = {
  errorPrefix: 'Error:',
  home: 'Ir a la página de estado',
  wholeList: 'Ver la lista completa',
  survivor: 'Ir al reporte al que se unió',
  assets: 'Elija de nuestra lista',
  typed: 'Guardamos lo que escribió',
  tryAgain: 'Espere unos segundos e inténtelo de nuevo.',
  withoutPhotos: 'Las fotos no se incluirán. Puede agregarlas después.',
  sendAgain: 'Intentar de nuevo',
  postAsComment: 'Publicar como comentario',
  openAgain: 'Volver a la página',
  next: {
    list: 'Ir a la lista',
    desk: 'Ir a Tareas',
    reports: 'Ver todos los reportes',
    report: 'Reportar un problema',
  },
  reference: (id: string) => `Referencia para la administración del edificio: ${id}`,
}

/** The page of colours, type and controls. */
export const design: typeof en.design = {
  title: 'Diseño',
  colours: 'Colores',
  type: 'Tipografía',
  space: 'Espacios',
  parts: 'Componentes',
}
