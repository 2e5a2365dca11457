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
