import { linkPurposes } from '../../vocabulary/email/linkPurposes.js'
import { freshMinutes } from '../../vocabulary/people/actor.js'
import type * as en from '../en/signIn.js'
import { count, el } from './counted.js'

/** The page to sign in. */
export const signInPage: typeof en.signInPage = {
  title: 'Iniciar sesión',
  why: 'Inicie sesión para reportar problemas y recibir novedades.',
  email: 'Correo electrónico',
  password: 'Contraseña',
  resume: 'Su sesión se cerró. Guardamos su texto: inicie sesión para enviarlo.',
  byEmail: 'Enviarme un código',
  byEmailHint:
    '¿No tiene contraseña? Le enviaremos por correo un código y un enlace. Use cualquiera de los dos una vez, en este navegador.',
  byEmailSignUpHint:
    '¿No tiene contraseña o todavía no tiene cuenta? Le enviaremos por correo un código y un enlace para iniciar sesión o crear una cuenta. Use cualquiera de los dos en este navegador.',
}

/** The pages behind invitation and reset links, and the one that asks for a reset link. */
export const passwordLinks: typeof en.passwordLinks = {
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
  forgot: {
    link: '¿Olvidó su contraseña?',
    title: 'Restablecer la contraseña',
    lead: 'Escriba su correo electrónico. Le enviaremos un enlace para restablecer la contraseña.',
    send: 'Enviar enlace',
    askAgain: 'Pedir un enlace nuevo',
  },
}

/** The emails with invitation and reset links. */
export const accountEmails: typeof en.accountEmails = {
  subject: {
    invite: (house: string) => `Su cuenta de ${house}`,
    reset: 'Restablezca su contraseña',
    signIn: 'Su código y su enlace para iniciar sesión',
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
      'Recibimos una solicitud para iniciar sesión con esta dirección. Escriba este código en la página donde lo pidió:',
    signUp:
      'Recibimos una solicitud para iniciar sesión con esta dirección. Todavía no tiene una cuenta, pero puede crearla. Escriba este código en la página donde lo pidió:',
  },
  orLink: 'O abra el enlace en el mismo dispositivo y en el mismo navegador.',
  until: (time: string) => `El enlace funciona una vez, hasta ${el(time)}.`,
  codeUntil: (time: string) =>
    `Puede usar el código o el enlace una vez, hasta ${el(time)}. No dé el código a nadie: la administración nunca se lo pedirá.`,
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
      'Recibe este correo porque alguien quiso iniciar sesión con esta dirección. Si no fue usted, ignore este mensaje: nadie puede iniciar sesión sin el código o el enlace.',
    signUp:
      'Recibe este correo porque alguien quiso iniciar sesión con esta dirección. Si no fue usted, ignore este mensaje: no se creará ninguna cuenta.',
  },
}

/** Where anyone may make an account (decision 7.15). */
export const signUp: typeof en.signUp = {
  by: {
    office: 'Solo la administración',
    anybody: 'Cualquier persona con un correo electrónico confirmado',
  },
  sent: (address: string) =>
    `Si ${address} es su dirección, le enviaremos por correo un código y un enlace. Funcionan durante ${linkPurposes.sign_in.minutes} minutos desde que los enviamos.`,
  accountNeeded: 'Para enviarlo necesita una cuenta. Puede crearla al final con su correo electrónico.',
  title: 'Crear una cuenta',
  lead: (address: string, house: string) =>
    `Todavía no hay una cuenta para ${address} en ${house}. Su nombre se muestra con sus reportes, salvo que lo oculte.`,
  name: 'Su nombre',
  send: 'Crear cuenta',
  sendWithReport: 'Crear cuenta y enviar reporte',
}

/** What people without a session see: reporting, the sign-in link and the answer by email. */
export const guests: typeof en.guests = {
  reportWaits: 'Ya casi termina. Inicie sesión para enviar su reporte. Lo guardaremos durante 1 hora.',
  notSent: {
    title: 'Su reporte todavía no se envió:',
    signIn: 'Inicie sesión para enviarlo.',
    code: 'Escriba el código o abra el enlace para enviarlo.',
    here: 'Se envía con este botón.',
    until: (time: string) => `Lo guardaremos hasta ${el(time)}.`,
    button: 'Iniciar sesión y enviar reporte',
  },
  accountNeeded: 'Para enviar uno necesita una cuenta.',
  noAccount: '¿No tiene cuenta? Pídala a la administración del edificio.',
  noAccountCall: '¿No tiene cuenta? Llame a la administración del edificio:',
  link: {
    send: 'Enviarme un enlace',
    sentTitle: 'Revise su correo',
    sent: (address: string) =>
      `Si ${address} tiene una cuenta, le enviamos un código y un enlace por correo. Funcionan durante ${linkPurposes.sign_in.minutes} minutos.`,
    thatAddress: 'esa dirección',
    code: 'Código del correo',
    here: 'O abra el enlace del correo en este dispositivo y en este navegador.',
    nothing: '¿No llegó nada? Revise la dirección y el correo no deseado.',
    late: 'Si muchas personas lo piden a la vez, puede tardar hasta una hora.',
    again: 'Pedir otro correo',
    openTitle: 'Iniciar sesión',
    open: (name: string) => `Este enlace es para ${name}.`,
    button: 'Iniciar sesión',
  },
  fixed: {
    title: '¿Está arreglado?',
    resolved: (time: string) => `Marcado como arreglado por la administración: ${time}.`,
    yours: {
      title: 'Gracias',
      fixed: 'Usted dijo que está arreglado. El reporte queda cerrado.',
      notFixed: 'Usted dijo que no está arreglado. Avisamos a la administración.',
      working: 'Usted dijo que no está arreglado. La administración lo está revisando otra vez.',
    },
    answered: {
      fixed: { title: 'El arreglo está confirmado', text: 'Si el problema vuelve, repórtelo otra vez.' },
      notFixed: { title: 'Alguien dijo que no está arreglado', text: 'Avisamos a la administración.' },
      working: {
        title: 'La administración lo está revisando otra vez',
        text: 'Abra el reporte para ver su estado actual.',
      },
      earlier: {
        title: 'Esto es sobre una reparación anterior',
        text: 'Abra el reporte para ver su estado actual.',
      },
    },
    merged: {
      title: 'Este reporte se unió a otro',
      text: (id: number) => `Siga el avance en INC-${id}.`,
    },
    open: (id: number) => `Abrir INC-${id}`,
    signIn: 'Iniciar sesión para decir si está arreglado',
  },
  again: 'Volvió a fallar',
  againText: (id: number) => `Volvió a fallar: vea INC-${id}.`,
  place: {
    own: (name: string) => `Mi vivienda (${name})`,
  },
}

/** What went wrong with these links. */
export const linkProblems: typeof en.linkProblems = {
  sign_in_link_over: {
    title: 'Este enlace venció',
    detail: `Ya se usó o tiene más de ${linkPurposes.sign_in.minutes} minutos. Pida otro en la página de inicio de sesión.`,
  },
  sign_in_link_elsewhere: {
    title: 'Abra este enlace donde lo pidió',
    detail:
      'Por su seguridad, solo funciona en el mismo dispositivo y en el mismo navegador. Ábralo allí o pida otro enlace aquí.',
  },
  answer_link_over: {
    title: 'Este enlace venció',
    detail: `Está incompleto o tiene más de ${linkPurposes.answer.minutes / 1440} días. Abra el reporte.`,
  },
  follow_link_over: {
    title: 'Este enlace venció',
    detail: `Está incompleto o tiene más de ${linkPurposes.follow.minutes / 60} horas. Pida uno nuevo.`,
  },
  unsubscribe_link_over: {
    title: 'Este enlace para cancelar la suscripción no funciona',
    detail:
      'Está incompleto o es demasiado antiguo. Use el enlace completo del correo o cambie las opciones en su cuenta.',
  },
}

/** The pages of the second factor, and those that ask for it. */
export const secondFactor: typeof en.secondFactor = {
  title: 'Verificación en dos pasos',
  intro: 'Proteja su cuenta con un código de una aplicación de su teléfono, además de la contraseña.',
  demanded: 'Todo el personal debe configurarla antes de usar las páginas de administración.',
  state: {
    on: 'La verificación en dos pasos está activada.',
    started: 'La verificación en dos pasos todavía no está activada.',
    off: 'La verificación en dos pasos está desactivada.',
  },
  open: { on: 'Cambiar la verificación en dos pasos', off: 'Configurar la verificación en dos pasos' },
  start: 'Configurar la verificación en dos pasos',
  app: '1. Instale una aplicación',
  appHint: 'Instale una aplicación de autenticación, por ejemplo Google Authenticator o 1Password, y ábrala.',
  scan: '2. Escanee este código',
  scanHint: 'Escanéelo con la aplicación.',
  qr: 'Código QR para su aplicación de autenticación. La misma clave está abajo como texto.',
  typed: 'O escriba esta clave:',
  confirm: '3. Escriba el código',
  confirmHint: 'Escriba el código de 6 dígitos que muestra la aplicación.',
  code: 'Código',
  confirmSend: 'Activar la verificación en dos pasos',
  cancel: 'Cancelar configuración',
  codesTitle: 'Sus códigos de recuperación',
  codesOnce:
    'Guarde estos códigos de recuperación. Cada uno funciona una vez si pierde su teléfono. No los mostraremos otra vez.',
  codesDone: 'Ya los guardé',
  codesLeft: (n: number) =>
    count(n, {
      one: 'Queda 1 código de recuperación.',
      many: `Quedan ${n} de códigos de recuperación.`,
      other: `Quedan ${n} códigos de recuperación.`,
    }),
  noneLeft: 'No le quedan códigos de recuperación. Cree nuevos.',
  remakeHint: 'Los códigos nuevos reemplazan a los anteriores.',
  remake: 'Crear códigos de recuperación nuevos',
  offTitle: 'Desactivar la verificación en dos pasos',
  offHint:
    'Iniciará sesión solo con su contraseña. Si tiene un teléfono nuevo, desactívela y configúrela otra vez.',
  off: 'Desactivar la verificación en dos pasos',
  reset: {
    title: 'Verificación en dos pasos',
    hint: 'Para quien perdió el teléfono y los códigos de recuperación. Compruebe primero quién es. Se cerrarán todas sus sesiones y entrará solo con la contraseña hasta que la configure otra vez.',
    send: 'Restablecer la verificación en dos pasos',
  },
  required: { off: 'Opcional', staff: 'Obligatoria para el personal' },
  signIn: {
    title: 'Escriba su código',
    why: 'Abra la aplicación de autenticación en su teléfono y escriba el código de 6 dígitos.',
    hint: '6 dígitos',
    printed: 'Usar un código de recuperación',
    whyPrinted: 'Escriba uno de sus códigos de recuperación. Cada uno funciona una vez.',
    printedHint: '10 letras y dígitos',
    again: 'Iniciar sesión como otra persona',
  },
  again: {
    title: 'Confirme que es usted',
    why: `Inició sesión hace más de ${freshMinutes} minutos. Inicie sesión otra vez para continuar. Guardamos lo que escribió.`,
    password: 'Su contraseña',
    code: 'Código de su aplicación de autenticación',
    codeHint: 'O uno de sus códigos de recuperación',
    retype: {
      password: 'Contraseña nueva, otra vez',
      currentPassword: 'Contraseña actual, otra vez',
      code: 'Código nuevo, otra vez',
    } as Record<string, string>,
    send: 'Continuar',
  },
}

/** Emails about what was done to an account. */
export const securityEmails: typeof en.securityEmails = {
  subject: {
    new_device: 'Nuevo inicio de sesión en su cuenta',
    password_changed: 'Su contraseña cambió',
    email_changed: 'Su correo electrónico cambió',
    second_factor_on: 'La verificación en dos pasos está activada',
    second_factor_off: 'La verificación en dos pasos está desactivada',
    second_factor_reset: 'La verificación en dos pasos se restableció',
    recovery_codes_made: 'Tiene códigos de recuperación nuevos',
    recovery_code_used: 'Se usó un código de recuperación',
    identity_linked: 'Se agregó una forma de iniciar sesión',
    identity_unlinked: 'Se quitó una forma de iniciar sesión',
  },
  lead: {
    new_device: 'Alguien inició sesión en su cuenta desde un navegador nuevo.',
    password_changed: 'Su cuenta tiene una contraseña nueva.',
    email_changed:
      'Su cuenta ahora tiene otro correo electrónico. No volveremos a escribir a esta dirección.',
    second_factor_on:
      'Ahora necesita su contraseña y un código de su aplicación de autenticación para iniciar sesión.',
    second_factor_off: 'Ahora solo necesita su contraseña para iniciar sesión.',
    second_factor_reset:
      'La administración del edificio restableció la verificación en dos pasos porque alguien dijo que usted perdió el teléfono y los códigos. Se cerraron todas sus sesiones. Puede iniciar sesión solo con su contraseña. Por favor, configure la verificación en dos pasos otra vez.',
    recovery_codes_made: 'Sus códigos de recuperación anteriores ya no funcionan.',
    recovery_code_used:
      'Alguien inició sesión con uno de sus códigos de recuperación. Ese código ya no funcionará.',
    identity_linked:
      'Su cuenta ahora está vinculada a una cuenta del inicio de sesión único del edificio. Quien pueda iniciar sesión allí puede iniciar sesión aquí como usted.',
    identity_unlinked:
      'Su cuenta ya no está vinculada al inicio de sesión único del edificio. Inicie sesión con su contraseña.',
  },
  when: (time: string) => `Cuándo: ${time}.`,
  whenWhere: (time: string, device: string) => `Cuándo: ${time}. Dispositivo: ${device}.`,
  office: 'Lo hizo la administración del edificio.',
  yours: 'Si fue usted, no tiene que hacer nada.',
  notYours:
    'Si no fue usted, restablezca su contraseña ahora con «¿Olvidó su contraseña?» en la página de inicio de sesión. Después, avise a la administración del edificio.',
  unwanted: 'Si no quería este cambio, avise ahora a la administración del edificio.',
  button: 'Abrir su cuenta',
  why: 'Este es un correo de seguridad. No se puede desactivar.',
}

/** What a page says at its top after a change to an account, or to who is signed in. */
export const accountNotices: typeof en.accountNotices = {
  resumed: 'Inició sesión otra vez. Guardamos su texto: presione el botón para enviarlo.',
  resumedWithoutPhotos:
    'Inició sesión otra vez. Guardamos su texto. Agregue las fotos de nuevo y presione el botón para enviarlo.',
  signedOut: 'Cerró la sesión.',
  erased: 'Su cuenta se eliminó.',
  erasedOne: 'Cuenta eliminada. Los reportes quedan, con el nombre «Persona eliminada».',
  personAdded: (name?: string) =>
    name ? `Se agregó a ${name}. Le enviamos una invitación.` : 'Agregado. Enviamos una invitación.',
  invited: 'Invitación enviada.',
  allInvited: 'Invitaciones enviadas.',
  signedOutEverywhere: 'Se cerraron todas las sesiones.',
  othersSignedOut: 'Se cerraron las demás sesiones.',
  identityLinked: 'Cuenta vinculada. Ahora puede iniciar sesión con ella.',
  identityUnlinked: 'Vínculo quitado. Se cerraron las demás sesiones.',
  secondFactorOff: 'La verificación en dos pasos está desactivada.',
  linksRemoved: 'Vínculo con el inicio de sesión único quitado.',
  secondFactorReset: 'Verificación en dos pasos restablecida.',
  sessionEnded: 'Se cerró la sesión de ese navegador.',
  welcome: 'Le damos la bienvenida. Guardamos su contraseña y ya inició sesión.',
  passwordChanged: 'Contraseña cambiada. Se cerraron las demás sesiones.',
  linkSent: `Si esa dirección tiene una cuenta, enviamos un enlace por correo. Funciona durante ${linkPurposes.reset.minutes / 60} hora.`,
}
