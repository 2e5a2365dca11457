import type {
  residents as en,
  incidentFields as enFields,
  followMails as enFollowMails,
  followPages as enFollowPages,
} from '../en/residents.js'
import { count, counted } from './counted.js'

/** The office's reasons for a wait; a reason in its own words is shown unchanged. */
const reasons: typeof en.reasons = {
  waiting_for_parts: 'A la espera de piezas',
  engineer_coming: 'El servicio técnico está en camino',
  being_repaired: 'Se está reparando',
  watching: 'Se ha reparado y se comprueba que aguanta',
}

/** The residents' pages: what is known, what happens next, when it works again. */
export const residents: typeof en = {
  reasons,
  reason: (said: string): string =>
    Object.hasOwn(reasons, said) ? reasons[said as keyof typeof reasons] : said,
  affects: 'Alcance',
  affected: (n: number) => counted(n, 'persona afectada', 'personas afectadas'),
  answer: {
    operational: () => 'Funciona.',
    maintenance: (_since: string, until: string) => `Hay mantenimiento previsto hasta el ${until}.`,
    degraded: (since: string) => `Tiene problemas desde el ${since}.`,
    down: (since: string) => `Está fuera de servicio desde el ${since}.`,
  },
  doing: 'Qué se está haciendo',
  officeSays: (time: string) => `La administración, el ${time}:`,
  nothingSaid: 'La administración todavía no ha dicho qué se está haciendo.',
  toIncident: (id: number) => `Leer todo sobre INC-${id}`,
  alternatives: (category: string, tower: string, working: number, total: number) =>
    `${category}, ${tower}: funcionan ${working} de ${total}`,
  office: {
    expectedBackAt: 'Vuelta al servicio prevista',
    expectedBackHint: (zone: string) =>
      `Lo ve todo el edificio. En blanco: no se da ninguna fecha. Zona horaria: ${zone}.`,
    statusReason: 'Qué se está haciendo',
    statusReasonHint:
      'Lo ve todo el edificio, también en la página de estado. Se borra al resolver la incidencia.',
    noReason: 'No se dice nada',
    other: 'Otra cosa:',
    otherReason: 'Otra cosa, en pocas palabras',
  },
  expected: (time: string) => `Vuelta al servicio prevista: ${time}`,
  late: (time: string) =>
    `La vuelta al servicio estaba prevista para el ${time}. La administración todavía no ha dado otra fecha.`,
  resume:
    'Entretanto se ha cerrado la sesión. Lo que escribió está guardado: inicie sesión y podrá enviarlo.',
  known: {
    title: (n: number) => count(n, { one: '¿Es esto?', other: '¿Es una de estas incidencias?' }),
    hint: 'Si lo es, pulse el botón: recibirá un mensaje cuando esté arreglado y no hace falta escribir nada.',
    none: 'Ahora mismo no hay ningún aviso sobre esto.',
    me: 'A mí también me pasa',
    meWith: (title: string) => `A mí también me pasa: ${title}`,
    mine: 'Ya está siguiendo esta incidencia.',
    reported: (time: string) => `aviso del ${time}`,
    more: 'Todas sus incidencias',
    said: (name: string, status: string, n: number) =>
      `${name}: ${status}. ${counted(n, 'aviso sin resolver', 'avisos sin resolver')}.`,
    other: 'Es otra cosa',
  },
  mine: {
    title: 'Mis avisos',
    intro: 'Los avisos que ha enviado y las incidencias que sigue, de lo más reciente a lo más antiguo.',
    none: 'Todavía no ha enviado ningún aviso ni sigue ninguna incidencia.',
    reported: 'Aviso propio.',
    hidden: 'Aviso propio. El resto de residentes no ve el nombre.',
    followed: 'En seguimiento.',
    notFollowing: 'Sin seguimiento.',
    verify: 'La administración dice que está hecho. ¿Está arreglado?',
    older: 'Avisos anteriores',
  },
  photos: { remove: 'Quitar la foto', sending: 'Enviando las fotos', sent: 'Enviado.' },
  display: {
    problems: 'Lo que no va bien',
    turn: (n: number, all: number) => `página ${n} de ${all}`,
    today: 'Mantenimiento previsto hoy',
    noWork: 'Ninguno.',
    scan: 'Escanee para avisar de un problema',
    code: (address: string) => `Código QR que abre ${address}/report`,
    orType: 'O abra',
    asOf: 'Hora de los datos:',
    stale:
      'Esta pantalla lleva más de tres minutos sin novedades. Lo que muestra es de la hora indicada abajo y puede haber cambiado desde entonces.',
  },
  sent: {
    title: 'El aviso ha llegado',
    reference: 'Referencia',
    next: 'Qué pasa ahora',
    target: (time: string) => `Se ha informado a la administración, que intenta responder antes del ${time}.`,
    late: 'Se ha informado a la administración. Todavía no ha respondido, aunque pretendía hacerlo antes.',
    now: (status: string) => `Ahora su estado es «${status}».`,
    follow: 'Está siguiendo esta incidencia: recibirá un mensaje cuando algo cambie.',
    noFollow: 'No está siguiendo esta incidencia: no recibirá mensajes cuando algo cambie.',
    here: (name: string) => `Avisar de otro problema con ${name}`,
    another: 'Avisar de otro problema',
    status: 'Volver al estado del edificio',
  },
}

/** What is wrong with a field of an incident that the office fills in. */
export const incidentFields: typeof enFields = {
  downtime_not_boolean: 'El valor de «fuera de servicio» tiene que ser true o false',
  downtime_needs_asset: 'Solo una instalación puede estar fuera de servicio, no una vivienda',
  downtimeStart_unknown: 'Indique una fecha y una hora',
  downtimeStart_future: 'El tiempo fuera de servicio no puede empezar en el futuro',
  downtimeStart_after_end: 'El tiempo fuera de servicio tiene que empezar antes de resolverse la incidencia',
  downtimeEnd_unknown: 'Indique una fecha y una hora',
  downtimeEnd_unresolved: 'Resuelva antes la incidencia: hasta entonces sigue fuera de servicio',
  downtimeEnd_future: 'El tiempo fuera de servicio no puede terminar en el futuro',
  downtimeEnd_before_start: 'El tiempo fuera de servicio tiene que terminar después de empezar',
  retroactive_not_boolean: 'Si la gravedad cuenta también para el pasado tiene que ser true o false',
  expectedBack_unknown: 'Indique una fecha y una hora',
  expectedBack_required: 'Indique una fecha y una hora',
  expectedBack_past: 'La vuelta al servicio no puede estar prevista en el pasado',
  expectedBack_resolved: 'La incidencia está resuelta: no hay nada que esperar',
  statusReason_required: 'Indique en pocas palabras qué se está haciendo',
  statusReason_too_long: 'Lo que se está haciendo puede tener como máximo 200 caracteres',
}

/** Following by mail: the form, the page of its link, and the account's list. */
export const followPages: typeof enFollowPages = {
  title: 'Recibir correos',
  about: {
    building: (name: string) => `Correos sobre ${name}: todo el edificio`,
    tower: (name: string) => `Correos sobre todo lo que hay en ${name}`,
    asset: (name: string) => `Correos sobre ${name}`,
    incident: (name: string) => `Correos sobre ${name}`,
  },
  what: 'Escribimos cuando algo queda fuera de servicio o vuelve a funcionar, cuando se prevé, se cambia o termina un mantenimiento y cuando cambia la hora prevista. Como mucho un correo cada diez minutos sobre lo mismo.',
  whatIncident: 'Se le cuenta como alguien a quien también le pasa y escribimos cuando cambia su estado.',
  noAccount:
    'No hace falta cuenta. Primero enviamos un enlace a la dirección; cada correo lleva un enlace para dejar de recibirlos.',
  email: 'Dirección de correo',
  send: 'Enviar el enlace',
  begin: 'Recibir estos correos',
  end: 'Dejar de recibirlos',
  endOne: (name: string) => `Dejar de recibir correos sobre ${name}`,
  on: 'Estos correos ya se reciben.',
  confirmTitle: '¿Recibir estos correos?',
  confirmedTitle: 'Estos correos llegan',
  confirmHint:
    'Llegan a la dirección a la que se envió el enlace. Cada uno lleva un enlace para dejar de recibirlos.',
  confirmButton: 'Sí, recibirlos',
  confirmed: 'Hecho. A partir de ahora llegarán estos correos.',
  ownTitle: 'Lo que sigo',
  ownHint: 'Llegan correos sobre esto. Las incidencias se dejan de seguir en su página.',
  ownNone: 'Nada todavía. En la página de un ascensor, una puerta u otra instalación hay un botón para ello.',
  building: 'Recibir correos sobre el edificio',
  tower: (name: string) => `Recibir correos sobre ${name}`,
}

/** The mail with the link to confirm, and mails about assets. */
export const followMails: typeof enFollowMails = {
  confirm: {
    subject: (name: string) => `Falta confirmar: correos sobre ${name}`,
    title: (name: string) => `Correos sobre ${name}`,
    lead: 'Alguien, esperamos que quien lee esto, ha pedido estos correos para esta dirección. Para recibirlos hay que pulsar el botón. Si ha sido otra persona, no hay que hacer nada: no llegará ninguno más.',
    button: 'Sí, quiero estos correos',
    why: 'Este único correo llega porque alguien escribió esta dirección.',
  },
  subject: {
    down: (name: string) => `Fuera de servicio: ${name}`,
    back: (name: string) => `De nuevo en servicio: ${name}`,
    expected: (name: string, time: string) => `Se prevé para ${time}: ${name}`,
    unexpected: (name: string) => `Ya no hay hora prevista: ${name}`,
    work: {
      new: (name: string) => `Mantenimiento previsto: ${name}`,
      moved: (name: string) => `Mantenimiento cambiado de hora: ${name}`,
      skipped: (name: string) => `Esta vez no hay mantenimiento: ${name}`,
      cancelled: (name: string) => `Mantenimiento cancelado: ${name}`,
      ahead: (name: string) => `Mantenimiento en menos de un día: ${name}`,
      done: (name: string) => `Mantenimiento terminado: ${name}`,
    },
    more: (subject: string, n: number) => `${subject}, y ${n} más`,
  },
  lead: {
    down: 'Está fuera de servicio.',
    back: {
      operational: 'Vuelve a estar en servicio.',
      degraded: 'Vuelve a estar en servicio, todavía con algún problema.',
      maintenance: 'Está reparado. Se está haciendo un mantenimiento previsto.',
    },
    expected: (time: string) => `Se prevé que vuelva a funcionar para ${time}.`,
    unexpected: 'La oficina ya no prevé una hora concreta.',
    work: {
      new: 'Se ha previsto un mantenimiento. Es posible que no se pueda usar entonces.',
      moved: 'El mantenimiento previsto ha cambiado de hora.',
      skipped: 'El mantenimiento previsto para esa fecha no se hará. Las demás fechas no cambian.',
      cancelled: 'El mantenimiento previsto no se hará.',
      ahead:
        'El mantenimiento previsto empieza en menos de un día. Es posible que no se pueda usar entonces.',
      done: 'El mantenimiento previsto ha terminado.',
    },
  },
  button: (name: string) => `Abrir ${name}`,
  why: 'Este correo llega porque alguien en esta dirección lo sigue por correo.',
  stop: 'Dejar de recibir estos correos',
}
