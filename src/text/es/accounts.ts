import type {
  account as enAccount,
  accountMails as enAccountMails,
  flagPage as enFlagPage,
  passwordLinks as enPasswordLinks,
  people as enPeople,
} from '../en/accounts.js'
import { counted, el, on } from './counted.js'

/** The office's pages of people. */
export const people: typeof enPeople = {
  title: 'Personas',
  intro: 'Todas las personas con una cuenta. Las personas nuevas reciben una invitación por correo.',
  none: 'Todavía no hay personas.',
  create: 'Agregar una persona',
  edit: (name: string) => name,
  remove: 'Eliminar a esta persona',
  blocked:
    'Desactive la cuenta: nadie podrá iniciar sesión con ella y los reportes anteriores conservarán el nombre.',
  fields: {
    name: 'Nombre',
    email: 'Correo electrónico',
    role: 'Rol',
    unitId: 'Vivienda',
    locale: 'Idioma',
    active: 'Activa',
    password: 'Contraseña',
    state: 'Cuenta',
    lastSeenAt: 'Última visita',
  },
  hints: {
    role: 'La junta, la gestión y los administradores pueden usar las páginas de administración. Solo los administradores gestionan a las personas.',
    active: 'Con una cuenta inactiva no se puede iniciar sesión.',
    password:
      'Al menos 12 caracteres. Déjela en blanco para enviar una invitación a una persona nueva o para conservar la contraseña actual.',
  },
  noUnit: 'Ninguna',
  state: {
    app: 'Cuenta de la aplicación',
    active: 'Activa',
    invited: 'Sin contraseña',
    inactive: 'Inactiva',
  },
  history: {
    reports: (n: number) => counted(n, 'reporte', 'reportes'),
    comments: (n: number) => counted(n, 'comentario', 'comentarios'),
    acts: (n: number) =>
      counted(n, 'entrada en el registro de auditoría', 'entradas en el registro de auditoría'),
  },
  appAccount: 'La usan los reportes enviados desde la aplicación móvil. No se puede cambiar ni eliminar.',
  inviteAll: (n: number) => `Invitar a ${counted(n, 'persona', 'personas')}`,
  inviteAllHint: 'Les enviaremos por correo un enlace para crear una contraseña, como máximo una vez al día.',
  inviteTitle: 'Invitación',
  inviteHint:
    'Esta persona todavía no creó una contraseña. El enlace de la invitación funciona durante 7 días.',
  invite: 'Reenviar invitación',
  resetTitle: 'Restablecer contraseña',
  resetHint: 'Enviaremos a esta persona un enlace para restablecer su contraseña. Funciona durante 1 hora.',
  reset: 'Enviar enlace',
  signOutTitle: 'Sesiones',
  signOut: 'Cerrar todas las sesiones',
  lastSeen: (time: string) => `Última visita: ${time}.`,
  neverSeen: 'No tiene ninguna sesión iniciada.',
}

/** The pages of one's own account. */
export const account: typeof enAccount = {
  title: 'Su cuenta',
  tabs: { profile: 'Perfil', notifications: 'Notificaciones', security: 'Seguridad', data: 'Sus datos' },
  about: {
    title: 'Su perfil',
    name: 'Nombre',
    nameHint: 'Se muestra con sus reportes, salvo que lo oculte.',
    email: 'Correo electrónico',
    emailHint: 'Para cambiarlo, pídalo a la administración del edificio.',
    role: 'Rol',
    unit: 'Vivienda',
    noUnit: 'Ninguna',
    locale: 'Idioma',
    save: 'Guardar cambios',
  },
  followed: {
    title: 'Reportes que sigue',
    hint: '¿Qué novedades quiere recibir?',
    choice: {
      all: 'Todo: comentarios y cambios de estado',
      status: 'Solo cambios de estado',
      nothing: 'Nada',
    },
    single: 'Personalizado: vea abajo',
    save: 'Guardar cambios',
  },
  notifications: {
    title: 'Notificaciones',
    hint: 'Elija cómo le avisamos. «Aplicación» incluye la aplicación móvil y los navegadores con notificaciones activadas.',
    what: 'Novedad',
    channel: { mail: 'Correo', push: 'Aplicación' },
    kind: {
      created: 'Reporte nuevo',
      status: 'Cambio de estado en un reporte que sigo',
      comment: 'Comentario en un reporte que sigo',
      escalated: 'Respuesta atrasada a un reporte que sigo',
      merged: 'Combinación de un reporte que sigo',
      asset: 'Novedades de ascensores, puertas y equipos que sigo',
      sweep: 'Lista de reportes sin respuesta a tiempo',
      digest: 'Resumen semanal',
    },
    box: (what: string, channel: string) => `${what}: ${channel}`,
    save: 'Guardar cambios',
  },
  browsers: {
    title: 'Notificaciones del navegador',
    hint: 'Reciba notificaciones en este navegador, incluso con esta página cerrada. Usa las opciones «Aplicación» de arriba.',
    none: 'Todavía no hay navegadores.',
    ask: 'Activar notificaciones',
    asking: 'Permita las notificaciones cuando el navegador lo pregunte.',
    cannot:
      'Este navegador no puede mostrar notificaciones aquí. Hace falta una dirección https; en un iPhone o iPad, agregue la página de estado a la pantalla de inicio y ábrala desde allí.',
    refused:
      'Las notificaciones están bloqueadas. Permítalas en los ajustes del navegador y recargue esta página.',
    failed: 'No funcionó. Inténtelo de nuevo en unos minutos.',
    since: (time: string) => `activadas desde ${el(time)}`,
    remove: 'Desactivar notificaciones',
    removeOne: (device: string, time: string) =>
      `Desactivar notificaciones en ${device}, activadas desde ${el(time)}`,
  },
  password: {
    title: 'Contraseña',
    current: 'Contraseña actual',
    next: 'Contraseña nueva',
    hint: 'Al menos 12 caracteres. Pruebe con tres palabras al azar.',
    ends: 'Su sesión seguirá abierta aquí y se cerrará en los demás dispositivos.',
    save: 'Cambiar contraseña',
  },
  sessions: {
    title: 'Sesiones iniciadas',
    here: 'este dispositivo',
    device: (browser: string | null, system: string | null) => {
      if (browser && system) return `${browser} en ${system}`
      return browser ?? system ?? 'Dispositivo desconocido'
    },
    lastSeen: (time: string) => `última visita ${on(time)}`,
    all: (n: number) => `Mostrar las ${n}`,
    since: (time: string) => `iniciada ${on(time)}`,
    end: 'Cerrar sesión',
    endOne: (device: string, time: string) => `Cerrar la sesión de ${device}, última visita ${on(time)}`,
    endOthers: 'Cerrar las demás sesiones',
    only: 'No tiene otras sesiones iniciadas.',
  },
}

/** The pages behind invitation and reset links, and the one that asks for a reset link. */
export const passwordLinks: typeof enPasswordLinks = {
  invite: {
    title: 'Le damos la bienvenida',
    lead: (name: string, house: string) =>
      `Hola, ${name}. Elija una contraseña para activar su cuenta de ${house}.`,
    save: 'Crear contraseña e iniciar sesión',
  },
  reset: {
    title: 'Elija una contraseña nueva',
    lead: (name: string) => `Hola, ${name}. Elija una contraseña nueva. Se cerrarán las demás sesiones.`,
    save: 'Crear contraseña e iniciar sesión',
  },
  email: 'Correo electrónico',
  password: 'Contraseña nueva',
  hint: 'Al menos 12 caracteres. Pruebe con tres palabras al azar.',
  forgot: {
    link: '¿Olvidó su contraseña?',
    title: 'Restablecer la contraseña',
    lead: 'Escriba su correo electrónico. Le enviaremos un enlace para restablecer la contraseña.',
    send: 'Enviar enlace',
    askAgain: 'Pedir un enlace nuevo',
  },
}

/** The emails with invitation and reset links. */
export const accountMails: typeof enAccountMails = {
  subject: {
    invite: (house: string) => `Su cuenta de ${house}`,
    reset: 'Restablezca su contraseña',
    signIn: 'Su enlace para iniciar sesión',
    signUp: 'Cree su cuenta',
  },
  title: {
    invite: (name: string) => `Hola, ${name}`,
    reset: 'Restablezca su contraseña',
    signIn: 'Iniciar sesión',
    signUp: 'Cree su cuenta',
  },
  lead: {
    invite: (house: string) =>
      `Ya tiene una cuenta de ${house}. Reporte problemas, siga las reparaciones y vea qué funciona. Para empezar, elija una contraseña.`,
    reset: 'Recibimos una solicitud para restablecer su contraseña. Elija una nueva con el botón de abajo.',
    signIn:
      'Recibimos una solicitud para iniciar sesión con esta dirección. Abra el enlace en el mismo dispositivo y en el mismo navegador.',
    signUp:
      'Recibimos una solicitud para iniciar sesión con esta dirección. Todavía no tiene una cuenta, pero puede crearla con este enlace. Abra el enlace en el mismo dispositivo y en el mismo navegador.',
  },
  until: (time: string) => `El enlace funciona una vez, hasta ${el(time)}.`,
  button: {
    invite: 'Elegir una contraseña',
    reset: 'Elegir una contraseña nueva',
    signIn: 'Iniciar sesión',
    signUp: 'Crear cuenta',
  },
  copy: 'Si el botón no funciona, abra esta dirección:',
  why: {
    invite: 'Recibe este correo porque la administración del edificio creó una cuenta para usted.',
    reset:
      'Recibe este correo porque alguien pidió restablecer su contraseña. Si no fue usted, ignore este mensaje: su contraseña no cambia.',
    signIn:
      'Recibe este correo porque alguien pidió un enlace para iniciar sesión. Si no fue usted, ignore este mensaje: nadie puede iniciar sesión sin el enlace.',
    signUp:
      'Recibe este correo porque alguien pidió un enlace para iniciar sesión con esta dirección. Si no fue usted, ignore este mensaje: no se creará ninguna cuenta.',
  },
}

/** The switches admins have. */
export const flagPage: typeof enFlagPage = {
  title: 'Funciones opcionales',
  intro: 'Active o desactive partes del servicio.',
  on: 'Activada',
  off: 'Desactivada',
  switchOn: 'Activar',
  switchOff: 'Desactivar',
  switchOne: (what: string, name: string) => `${what}: ${name}`,
  changed: (time: string) => `Cambiada ${on(time)}.`,
  never: 'Nunca se cambió.',
  name: { ai_triage: 'Sugerencias al reportar' },
  about: {
    ai_triage:
      'Una IA lee el título y el texto de un reporte y sugiere qué se dañó y qué tan grave es. No ve nombres ni fotos. Requiere una clave de API en los ajustes del servidor.',
  },
}
