import { undoMinutes } from '../../vocabulary/limits.js'
import { freshMinutes } from '../../vocabulary/people/actor.js'
import type * as en from '../en/problems.js'
import { del } from './counted.js'

/**
 * What went wrong and what to do, for pages and problem documents: a title and a sentence per code.
 */
export const problems: typeof en.problems = {
  bad_request: {
    title: 'No entendimos esa solicitud',
    detail: 'Revise la dirección e inténtelo de nuevo.',
  },
  malformed_body: {
    title: 'No pudimos leer esa solicitud',
    detail: 'El contenido está incompleto o tiene un formato incorrecto. Revíselo y envíelo otra vez.',
  },
  bad_query: {
    title: 'Ese filtro no existe',
    detail: 'Elija los filtros otra vez, o abra la lista completa.',
  },
  unauthenticated: {
    title: 'Inicie sesión para continuar',
    detail: 'Debe iniciar sesión o enviar una clave válida.',
  },
  wrong_credentials: {
    title: 'Correo electrónico o contraseña incorrectos',
    detail: 'Revise ambos e inténtelo de nuevo.',
  },
  second_factor_required: {
    title: 'Escriba su código',
    detail:
      'Esta cuenta usa la verificación en dos pasos. Envíe el código de la aplicación de autenticación o un código de recuperación.',
  },
  wrong_code: {
    title: 'Ese código es incorrecto',
    detail:
      'Cada código funciona una vez, durante 30 segundos. Espere el siguiente o use un código de recuperación.',
  },
  email_code_wrong: {
    title: 'Ese código no funciona',
    detail:
      'Es incorrecto, ya se usó o venció. Use el código del correo más reciente, abra su enlace o pida otro.',
  },
  code_too_late: {
    title: 'Inicie sesión otra vez',
    detail:
      'Se acabó el tiempo o escribió demasiados códigos incorrectos. Empiece de nuevo con su contraseña.',
  },
  sign_in_again: {
    title: 'Confirme que es usted',
    detail: `Inició sesión hace más de ${freshMinutes} minutos. Inicie sesión otra vez para continuar.`,
  },
  second_factor_needed: {
    title: 'Configure primero la verificación en dos pasos',
    detail:
      'Todo el personal debe configurar la verificación en dos pasos antes de usar las páginas de administración.',
  },
  second_factor_is_on: {
    title: 'La verificación en dos pasos ya está activada',
    detail: 'No cambió nada. Para usar otro teléfono, desactívela primero.',
  },
  second_factor_is_off: {
    title: 'La verificación en dos pasos está desactivada',
    detail: 'Configúrela primero.',
  },
  second_factor_demanded: {
    title: 'La verificación en dos pasos es obligatoria para el personal',
    detail:
      'No puede desactivarla. Si tiene un teléfono nuevo, pida a un administrador que la restablezca y configúrela otra vez.',
  },
  forbidden: {
    title: 'No tiene acceso',
    detail: 'Si lo necesita, pídalo a la administración del edificio.',
  },
  admin_only: {
    title: 'Solo un administrador puede cambiar esto',
    detail: 'No se guardó nada. Pida a un administrador que cambie la opción que se muestra aquí.',
  },
  foreign_origin: {
    title: 'No pudimos aceptar ese formulario',
    detail:
      'Por su seguridad, solo aceptamos formularios de nuestras páginas. Abra la página aquí e inténtelo de nuevo.',
  },
  other_author: {
    title: 'Otra persona inició sesión',
    detail:
      'Esto se escribió con la sesión de otra persona, así que no lo enviamos. Inicie sesión como esa persona para enviarlo, o recargue la página y escríbalo usted.',
  },
  form_expired: {
    title: 'Este formulario venció',
    detail: 'Vuelva atrás, recargue la página y envíe el formulario otra vez.',
  },
  not_found: {
    title: 'Página no encontrada',
    detail: 'Revise la dirección. Es posible que la página se haya movido o eliminado.',
  },
  asset_not_found: {
    title: 'No reconocemos esta etiqueta',
    detail: 'Puede estar dañada o ser de algo que ya no está aquí. Elija de la lista de abajo.',
  },
  method_not_allowed: {
    title: 'Eso no es posible aquí',
    detail: 'Esta dirección no acepta ese tipo de solicitud.',
  },
  timeout: { title: 'Tardó demasiado', detail: 'Su conexión fue demasiado lenta. Inténtelo de nuevo.' },
  conflict: {
    title: 'Otra persona acaba de cambiar esto',
    detail: 'Recargue la página y revísela antes de intentarlo de nuevo.',
  },
  incident_verified: {
    title: 'Este reporte está cerrado',
    detail: 'El arreglo está confirmado. Si el problema vuelve, repórtelo otra vez.',
  },
  incident_merged: {
    title: 'Este reporte se unió a otro',
    detail: 'Vaya al otro reporte y haga el cambio allí.',
  },
  already_acknowledged: {
    title: 'Ya está marcado como visto',
    detail: 'No cambió nada. Abra el reporte para ver la última novedad.',
  },
  incident_closed: {
    title: 'Este reporte está cerrado',
    detail: 'No cambió nada: no se puede asignar un reporte cerrado. Reábralo primero.',
  },
  newer_word: {
    title: 'Hay un comentario nuevo',
    detail: 'No cambió nada. Lea el comentario nuevo y después marque el reporte como leído.',
  },
  timeline_full: {
    title: 'Este reporte está lleno',
    detail:
      'Su comentario no se guardó. Llegó al límite por persona, o el reporte llegó al suyo. Los comentarios anteriores se conservan. Si tiene algo nuevo que decir, por favor envíe un reporte nuevo.',
  },
  incident_not_resolved: {
    title: 'Alguien respondió antes que usted',
    detail:
      'O la administración todavía no marcó este reporte como arreglado. Abra el reporte para ver su estado actual.',
  },
  merge_into_itself: {
    title: 'Ese es el mismo reporte',
    detail: 'Elija otro reporte al que unirlo.',
  },
  merge_already_merged: {
    title: 'Ya está unido',
    detail: 'Este reporte ya es parte de otro reporte.',
  },
  merge_cycle: { title: 'Ya está unido', detail: 'El otro reporte se unió a este.' },
  unmerge_not_merged: {
    title: 'No hay nada que deshacer',
    detail: 'Este reporte no está unido a otro. Es posible que alguien ya lo haya deshecho.',
  },
  unmerge_too_late: {
    title: 'Es tarde para deshacerlo',
    detail: `Puede deshacer una unión durante ${undoMinutes} minutos. Si la unión fue un error, cree un reporte nuevo.`,
  },
  undo_too_late: {
    title: 'Es tarde para deshacerlo',
    detail: `Solo puede deshacerlo durante ${undoMinutes} minutos.`,
  },
  undelete_blocked: {
    title: 'Esto no se puede recuperar',
    detail: 'Su nombre ya está en uso o se eliminó aquello a lo que pertenecía. Agréguelo de nuevo.',
  },
  unmerge_survivor_merged: {
    title: 'Ese reporte también se unió a otro',
    detail: 'El reporte al que se unió ahora es parte de otro. Deshaga primero esa unión.',
  },
  changed_meanwhile: {
    title: 'Otra persona acaba de cambiar esto',
    detail: 'Revise lo que dice ahora y haga su cambio otra vez.',
  },
  answered_meanwhile: {
    title: 'Otra persona acaba de responder',
    detail: 'Su novedad no se envió. Lea la respuesta y envíe su novedad otra vez si todavía hace falta.',
  },
  edited_meanwhile: {
    title: 'Otra persona acaba de cambiar esto',
    detail: 'No se guardó nada. El valor actual se muestra en cada campo: revíselo y guarde otra vez.',
  },
  deleted_meanwhile: {
    title: 'Esto se eliminó',
    detail: 'Guardamos lo que escribió. Envíelo otra vez para crearlo de nuevo.',
  },
  not_failed: {
    title: 'No hay nada que reintentar',
    detail: 'Ya se entregó o ya se está reintentando. Recargue la lista.',
  },
  webhook_not_retried: {
    title: 'Los webhooks no se reintentan',
    detail:
      'Cada evento se envía a un webhook una sola vez. Solo se pueden reintentar correos y notificaciones de la aplicación.',
  },
  email_nothing_new: {
    title: 'Este correo no tiene texto nuevo',
    detail: 'Solo cita uno anterior, así que no se agregó nada al reporte.',
  },
  email_sorted: {
    title: 'Este correo ya está clasificado',
    detail: 'Alguien lo aceptó o lo descartó. Recargue la lista.',
  },
  in_use: {
    title: 'Todavía está en uso',
    detail: 'Otros elementos dependen de esto. Muévalos o elimínelos primero, o archive esto.',
  },
  occurrence_begun: {
    title: 'Ya empezó',
    detail: 'Solo puede cambiar cuándo termina, y solo a una hora futura.',
  },
  window_does_not_repeat: {
    title: 'Este mantenimiento no se repite',
    detail: 'No hay una fecha que omitir o mover. Cambie sus horas o elimínelo.',
  },
  window_not_begun: {
    title: 'Esta serie todavía no empezó',
    detail: 'No hay nada que terminar. Elimínela o indique una última fecha.',
  },
  mobile_reporter: {
    title: 'Esta es la cuenta de la aplicación',
    detail: 'Se usa para los reportes enviados desde la aplicación móvil, así que no se puede cambiar.',
  },
  user_inactive: {
    title: 'Esta cuenta está inactiva',
    detail: 'Actívela primero. Después enviaremos una invitación automáticamente.',
  },
  user_has_history: {
    title: 'Esta persona tiene reportes anteriores',
    detail:
      'Su nombre está en reportes, comentarios o entradas del registro de auditoría. Desactive la cuenta.',
  },
  link_over: {
    title: 'Este enlace venció',
    detail: 'Ya se usó o es demasiado antiguo. Pida uno nuevo.',
  },
  last_admin: {
    title: 'Debe haber al menos un administrador',
    detail: 'Nombre primero a otro administrador.',
  },
  email_taken: {
    title: 'Este correo electrónico ya está en uso',
    detail: 'Use otro correo electrónico.',
  },
  name_taken: { title: 'Este nombre ya está en uso', detail: 'Use otro nombre.' },
  too_large: {
    title: 'Es demasiado grande',
    detail: 'Envíe menos fotos, fotos más pequeñas o un texto más corto.',
  },
  unsupported_type: {
    title: 'No podemos leer ese tipo de contenido',
    detail: 'Envíe JSON o un formulario. Las fotos pueden ser JPEG, PNG, WebP, AVIF o HEIC.',
  },
  type_missing: {
    title: 'No sabemos qué tipo de contenido es',
    detail: 'Indique qué envía. Para JSON, use el encabezado "Content-Type: application/json".',
  },
  invalid: { title: 'Hay un problema', detail: 'Corrija los errores de abajo.' },
  sent_before: {
    title: 'Usted ya envió esto',
    detail: 'Lo guardamos una vez. ¿Quiere enviarlo una segunda vez?',
  },
  idempotency_reused: {
    title: 'Esa clave se usó para otra cosa',
    detail:
      'Una Idempotency-Key corresponde a una sola solicitud. Use una clave nueva para una solicitud nueva.',
  },
  throttled: { title: 'Demasiadas solicitudes', detail: 'Puede intentarlo otra vez más tarde.' },
  internal: {
    title: 'Lo sentimos, algo salió mal',
    detail: 'Inténtelo de nuevo. Si sigue pasando, dé esta referencia a la administración del edificio.',
  },
  unavailable: {
    title: 'Lo sentimos, el servicio no está disponible',
    detail: 'No se guardó nada. Espere unos segundos e inténtelo de nuevo.',
  },
  email_fields_unknown: {
    title: 'Esto no es un correo en un formato que conozcamos',
    detail:
      'No se guardó nada. No hay ningún campo de asunto, texto o HTML. Configure su proveedor de correo como dice la guía, o envíe el correo completo como «message/rfc822».',
  },
  emails_full: {
    title: 'Hay demasiados correos por clasificar',
    detail:
      'No se guardó nada. Envíe el correo más tarde: la administración debe clasificar primero los que esperan.',
  },
  photo_store_away: {
    title: 'No podemos guardar fotos ahora',
    detail: 'No se guardó nada. Espere unos segundos e inténtelo de nuevo, o envíe sin fotos.',
  },
  outcome_unknown: {
    title: 'No sabemos si funcionó',
    detail: 'Se perdió la conexión. Compruébelo antes de enviar otra vez.',
  },
  export_busy: {
    title: 'Hay muchas descargas en curso',
    detail: 'Inténtelo de nuevo en un minuto.',
  },
}

/** When a request that was refused as one too many is taken again. */
export const throttled: typeof en.throttled = {
  wait: (seconds: number) => `Inténtelo otra vez en ${seconds} ${seconds === 1 ? 'segundo' : 'segundos'}.`,
  until: (time: string) => `Inténtelo otra vez después ${del(time)}.`,
  attempts: 'Demasiados intentos',
  codeInstead: 'O inicie sesión ahora con un código por correo: use el botón de abajo.',
  linkInstead: 'El enlace del correo sigue funcionando.',
}

/** The question before the same form is stored a second time. */
export const sentBefore: typeof en.sentBefore = {
  justNow: 'Usted acaba de enviar esto',
  title: (ago: string) => `Usted ya envió esto (${ago})`,
  send: 'Enviarlo de todos modos',
  open: 'Abrir lo que envió',
  openIncident: (id: string) => `Abrir INC-${id}`,
}

/** Which parameter of an address is wrong, and what it may be. */
export const badQuery: typeof en.badQuery = {
  value: (name: string) => `El parámetro "${name}" tiene un valor desconocido. Corríjalo.`,
  allowed: (name: string, values: string) => `El parámetro "${name}" debe ser uno de estos: ${values}.`,
  time: (name: string) =>
    `El parámetro "${name}" debe ser un día como 2026-05-31 o una hora como 2026-05-31T09:30:00Z.`,
  number: (name: string, from: number, to: number) =>
    `El parámetro "${name}" debe ser un número entero de ${from} a ${to}.`,
  repeated: (name: string) => `Envíe el parámetro "${name}" una sola vez y sin corchetes.`,
}

/** What was not found, for programs: by the word of its address. */
export const notFound: typeof en.notFound = {
  titles: {
    incidents: 'Reporte no encontrado',
    assets: 'Equipo no encontrado',
    units: 'Vivienda no encontrada',
    towers: 'Torre no encontrada',
    contacts: 'Contacto no encontrado',
    maintenance: 'Trabajo programado no encontrado',
    webhooks: 'Webhook no encontrado',
    deliveries: 'Envío no encontrado',
    users: 'Usuario no encontrado',
    audit: 'Entrada de auditoría no encontrada',
    'held-emails': 'Correo electrónico no encontrado',
    emails: 'Correo electrónico no encontrado',
    photos: 'Foto no encontrada',
    templates: 'Plantilla de respuesta no encontrada',
    follows: 'Suscripción no encontrada',
    flags: 'Función no encontrada',
    costs: 'Costo de reparación no encontrado',
    sessions: 'Sesión no encontrada',
    browsers: 'Navegador no encontrado',
    identities: 'Identidad no encontrada',
    year: 'Año no encontrado',
    import: 'Tipo de importación no encontrado',
  },
  anything: 'No encontrado',
  detail: 'No hay nada con este identificador o en esta dirección. Es posible que se haya eliminado.',
}
