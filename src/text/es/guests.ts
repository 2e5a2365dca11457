import type { guestProblems as enGuestProblems, guests as enGuests } from '../en/guests.js'

/** What people without a session see: reporting, the link that signs in by mail, and the answer by mail. */
export const guests: typeof enGuests = {
  kept: 'Su aviso se guarda durante una hora, con sus fotos. Diga quién es y se envía enseguida.',
  sendAs: 'Al enviarlo dirá quién es. Puede iniciar sesión con una contraseña o con un enlace por correo.',
  noAccount: '¿Todavía no tiene cuenta? La administración se la crea.',
  noAccountCall: (phone: string) => `¿Todavía no tiene cuenta? Pregunte en la administración: ${phone}`,
  link: {
    title: 'Sin contraseña',
    hint: 'Enviamos un enlace a la dirección de su cuenta. Inicia la sesión una sola vez, en este navegador.',
    send: 'Enviarme un enlace',
    sentTitle: 'Mire su correo',
    sent: 'Si esta dirección tiene cuenta, le llegará un enlace. Sirve durante 15 minutos.',
    here: 'Ábralo en este dispositivo y en este navegador. En otro no inicia ninguna sesión.',
    nothing: '¿No ha llegado nada? Mire en el correo no deseado o pida otro enlace.',
    again: 'Pedir otro enlace',
    openTitle: 'Iniciar sesión',
    open: (name: string) => `Este enlace es para ${name}.`,
    button: 'Iniciar sesión',
  },
  fixed: {
    title: '¿Está arreglado?',
    resolved: (time: string) => `La administración dice desde el ${time} que está hecho.`,
    notYet: 'Abrir esta página no dice nada. Elija una de las dos respuestas.',
    answered: {
      title: 'Ya hay una respuesta',
      fixed: 'Se ha confirmado que está arreglado. Si vuelve a fallar, envíe otro aviso.',
      notFixed: 'Alguien ha dicho que no está arreglado, o la administración se ocupa de nuevo.',
      earlier:
        'Este enlace preguntaba por una reparación anterior. Abra la incidencia para ver cómo está ahora.',
    },
    merged: (id: number) => `Este aviso se unió a INC-${id} y se sigue allí.`,
    open: (id: number) => `Abrir INC-${id}`,
    signIn: 'Inicie sesión para decir si está arreglado',
  },
  again: 'Vuelve a fallar',
  againText: (id: number) => `Vuelve a fallar, como en INC-${id}.`,
  place: {
    question: '¿Dónde es?',
    asset: 'Algo que usan todos',
    own: (name: string) => `Mi vivienda (${name})`,
    other: 'Otra vivienda',
    unit: 'Algo dentro de una vivienda',
  },
}

/** What went wrong with these links and reports. */
export const guestProblems: typeof enGuestProblems = {
  sign_in_link_over: {
    title: 'Este enlace ya no funciona',
    detail: 'Ya se usó o tiene más de 15 minutos. Pida otro en la página para iniciar sesión.',
  },
  sign_in_link_elsewhere: {
    title: 'Abra este enlace donde lo pidió',
    detail:
      'Por seguridad solo inicia sesión en el dispositivo y el navegador en que se pidió. Ábralo allí: no se ha gastado. O pida otro aquí.',
  },
  answer_link_over: {
    title: 'Este enlace ya no funciona',
    detail: 'No está completo o tiene más de 30 días. Abra la incidencia en su lugar.',
  },
  guest_reports_full: {
    title: 'Demasiados avisos esperan a que alguien inicie sesión',
    detail:
      'No se ha perdido nada: lo que ha escrito está abajo. Inicie sesión antes en otra pestaña o vuelva a intentarlo en una hora.',
  },
}
