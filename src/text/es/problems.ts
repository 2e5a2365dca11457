import type { problems as en, badQuery as enBadQuery } from '../en/problems.js'

/** What went wrong and what to do, for pages and problem documents: a title and a sentence per code. */
export const problems: typeof en = {
  bad_request: {
    title: 'No se ha entendido la petición',
    detail: 'Compruebe la dirección y vuelva a intentarlo.',
  },
  malformed_body: {
    title: 'No se ha podido leer la petición',
    detail: 'Lo enviado está incompleto o no tiene el formato que dice tener. Vuelva a enviarlo.',
  },
  bad_query: {
    title: 'Ese filtro no existe',
    detail: 'Uno de los filtros de la dirección tiene un valor desconocido. Elija los filtros otra vez.',
  },
  unauthenticated: {
    title: 'Hay que iniciar sesión',
    detail: 'Para esto hace falta iniciar sesión, o una clave que sea válida aquí.',
  },
  wrong_credentials: {
    title: 'El correo electrónico o la contraseña no son correctos',
    detail: 'Compruebe ambos y vuelva a intentarlo.',
  },
  second_factor_required: {
    title: 'Hace falta además un código',
    detail:
      'Esta cuenta tiene un segundo factor. Envíe también el código de la aplicación de autenticación o un código de recuperación.',
  },
  wrong_code: {
    title: 'Ese código no es correcto',
    detail:
      'Cada código sirve una vez, durante medio minuto. Espere al siguiente o use un código de recuperación.',
  },
  code_too_late: {
    title: 'Inicie sesión otra vez',
    detail: 'El código no llegó a tiempo o hubo demasiados incorrectos. Empiece de nuevo con la contraseña.',
  },
  sign_in_again: {
    title: '¿Es usted?',
    detail: 'Antes de hacer esto, inicie sesión otra vez: han pasado más de diez minutos.',
  },
  second_factor_needed: {
    title: 'Configure antes su segundo factor',
    detail:
      'El edificio pide un segundo factor a todas las personas de la oficina. Hasta que lo tenga, esto está cerrado para usted.',
  },
  second_factor_is_on: {
    title: 'Su segundo factor ya está activado',
    detail: 'No se ha cambiado nada. Desactívelo antes para configurarlo con otro teléfono.',
  },
  second_factor_is_off: { title: 'Su segundo factor está desactivado', detail: 'Configúrelo antes.' },
  second_factor_demanded: {
    title: 'El edificio lo pide a todas las personas de la oficina',
    detail:
      'No se puede desactivar. Con otro teléfono, pida a una persona con el rol Admin que lo quite y configúrelo de nuevo.',
  },
  forbidden: {
    title: 'Esta cuenta no puede hacer eso',
    detail: 'La cuenta no tiene permiso para hacerlo. Si lo necesita, pídalo a la administración.',
  },
  admin_only: {
    title: 'Solo un administrador puede cambiarlo',
    detail: 'No se guardó nada. Pida a un administrador que cambie el ajuste que aquí se nombra.',
  },
  foreign_origin: {
    title: 'Eso venía de otra web',
    detail:
      'Por seguridad solo se admiten formularios de estas mismas páginas. Abra la página aquí y vuelva a intentarlo.',
  },
  other_author: {
    title: 'Eso lo escribió otra persona',
    detail:
      'Se escribió cuando otra persona tenía la sesión iniciada aquí y no se ha enviado. Inicie sesión como esa persona y envíelo otra vez, o abra la página de nuevo y escríbalo usted.',
  },
  form_expired: {
    title: 'El formulario ha caducado',
    detail: 'Vuelva atrás, cargue la página de nuevo y envíe el formulario otra vez.',
  },
  not_found: {
    title: 'Aquí no hay nada',
    detail: 'Puede que la dirección esté mal escrita o que lo que había aquí ya no exista.',
  },
  asset_not_found: {
    title: 'Esa pegatina no se reconoce',
    detail: 'La instalación de este código ya no está en la lista. Elíjala más abajo.',
  },
  method_not_allowed: {
    title: 'Eso no funciona aquí',
    detail: 'Esta dirección existe, pero no para ese tipo de petición.',
  },
  timeout: {
    title: 'Ha tardado demasiado',
    detail: 'La conexión era demasiado lenta. Vuelva a intentarlo.',
  },
  conflict: {
    title: 'Alguien se ha adelantado',
    detail: 'Algo ha cambiado en ese mismo momento. Cargue la página de nuevo y compruébelo.',
  },
  incident_verified: {
    title: 'Esta incidencia está cerrada',
    detail: 'Se confirmó que estaba arreglada. Si vuelve el problema, envíe un aviso nuevo.',
  },
  incident_merged: {
    title: 'Este aviso se unió a otra incidencia',
    detail: 'Todo sigue allí. Vaya a la otra incidencia y hágalo desde ella.',
  },
  already_acknowledged: {
    title: 'Alguien ya ha respondido',
    detail: 'No se ha cambiado nada. La respuesta está en la incidencia.',
  },
  incident_closed: {
    title: 'Está cerrada',
    detail: 'No se ha cambiado nada: lo cerrado no se encarga a nadie. Ábrala de nuevo primero.',
  },
  newer_word: {
    title: 'Alguien ha escrito después',
    detail: 'No se ha cambiado nada. Lea el comentario nuevo antes de marcar la incidencia como leída.',
  },
  timeline_full: {
    title: 'Aquí no caben más comentarios',
    detail:
      'Su comentario no se guardó. Ya escribió aquí todo lo que puede escribir una persona, o la incidencia está llena. Lo escrito hasta ahora se conserva. Si hay algo nuevo, comuníquelo como otra incidencia.',
  },
  incident_not_resolved: {
    title: 'Todavía no hay nada que confirmar',
    detail: 'Solo se puede confirmar una incidencia que la administración haya marcado como resuelta.',
  },
  merge_into_itself: {
    title: 'Es la misma incidencia',
    detail: 'Elija otra incidencia a la que unirla.',
  },
  merge_already_merged: {
    title: 'Ya se había unido antes',
    detail: 'Este aviso ya forma parte de otra incidencia.',
  },
  merge_cycle: { title: 'Esas dos ya son una', detail: 'La otra incidencia se unió a esta.' },
  unmerge_not_merged: {
    title: 'No hay nada que deshacer',
    detail: 'Esta incidencia no está unida a otra: ya es independiente, o alguien lo ha deshecho antes.',
  },
  unmerge_too_late: {
    title: 'Es demasiado tarde para deshacerlo',
    detail:
      'Una unión se puede deshacer durante diez minutos. Si fue un error, avise de lo que queda como incidencia nueva.',
  },
  unmerge_survivor_merged: {
    title: 'Después se unió a otra',
    detail: 'La incidencia a la que se unió forma ya parte de otra. Deshaga primero esa unión.',
  },
  changed_meanwhile: {
    title: 'Alguien ha cambiado esto entretanto',
    detail: 'Compruebe lo que dice ahora y repita el cambio.',
  },
  answered_meanwhile: {
    title: 'Entretanto se ha dicho algo',
    detail: 'No se ha guardado nada. Lea lo que se dijo y envíe lo suyo de nuevo si aún hay que decirlo.',
  },
  edited_meanwhile: {
    title: 'Alguien ha cambiado esto entretanto',
    detail: 'No se ha guardado nada. En cada campo está lo que dice ahora: compruébelo y envíe otra vez.',
  },
  deleted_meanwhile: {
    title: 'Alguien ha eliminado esto entretanto',
    detail: 'Lo que ha escrito sigue aquí. Envíelo para añadirlo de nuevo o salga de la página.',
  },
  not_failed: {
    title: 'Ese envío no ha fallado',
    detail: 'Ya se entregó o se está volviendo a intentar. Cargue la lista de nuevo.',
  },
  mail_nothing_new: {
    title: 'Ese correo no dice nada nuevo',
    detail: 'Solo cita uno anterior, así que no se ha añadido nada a la incidencia.',
  },
  mail_sorted: {
    title: 'Ese correo ya está clasificado',
    detail: 'Alguien lo convirtió en incidencia o lo descartó. Vuelva a cargar la lista.',
  },
  in_use: {
    title: 'Todavía hace falta',
    detail: 'Hay otras cosas que dependen de ello. Archívelo en lugar de eliminarlo.',
  },
  occurrence_begun: {
    title: 'Esa fecha ya ha empezado',
    detail:
      'Lo que ha empezado se queda como fue. De un mantenimiento en curso solo se puede cambiar el final, a una hora futura.',
  },
  window_does_not_repeat: {
    title: 'Ese mantenimiento se hace una sola vez',
    detail: 'No hay fechas sueltas que suprimir o cambiar. Cambie su horario o elimínelo.',
  },
  window_not_begun: {
    title: 'No hay ninguna serie que terminar',
    detail: 'Ninguna de sus fechas ha empezado. Elimínelo o indique un último día.',
  },
  mobile_reporter: {
    title: 'Esa cuenta es de la aplicación',
    detail: 'La usan todas las personas que envían avisos con la aplicación móvil. No se puede cambiar.',
  },
  user_inactive: {
    title: 'Esa cuenta no está activa',
    detail: 'Actívela primero: al activar una cuenta, la invitación se envía sola.',
  },
  user_has_history: {
    title: 'Esta persona tiene un historial aquí',
    detail:
      'Hay avisos, comentarios o entradas del registro de actividad con su nombre. Desactive la cuenta en lugar de eliminarla.',
  },
  link_over: {
    title: 'Este enlace ya no funciona',
    detail: 'Ya se usó o ha caducado. Pida uno nuevo.',
  },
  last_admin: {
    title: 'Tiene que quedar una persona con el rol Admin',
    detail: 'Asigne antes el rol a otra persona.',
  },
  email_taken: { title: 'Esa dirección ya tiene cuenta', detail: 'Use otro correo electrónico.' },
  name_taken: { title: 'Ese nombre ya existe', detail: 'Use otro nombre.' },
  too_large: {
    title: 'Es demasiado de una vez',
    detail: 'Envíe menos: menos fotos o más pequeñas, o un texto más corto.',
  },
  unsupported_type: {
    title: 'Ese tipo de contenido no se puede leer',
    detail: 'Envíe JSON o un formulario; las fotos, en JPEG, PNG, WebP o AVIF.',
  },
  type_missing: {
    title: 'No se sabe qué tipo de contenido es',
    detail: 'Indique qué envía. Para JSON, envíe la cabecera «Content-Type: application/json».',
  },
  invalid: { title: 'Hay un problema', detail: 'Corrija lo que está marcado y vuelva a enviarlo.' },
  idempotency_reused: {
    title: 'Esa clave se usó para otra cosa',
    detail: 'Una Idempotency-Key es de una sola petición. Use una clave nueva para cada petición nueva.',
  },
  throttled: { title: 'Demasiados intentos seguidos', detail: 'Espere un poco y vuelva a intentarlo.' },
  internal: {
    title: 'Ha fallado algo en el servicio',
    detail:
      'El fallo ha quedado anotado. Vuelva a intentarlo; si continúa, dé a la administración la referencia de abajo.',
  },
  unavailable: {
    title: 'El servicio no puede responder ahora',
    detail: 'No se ha guardado nada. Espere unos segundos y vuelva a intentarlo.',
  },
  emails_full: {
    title: 'Hay demasiados correos por clasificar',
    detail:
      'No se guardó nada. Envíe el correo más tarde: la administración debe clasificar antes los que esperan.',
  },
  photo_store_away: {
    title: 'Ahora no se pueden guardar fotos',
    detail: 'No se ha guardado nada. Vuelva a intentarlo dentro de un momento o envíelo sin fotos.',
  },
  outcome_unknown: {
    title: 'No se sabe si ha funcionado',
    detail: 'La conexión se cortó en el último momento. Mire si está hecho antes de enviarlo otra vez.',
  },
}

/** Which parameter of an address is wrong, and what it may be. */
export const badQuery: typeof enBadQuery = {
  value: (name) => `El parámetro «${name}» tiene un valor desconocido. Corríjalo.`,
  allowed: (name, values) => `El parámetro «${name}» admite uno de estos valores: ${values}.`,
  repeated: (name) => `Envíe el parámetro «${name}» una sola vez y sin corchetes.`,
}
