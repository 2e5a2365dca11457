import type * as en from '../en/singleSignOn.js'
import { el, on } from './counted.js'

/**
 * Signing in at an identity provider: on the sign-in page, on the account page and between them.
 */
export const singleSignOn: typeof en.singleSignOn = {
  signIn: (name: string) => `Iniciar sesión con ${name}`,
  or: 'O inicie sesión con su contraseña:',
  again: (name: string) => `Iniciar sesión otra vez con ${name}`,
  elsewhere: 'Se abre en otra pestaña. Inicie sesión, vuelva aquí y presione «Continuar».',
  goOn: 'Continuar',
  orPassword: 'O escriba su contraseña de este sitio, si tiene una.',
  againDone: {
    title: 'Inició sesión',
    why: 'Cierre esta pestaña, vuelva a la anterior y presione «Continuar».',
  },
  signedOut: {
    title: 'Cerró la sesión aquí',
    why: (name: string) =>
      `Su sesión en ${name} sigue abierta. Quien use este navegador podría iniciar sesión aquí otra vez.`,
    there: (name: string) => `Cerrar la sesión en ${name}`,
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
export const singleSignOnProblems: typeof en.singleSignOnProblems = {
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
