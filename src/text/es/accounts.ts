import type {
  account as enAccount,
  accountMails as enAccountMails,
  flagPage as enFlagPage,
  passwordLinks as enPasswordLinks,
  people as enPeople,
} from '../en/accounts.js'
import { count, counted } from './counted.js'

/** The office's pages of people. */
export const people: typeof enPeople = {
  title: 'Personas',
  intro: 'Todas las personas con cuenta. A quien se añade sin contraseña le llega una invitación por correo.',
  none: 'Todavía no hay nadie.',
  create: 'Añadir una persona',
  edit: (name: string) => name,
  remove: 'Eliminar a esta persona',
  blocked:
    'Desactive la cuenta en lugar de eliminarla: nadie podrá iniciar sesión con ella y el historial conservará el nombre.',
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
    role: 'Quien no es residente ve la parte de administración. Solo Admin gestiona las personas, las funciones y el registro de actividad.',
    active: 'Nadie puede iniciar sesión con una cuenta que no está activa.',
    password:
      'Déjela en blanco: a una persona nueva se la invita y elige una, y quien ya tiene una la conserva. Al menos 12 caracteres.',
  },
  noUnit: 'Ninguna',
  state: {
    app: 'La aplicación móvil',
    active: 'Activa',
    invited: 'Todavía sin contraseña',
    inactive: 'No activa',
  },
  history: {
    reports: (n: number) => counted(n, 'aviso', 'avisos'),
    comments: (n: number) => counted(n, 'comentario', 'comentarios'),
    acts: (n: number) =>
      counted(n, 'entrada en el registro de actividad', 'entradas en el registro de actividad'),
  },
  appAccount:
    'Esta cuenta la usan todas las personas que envían avisos con la aplicación móvil. No se puede cambiar ni eliminar.',
  inviteAll: (n: number) =>
    count(n, {
      one: 'Invitar a la persona sin contraseña',
      other: `Invitar a quienes no tienen contraseña (${n})`,
    }),
  inviteAllHint:
    'Cada persona recibe un correo con un enlace para elegirla. Nadie lo recibe dos veces en un día.',
  inviteTitle: 'Invitación',
  inviteHint:
    'Esta persona todavía no ha elegido una contraseña. El enlace de una invitación sirve durante 7 días.',
  invite: 'Enviar la invitación otra vez',
  resetTitle: 'Contraseña nueva',
  resetHint:
    'Envía un enlace con el que esta persona puede elegir una contraseña nueva. Sirve durante una hora.',
  reset: 'Enviar un enlace',
  signOutTitle: 'Sesiones',
  signOut: 'Cerrar todas las sesiones',
  lastSeen: (time: string) => `Última visita: ${time}.`,
  neverSeen: 'No tiene ninguna sesión iniciada.',
}

/** The pages of one's own account. */
export const account: typeof enAccount = {
  title: 'Mi cuenta',
  nav: 'Mi cuenta',
  about: {
    title: 'Mis datos',
    name: 'Nombre',
    nameHint: 'Se ve en el edificio junto a los avisos que envía, salvo que lo oculte al enviarlos.',
    email: 'Correo electrónico',
    emailHint: 'La administración puede cambiarlo.',
    role: 'Rol',
    unit: 'Vivienda',
    noUnit: 'Ninguna',
    locale: 'Idioma',
    save: 'Guardar',
  },
  followed: {
    title: 'Incidencias que sigo',
    hint: '¿Qué novedades quiere recibir, por correo y en la aplicación?',
    choice: {
      all: 'Todas: comentarios y cambios de estado',
      status: 'Solo los cambios de estado, sin comentarios',
      nothing: 'Ninguna',
    },
    single: 'Lo ha elegido uno por uno, más abajo.',
    save: 'Guardar esta elección',
  },
  told: {
    title: 'Qué mensajes recibir, uno por uno',
    hint: 'Los correos llegan a la dirección de arriba; los mensajes de la aplicación, a los teléfonos que la tengan y a los navegadores con avisos.',
    what: 'Qué',
    channel: { mail: 'Correo', push: 'Aplicación' },
    kind: {
      created: 'Llega un aviso nuevo',
      status: 'Cambia el estado de algo que sigo',
      comment: 'Alguien comenta algo que sigo',
      escalated: 'Nadie responde a tiempo a algo que sigo',
      merged: 'Algo que sigo se une a otra incidencia',
      asset: 'Novedades de ascensores, puertas y otras instalaciones que sigo',
      sweep: 'Lista de avisos sin respuesta a tiempo',
      digest: 'El resumen semanal',
    },
    box: (what: string, channel: string) => `${what}: ${channel}`,
    save: 'Guardar qué mensajes recibir',
  },
  browsers: {
    title: 'Avisos en navegadores',
    hint: 'Un navegador puede mostrarle las novedades de lo que sigue, también con esta página cerrada, hasta que cierre la sesión en él. Arriba elige qué recibe: le llega lo mismo que a la aplicación.',
    none: 'Ningún navegador recibe avisos todavía.',
    ask: 'Avisarme en este navegador',
    asking: 'Un momento: el navegador pregunta si puede.',
    cannot:
      'Este navegador no puede hacerlo aquí. Hace falta una dirección con https; en un iPhone o iPad, añada la página de estado a la pantalla de inicio y ábrala allí.',
    refused:
      'A este navegador se le dijo que no mostrara avisos de esta página. Permítalos en sus ajustes y abra la página de nuevo.',
    failed: 'No ha funcionado. Inténtelo de nuevo dentro de un rato.',
    since: (time: string) => `con avisos desde el ${time}`,
    remove: 'Dejar de avisar',
    removeOne: (device: string, time: string) => `Dejar de avisar en ${device}, con avisos desde el ${time}`,
  },
  password: {
    title: 'Contraseña',
    current: 'Contraseña actual',
    next: 'Contraseña nueva',
    hint: 'Al menos 12 caracteres. Lo mejor son unas palabras sin relación entre sí; los nombres no sirven.',
    ends: 'La sesión sigue iniciada aquí y se cierran todas las demás.',
    save: 'Cambiar la contraseña',
  },
  sessions: {
    title: 'Sesiones iniciadas',
    here: 'esta',
    device: (browser: string | null, system: string | null) => {
      if (browser && system) return `${browser} en ${system}`
      return browser ?? system ?? 'Un dispositivo desconocido'
    },
    lastSeen: (time: string) => `última visita el ${time}`,
    since: (time: string) => `iniciada el ${time}`,
    end: 'Cerrar la sesión',
    endOne: (device: string, time: string) => `Cerrar la sesión de ${device}, última visita el ${time}`,
    endOthers: 'Cerrar las demás sesiones',
    only: 'No hay ninguna otra sesión iniciada.',
  },
}

/** The pages behind invitation and reset links, and the one that asks for a reset link. */
export const passwordLinks: typeof enPasswordLinks = {
  invite: {
    title: 'Crear la contraseña',
    lead: (name: string, house: string) =>
      `Hola, ${name}. Esta es la cuenta para ${house}. Elija una contraseña.`,
    save: 'Usar esta contraseña e iniciar sesión',
  },
  reset: {
    title: 'Elegir una contraseña nueva',
    lead: (name: string) => `Hola, ${name}. Elija una contraseña nueva. Se cerrarán las demás sesiones.`,
    save: 'Usar esta contraseña e iniciar sesión',
  },
  email: 'Correo electrónico',
  password: 'Contraseña nueva',
  hint: 'Al menos 12 caracteres. Lo mejor son unas palabras sin relación entre sí; los nombres no sirven.',
  forgot: {
    link: '¿Ha olvidado la contraseña?',
    title: '¿Ha olvidado la contraseña?',
    lead: 'Escriba la dirección de la cuenta. Llegará un enlace con el que se puede elegir una contraseña nueva.',
    send: 'Enviar el enlace',
    askAgain: 'Pedir otro enlace',
  },
}

/** The mails with invitation and reset links. */
export const accountMails: typeof enAccountMails = {
  subject: {
    invite: (house: string) => `Cuenta nueva para ${house}`,
    reset: 'Elegir una contraseña nueva',
    signIn: 'Enlace para iniciar sesión',
    signUp: 'Enlace para crear una cuenta',
  },
  title: {
    invite: (name: string) => `Hola, ${name}`,
    reset: 'Elegir una contraseña nueva',
    signIn: 'Iniciar sesión',
    signUp: 'Crear una cuenta',
  },
  lead: {
    invite: (house: string) =>
      `Ya tiene una cuenta para ${house}: con ella puede avisar de lo que falla, seguir lo que pasa y ver cómo están los ascensores, las puertas y la calefacción. Para empezar, elija una contraseña.`,
    reset: 'Se ha pedido una contraseña nueva para la cuenta. Puede elegirla con el botón de abajo.',
    signIn:
      'Alguien, seguramente usted, quiere iniciar sesión con esta dirección. Abra el enlace en el dispositivo y el navegador en que se pidió.',
    signUp:
      'Alguien, seguramente usted, quiere iniciar sesión con esta dirección, que todavía no tiene cuenta. El enlace permite crearla. Ábralo en el dispositivo y el navegador en que se pidió.',
  },
  until: (time: string) => `El enlace sirve una sola vez, hasta el ${time}.`,
  button: {
    invite: 'Elegir una contraseña',
    reset: 'Elegir una contraseña nueva',
    signIn: 'Iniciar sesión',
    signUp: 'Crear una cuenta',
  },
  copy: 'Si el botón no funciona, abra esta dirección:',
  why: {
    invite: 'Este correo llega porque la administración le ha creado una cuenta.',
    reset:
      'Este correo llega porque se ha pedido una contraseña nueva. Si no lo ha pedido, no haga nada: la contraseña sigue igual.',
    signIn:
      'Este correo llega porque se ha pedido un enlace para iniciar sesión. Si no lo ha pedido, no haga nada: sin él no entra nadie.',
    signUp:
      'Este correo llega porque se ha pedido con esta dirección un enlace para iniciar sesión. Si no lo ha pedido, no haga nada: no se crea ninguna cuenta.',
  },
}

/** The switches admins have. */
export const flagPage: typeof enFlagPage = {
  title: 'Funciones',
  intro: 'Partes de este servicio que se pueden activar y desactivar en cualquier momento.',
  on: 'Activada',
  off: 'Desactivada',
  switchOn: 'Activar',
  switchOff: 'Desactivar',
  switchOne: (what: string, name: string) => `${what}: ${name}`,
  changed: (time: string) => `Último cambio: ${time}.`,
  never: 'Nunca se ha cambiado.',
  name: { ai_triage: 'Sugerencias al enviar un aviso' },
  about: {
    ai_triage:
      'Un ordenador lee el título y el texto de un aviso y sugiere qué falla y qué gravedad tiene. No recibe nombres ni fotos, y necesita una clave en la configuración del servidor.',
  },
}
