import type {
  singleSignOn as enSingleSignOn,
  singleSignOnProblems as enSingleSignOnProblems,
} from '../en/signingIn.js'
import { plural } from '../plural.js'
import { el, on } from './counted.js'

const count = plural('es')

/** The pages of the second factor, and those that ask for it. */
export const secondFactor = {
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
    code: 'Código',
    hint: '6 dígitos',
    printed: 'Usar un código de recuperación',
    whyPrinted: 'Escriba uno de sus códigos de recuperación. Cada uno funciona una vez.',
    printedHint: '10 letras y dígitos',
    send: 'Iniciar sesión',
    again: 'Iniciar sesión como otra persona',
  },
  again: {
    title: 'Confirme que es usted',
    why: 'Inició sesión hace más de 10 minutos. Inicie sesión otra vez para continuar. Guardamos lo que escribió.',
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
export const noticeMails = {
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

/**
 * Signing in at an identity provider: on the sign-in page, on the account page and between them.
 */
export const singleSignOn: typeof enSingleSignOn = {
  signIn: (name: string) => `Iniciar sesión con ${name}`,
  or: 'O inicie sesión con su contraseña:',
  again: (name: string) => `Iniciar sesión otra vez con ${name}`,
  elsewhere: 'Se abre en otra pestaña. Inicie sesión, vuelva aquí y presione «Continuar».',
  goOn: 'Continuar',
  orPassword: 'O escriba su contraseña de este sitio, si tiene una.',
  againDone: {
    title: 'Inició sesión',
    why: 'Cierre esta pestaña, vuelva a la anterior y presione «Continuar».',
    home: 'Ir a la página de estado',
  },
  signedOut: {
    title: 'Cerró la sesión aquí',
    why: (name: string) =>
      `Su sesión en ${name} sigue abierta. Quien use este navegador podría iniciar sesión aquí otra vez.`,
    there: (name: string) => `Cerrar la sesión en ${name}`,
    home: 'Ir a la página de estado',
  },
  account: {
    title: 'Inicio de sesión único',
    linked: (name: string, email: string | null, time: string) =>
      `${email ? `${name}, como ${email}` : name}: vinculada desde ${el(time)}`,
    lastUsed: (time: string) => `último uso ${on(time)}`,
    neverUsed: 'todavía sin usar',
    none: (name: string) => `Vincule esta cuenta con la suya de ${name} para iniciar sesión con ella.`,
    link: (name: string) => `Vincular con ${name}`,
    unlink: 'Quitar vínculo',
    unlinkOne: (name: string) => `Quitar vínculo con ${name}`,
    ends: 'Iniciará sesión con su contraseña y se cerrarán las demás sesiones.',
    needed:
      'Para quitar el vínculo, cree primero una contraseña con «¿Olvidó su contraseña?» en la página de inicio de sesión.',
  },
  remove: {
    title: 'Inicio de sesión único',
    hint: 'Para quien ya no puede iniciar sesión allí o está vinculado a la cuenta equivocada. Se cerrarán todas sus sesiones y entrará con la contraseña. Si el otro servicio confirmó su correo, las cuentas pueden vincularse otra vez.',
    send: 'Quitar vínculo',
  },
  leave: {
    title: (name: string) => `Vincule su cuenta con ${name}`,
    why: (name: string) => `Inicie sesión con ${name} ahora. Después podrá usarlo para iniciar sesión aquí.`,
    go: (name: string) => `Continuar a ${name}`,
    cancel: 'Cancelar la vinculación',
  },
  confirm: {
    title: (name: string) => `¿Vincular esta cuenta de ${name}?`,
    who: (who: string, name: string) => `${who} (${name})`,
    account: (email: string) => `Se vinculará con su cuenta de aquí, ${email}.`,
    check: (name: string) =>
      `Quien pueda iniciar sesión en esa cuenta de ${name} podrá iniciar sesión aquí. Si no es su cuenta, cancele, cierre la sesión en ${name} y empiece de nuevo.`,
    send: 'Vincular cuenta',
    cancel: 'Cancelar la vinculación',
  },
}

/** What goes wrong on the way to an identity provider and back. */
export const singleSignOnProblems: typeof enSingleSignOnProblems = {
  provider_away: {
    title: 'El inicio de sesión único no responde',
    detail: 'Inténtelo de nuevo en un minuto o inicie sesión con su contraseña.',
  },
  sign_in_over: {
    title: 'Este inicio de sesión venció',
    detail: 'Tardó demasiado, ya se usó o empezó en otro navegador. Empiece de nuevo aquí.',
  },
  provider_denied: {
    title: 'No se inició la sesión',
    detail:
      'Usted canceló el inicio de sesión o no tiene acceso a este sitio. Inténtelo de nuevo o inicie sesión con su contraseña.',
  },
  provider_refused: {
    title: 'No pudimos comprobar ese inicio de sesión',
    detail:
      'El servicio de inicio de sesión único envió una respuesta que no es confiable, así que no se inició la sesión. Empiece de nuevo. Si sigue pasando, avise a la administración del edificio.',
  },
  provider_not_asked: {
    title: 'Debe escribir su contraseña',
    detail:
      'El servicio de inicio de sesión único no pidió su contraseña. Cree una aquí con «¿Olvidó su contraseña?» y use esa.',
  },
  identity_unknown: {
    title: 'Esa cuenta no está vinculada a una cuenta de aquí',
    detail:
      'Inicie sesión con su contraseña y vincúlela en la página de su cuenta, o consulte a la administración del edificio.',
  },
  identity_unverified: {
    title: 'El correo electrónico de esa cuenta no está confirmado',
    detail:
      'Confírmelo en el servicio de inicio de sesión único e inténtelo de nuevo, o inicie sesión con su contraseña.',
  },
  identity_other: {
    title: 'Esa es otra cuenta',
    detail:
      'Su cuenta de aquí está vinculada a otra cuenta del inicio de sesión único. Use esa, o consulte a la administración del edificio.',
  },
  identity_taken: {
    title: 'No pudimos vincular estas cuentas',
    detail: 'Una de ellas ya está vinculada a otra cuenta. No cambió nada.',
  },
  identity_needed: {
    title: 'Perdería el acceso',
    detail: 'No tiene una contraseña para iniciar sesión, así que conservamos el vínculo.',
  },
  second_factor_elsewhere: {
    title: 'Use primero el inicio de sesión único',
    detail:
      'Su cuenta está vinculada al inicio de sesión único. Cierre la sesión, iníciela de esa manera e inténtelo de nuevo. Si no puede, pida a un administrador que quite el vínculo.',
  },
  password_closed: {
    title: 'Use el inicio de sesión único',
    detail:
      'No puede usar una contraseña para esta cuenta. Use el primer botón de la página de inicio de sesión.',
  },
}
