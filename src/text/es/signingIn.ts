import type {
  singleSignOn as enSingleSignOn,
  singleSignOnProblems as enSingleSignOnProblems,
} from '../en/signingIn.js'
import { plural } from '../plural.js'

const count = plural('es')

/** The pages of the second factor, and those that ask for it. */
export const secondFactor = {
  title: 'Segundo factor',
  intro:
    'Con un segundo factor, nadie entra en su cuenta solo con la contraseña: para iniciar sesión hace falta además un código que muestra una aplicación de su teléfono.',
  demanded:
    'El edificio lo pide a todas las personas de la oficina. Hasta que lo configure, las páginas de la oficina están cerradas para usted.',
  state: { on: 'Está activado.', started: 'Todavía no está activado.', off: 'Está desactivado.' },
  open: { on: 'Cambiarlo', off: 'Configurarlo' },
  start: 'Configurarlo',
  app: 'Primero',
  appHint:
    'Abra una aplicación de autenticación en su teléfono. Si no tiene ninguna, instale una: sirve cualquiera que muestre códigos de seis cifras.',
  scan: 'Después',
  scanHint: 'Deje que la aplicación lea este código.',
  qr: 'Un código para la cámara de su aplicación de autenticación. Lo mismo está abajo como texto.',
  typed: 'O escriba esto en ella:',
  confirm: 'Por último',
  confirmHint: 'Escriba las seis cifras que la aplicación muestra ahora.',
  code: 'Código',
  confirmSend: 'Activarlo',
  cancel: 'No configurarlo',
  codesTitle: 'Sus códigos de recuperación',
  codesOnce:
    'Si pierde el teléfono, cada uno de estos códigos le deja entrar una vez en lugar de un código de la aplicación. Imprímalos o anótelos y guárdelos donde guarda sus papeles. Se muestran esta única vez y nunca más.',
  codesDone: 'Los tengo en papel',
  codesLeft: (n: number) =>
    count(n, { one: 'Queda 1 código de recuperación.', other: `Quedan ${n} códigos de recuperación.` }),
  noneLeft: 'No le queda ningún código de recuperación. Cree otros nuevos.',
  remakeHint: 'Los códigos nuevos sustituyen a los anteriores, que dejan de servir.',
  remake: 'Crear códigos de recuperación nuevos',
  offTitle: 'Desactivarlo',
  offHint: 'Entonces basta con la contraseña. Desactívelo y vuelva a activarlo cuando tenga otro teléfono.',
  off: 'Desactivarlo',
  reset: {
    title: 'Segundo factor',
    hint: 'Para quien ha perdido el teléfono y los códigos de recuperación, y a quien usted ha visto u oído en persona. Se cierra su sesión en todas partes y entra solo con la contraseña hasta que vuelva a configurarlo.',
    send: 'Quitar el segundo factor',
  },
  required: { off: 'A nadie', staff: 'A todas las personas de la oficina' },
  signIn: {
    title: 'Introduzca su código',
    why: 'La contraseña es correcta. Abra la aplicación de autenticación en su teléfono y escriba las seis cifras que muestra ahora.',
    code: 'Código',
    hint: 'Seis cifras.',
    printed: 'Usar un código de recuperación',
    whyPrinted:
      'La contraseña es correcta. Escriba uno de sus códigos de recuperación impresos. Cada uno sirve una vez.',
    printedHint: 'Diez letras y cifras.',
    send: 'Iniciar sesión',
    again: 'Iniciar sesión con otra cuenta',
  },
  again: {
    title: '¿Es usted?',
    why: 'Hace un rato que inició sesión. Antes de hacer esto, diga otra vez quién es. No se pierde nada: se sigue en cuanto lo haga.',
    password: 'Su contraseña',
    code: 'Código de su aplicación de autenticación',
    codeHint: 'O uno de sus códigos de recuperación impresos.',
    retype: {
      password: 'La contraseña nueva, otra vez',
      currentPassword: 'La contraseña actual, otra vez',
      code: 'Un código nuevo, otra vez',
    } as Record<string, string>,
    send: 'Soy yo, continuar',
  },
}

/** Mails about what was done to an account. */
export const noticeMails = {
  subject: {
    new_device: 'Su cuenta se ha usado en un navegador nuevo',
    password_changed: 'Se ha cambiado su contraseña',
    email_changed: 'Se ha cambiado la dirección de su cuenta',
    second_factor_on: 'Su segundo factor está activado',
    second_factor_off: 'Su segundo factor está desactivado',
    second_factor_reset: 'Se ha quitado su segundo factor',
    recovery_codes_made: 'Tiene códigos de recuperación nuevos',
    recovery_code_used: 'Se ha usado un código de recuperación',
    identity_linked: 'Hay otra manera de entrar en su cuenta',
    identity_unlinked: 'Se ha quitado una manera de entrar en su cuenta',
  },
  lead: {
    new_device: 'Alguien ha iniciado sesión en su cuenta con un navegador en el que no se había usado antes.',
    password_changed: 'Su cuenta tiene una contraseña nueva.',
    email_changed: 'Su cuenta tiene otra dirección a partir de ahora. Este es el último correo a esta.',
    second_factor_on:
      'A partir de ahora, para iniciar sesión hacen falta la contraseña y un código de su aplicación de autenticación.',
    second_factor_off: 'A partir de ahora, basta con la contraseña para iniciar sesión.',
    second_factor_reset:
      'La oficina del edificio ha quitado su segundo factor porque alguien dijo que se había perdido. Se ha cerrado su sesión en todas partes y basta con la contraseña para iniciar sesión. Vuelva a configurar el segundo factor cuando lo haga.',
    recovery_codes_made: 'Los códigos de recuperación que tenía antes ya no sirven.',
    recovery_code_used:
      'Alguien ha iniciado sesión con uno de sus códigos de recuperación impresos. No vuelve a servir.',
    identity_linked:
      'Su cuenta se ha vinculado con una del otro servicio de inicio de sesión del edificio: quien entre allí con aquella entra aquí con la suya.',
    identity_unlinked:
      'Su cuenta ya no está vinculada con el otro servicio de inicio de sesión del edificio: se entra con la contraseña.',
  },
  when: (time: string) => `Cuándo: ${time}.`,
  whenWhere: (time: string, device: string) => `Cuándo: ${time}. Dónde: ${device}.`,
  office: 'Lo ha hecho la oficina del edificio.',
  yours: 'Si ha sido usted, no tiene que hacer nada.',
  notYours:
    'Si no ha sido usted, puede que otra persona esté en su cuenta: elija enseguida una contraseña nueva con «¿Ha olvidado la contraseña?» en la página de inicio de sesión, mire en su cuenta dónde tiene la sesión iniciada y avise a la oficina del edificio.',
  unwanted: 'Si usted no lo quería, avise enseguida a la oficina del edificio.',
  button: 'Abrir su cuenta',
  why: 'Recibe este correo porque se trata de la seguridad de su cuenta. Estos correos no se pueden desactivar.',
}

/** Signing in at an identity provider: on the sign-in page, on the account page and between them. */
export const singleSignOn: typeof enSingleSignOn = {
  signIn: (name) => `Iniciar sesión con ${name}`,
  or: 'O con la contraseña que tiene aquí:',
  again: (name) => `Iniciar sesión otra vez con ${name}`,
  elsewhere:
    'Se abre en otra pestaña. Cuando haya iniciado sesión allí, vuelva a esta y pulse el botón: no se pierde nada de lo escrito.',
  goOn: 'Ya he iniciado sesión, continuar',
  orPassword: 'O escriba la contraseña que tiene aquí, si tiene una.',
  againDone: {
    title: 'Ha iniciado sesión',
    why: 'Cierre esta pestaña, vuelva a la anterior y pulse su botón.',
    home: 'Ir a la página de inicio',
  },
  signedOut: {
    title: 'Su sesión aquí está cerrada',
    why: (name) =>
      `Con ${name} la sesión sigue abierta: quien use después este navegador podría volver a entrar con ella.`,
    there: (name) => `Cerrar también la sesión de ${name}`,
    home: 'Ir a la página de inicio',
  },
  account: {
    title: 'Inicio de sesión único',
    linked: (name, email, time) => `${email ? `${name}, como ${email}` : name}: vinculada desde ${time}`,
    lastUsed: (time) => `usada por última vez ${time}`,
    neverUsed: 'sin usar todavía',
    none: (name) => `Puede vincular esta cuenta con la que tiene en ${name} e iniciar sesión con ella.`,
    link: (name) => `Vincularla con ${name}`,
    unlink: 'Quitar el vínculo',
    unlinkOne: (name) => `Quitar el vínculo con ${name}`,
    ends: 'Después iniciará sesión con su contraseña, y se cerrará su sesión en todos los demás sitios.',
    needed:
      'Para quitar el vínculo, tenga antes una contraseña aquí: con «¿Ha olvidado la contraseña?» en la página de inicio de sesión.',
  },
  remove: {
    title: 'Inicio de sesión único',
    hint: 'Para quien ya no puede iniciar sesión allí, o cuya cuenta está vinculada con una que no es la suya. Se cierra su sesión en todas partes y entra con su contraseña; una dirección que el otro servicio haya confirmado puede volver a vincularla.',
    send: 'Quitar el vínculo',
  },
  leave: {
    title: (name) => `Vincular su cuenta con ${name}`,
    why: (name) => `Inicie sesión ahora con ${name}. Después podrá usarla para entrar aquí.`,
    go: (name) => `Continuar a ${name}`,
    cancel: 'No vincularla',
  },
  confirm: {
    title: (name) => `¿Vincular esta cuenta de ${name}?`,
    who: (who, name) => `${who} (${name})`,
    account: (email) => `Se vincularía con la cuenta que tiene aquí, ${email}.`,
    check: (name) =>
      `Quien pueda iniciar sesión con ${name} como la persona de arriba entrará en la cuenta que usted tiene aquí. Si no es usted, no la vincule: cierre la sesión de ${name} y empiece de nuevo.`,
    send: 'Soy yo, vincularla',
    cancel: 'No vincularla',
  },
}

/** What goes wrong on the way to an identity provider and back. */
export const singleSignOnProblems: typeof enSingleSignOnProblems = {
  provider_away: {
    title: 'El otro servicio de inicio de sesión no responde',
    detail: 'Puede que vuelva en un minuto: inténtelo entonces o entre con la contraseña que tiene aquí.',
  },
  sign_in_over: {
    title: 'Ese inicio de sesión ya no vale',
    detail: 'Ha tardado demasiado, ya se usó o empezó en otro navegador. Empiece de nuevo aquí.',
  },
  provider_denied: {
    title: 'No se ha iniciado la sesión',
    detail:
      'El otro servicio de inicio de sesión dice que usted lo dejó allí o que no puede entrar aquí. Vuelva a intentarlo o entre con la contraseña que tiene aquí.',
  },
  provider_refused: {
    title: 'Ese inicio de sesión no se ha podido comprobar',
    detail:
      'Lo que dijo el otro servicio de inicio de sesión no es válido, así que no ha entrado nadie. Empiece de nuevo; si sigue igual, avise a la oficina del edificio.',
  },
  provider_not_asked: {
    title: 'El otro servicio de inicio de sesión no pidió su contraseña',
    detail:
      'Para esto tiene que decir que usted acaba de iniciar sesión. Elija una contraseña aquí con «¿Ha olvidado la contraseña?» y use esa.',
  },
  identity_unknown: {
    title: 'Aquí nadie está vinculado con esa cuenta',
    detail:
      'Entre con la contraseña que tiene aquí y vincúlela en la página de su cuenta, o pregunte a la oficina del edificio.',
  },
  identity_unverified: {
    title: 'La dirección de esa cuenta no está confirmada',
    detail:
      'Confírmela en el otro servicio de inicio de sesión y vuelva a intentarlo, o entre con la contraseña que tiene aquí.',
  },
  identity_other: {
    title: 'Esa es otra cuenta',
    detail:
      'Su cuenta de aquí está vinculada con otra de ese servicio. Entre con aquella o pregunte a la oficina del edificio.',
  },
  identity_taken: {
    title: 'Eso no se puede vincular',
    detail: 'Una de las dos ya está vinculada con otra cuenta. No se ha cambiado nada.',
  },
  identity_needed: {
    title: 'Su cuenta se quedaría sin entrada',
    detail: 'No tiene aquí una contraseña con la que pueda entrar, así que el vínculo se queda.',
  },
  second_factor_elsewhere: {
    title: 'Entre antes de la otra manera',
    detail:
      'Su cuenta está vinculada con el otro servicio de inicio de sesión del edificio. Cierre la sesión, entre con aquel y haga esto después. Si no puede, pida a una persona con el rol Admin que quite el vínculo.',
  },
  password_closed: {
    title: 'La oficina entra de la otra manera',
    detail:
      'Con una contraseña no se entra en esta cuenta. Use el primer botón de la página de inicio de sesión.',
  },
}
