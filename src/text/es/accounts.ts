import { linkPurposes } from '../../vocabulary/email/linkPurposes.js'
import type * as en from '../en/accounts.js'
import { counted, el, on } from './counted.js'

/** The office's pages of people. */
export const people: typeof en.people = {
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
  inviteAll: (n: number) => `Invitar a ${counted(n, 'persona', 'personas')}…`,
  inviteAllHint: 'Les enviaremos por correo un enlace para crear una contraseña, como máximo una vez al día.',
  invitations: {
    title: (n: number) => `¿Enviar una invitación por correo a ${counted(n, 'persona', 'personas')}?`,
    hint: 'Todavía no se ha escrito a nadie. Cada persona recibe un enlace para crear una contraseña, válido durante 7 días.',
    later: (n: number) => `Después podrá invitar a ${counted(n, 'persona', 'personas')} más.`,
    who: 'Ver quién recibe una invitación',
    send: (n: number) => `Enviar ${counted(n, 'invitación', 'invitaciones')}`,
  },
  inviteTitle: 'Invitación',
  inviteHint: `Esta persona todavía no creó una contraseña. El enlace de la invitación funciona durante ${linkPurposes.invite.minutes / 1440} días.`,
  invite: 'Reenviar invitación',
  resetTitle: 'Restablecer contraseña',
  resetHint: `Enviaremos a esta persona un enlace para restablecer su contraseña. Funciona durante ${linkPurposes.reset.minutes / 60} hora.`,
  reset: 'Enviar enlace',
  signOutTitle: 'Sesiones',
  signOut: 'Cerrar todas las sesiones',
  lastSeen: (time: string) => `Última visita: ${time}.`,
  neverSeen: 'No tiene ninguna sesión iniciada.',
}

/** The pages of one's own account. */
export const account: typeof en.account = {
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
  },
  notifications: {
    title: 'Notificaciones',
    hint: 'Elija cómo le avisamos. «Aplicación o navegador» incluye la aplicación móvil y los navegadores con notificaciones activadas.',
    what: 'Novedad',
    channel: { mail: 'Correo', push: 'Aplicación o navegador' },
    box: (what: string, channel: string) => `${what}: ${channel}`,
  },
  browsers: {
    title: 'Notificaciones del navegador',
    hint: 'Reciba notificaciones en este navegador, incluso con esta página cerrada. Usa las opciones «Aplicación o navegador» de arriba.',
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
    title: 'Dónde tiene la sesión abierta',
    hint: 'Conocemos el dispositivo y la hora, no el lugar. Si no reconoce una sesión, ciérrela.',
    here: 'este dispositivo',
    device: (browser: string | null, system: string | null) => {
      if (browser && system) return `${browser} en ${system}`
      return browser ?? system ?? 'Dispositivo desconocido'
    },
    lastSeen: (time: string) => `última visita ${on(time)}`,
    all: (n: number) => `Mostrar las ${n}`,
    since: (time: string) => `iniciada ${on(time)}`,
    endOne: (device: string, time: string) => `Cerrar la sesión de ${device}, iniciada ${on(time)}`,
    endOthers: 'Cerrar las demás sesiones',
    only: 'No tiene la sesión abierta en ningún otro lugar.',
  },
}

/** What is kept about a person, and its erasure (decision 7.31). */
export const personData: typeof en.personData = {
  title: 'Sus datos',
  intro: 'Lo que reportó y escribió, lo que sigue, dónde tiene la sesión abierta y lo que hizo aquí.',
  ofOne: 'Datos de esta persona',
  ofOneHint: 'Úselo cuando alguien pida sus datos o pida que se eliminen.',
  download: 'Descargar datos (JSON)',
  erase: 'Eliminar cuenta y datos',
  eraseTitle: '¿Eliminar su cuenta?',
  eraseOne: (name: string) => `¿Eliminar la cuenta y los datos de ${name}?`,
  goes: 'Eliminaremos para siempre:',
  points: [
    'nombre, correo electrónico, vivienda y contraseña',
    'sesiones en todos los dispositivos, verificación en dos pasos, inicio de sesión único y notificaciones en teléfonos y navegadores',
  ],
  follows: {
    own: 'la lista de lo que usted sigue y todos los correos sin enviar',
    ofOne: 'la lista de lo que sigue esta persona y todos los correos que todavía no se le enviaron',
  },
  stays: {
    own: 'Sus reportes, comentarios y fotos quedan, con el nombre «Persona eliminada», y también lo que el registro de auditoría dice que usted hizo. Antes de eliminar, pida a la administración que oculte los textos que mencionen su nombre. Las copias de seguridad existentes no cambian.',
    ofOne:
      'Los reportes, los comentarios, las fotos y las entradas del registro de auditoría quedan, con el nombre «Persona eliminada». Antes de eliminar, oculte los textos que nombren a esta persona. Las copias de seguridad existentes no cambian.',
  },
  forGood: 'Esto no se puede deshacer.',
  eraseYes: 'Sí, eliminar esta cuenta',
}
