import type { words as en } from '../en/words.js'
import { count, counted, listed } from './counted.js'

const named = (names: string[], more: number) => listed(more > 0 ? [...names, `${more} más`] : names)

/** Words used everywhere: states, severities, units of time. */
export const words: typeof en = {
  assetStatus: {
    operational: 'Funciona',
    degraded: 'Funciona con problemas',
    down: 'Fuera de servicio',
    maintenance: 'Mantenimiento previsto',
  },
  status: {
    open: 'Avisada',
    acknowledged: 'Vista por la administración',
    in_progress: 'En reparación',
    resolved: 'Arreglada, según la administración',
    verified: 'Arreglo confirmado',
  },
  statusMeaning: {
    open: 'El aviso ha llegado a la administración.',
    acknowledged: 'Alguien de la administración la ha visto.',
    in_progress: 'Alguien está trabajando en ello.',
    resolved: 'La administración dice que está arreglado. Los residentes pueden confirmarlo.',
    verified: 'Está confirmado que se ha arreglado.',
  },
  severity: { low: 'Baja', medium: 'Media', high: 'Alta', critical: 'Crítica' },
  severityMeaning: {
    low: 'Tiene mal aspecto, pero funciona',
    medium: 'Funciona mal o solo a veces',
    high: 'No se puede usar',
    critical: 'Es peligroso, o nadie puede entrar, salir o moverse por el edificio',
  },
  source: { web: 'desde la web', mobile: 'desde la aplicación', email: 'por correo' },
  role: { resident: 'Residente', board: 'Junta', manager: 'Gestión', admin: 'Admin' },
  recurrence: { none: 'Una vez', weekly: 'Cada semana', monthly: 'Cada mes' },
  ofTheOffice: 'Administración',
  anonymous: 'Residente anónimo',
  system: 'Caretaker',
  byEmail: 'Por correo',
  inboundMail: {
    noSubject: '(sin asunto)',
    nothingNew: 'Respuesta por correo, sin texto nuevo.',
    onlyPhotos: 'Enviado por correo.',
    nameRemoved: '[nombre retirado]',
    notTaken: (n: number) =>
      count(n, {
        one: 'No se ha podido añadir 1 archivo adjunto.',
        many: `No se han podido añadir ${n} de archivos adjuntos.`,
        other: `No se han podido añadir ${n} archivos adjuntos.`,
      }),
    refused: (names: string[], more: number) =>
      `Venía adjunto al correo y no se ha añadido: ${named(names, more)}. Se admiten hasta 5 fotos en JPEG, PNG, WebP o AVIF, de 10 MB cada una.`,
    later: (names: string[], more: number) =>
      `Venía adjunto al correo, pero no se ha podido guardar en ese momento: ${named(names, more)}. Para añadirlo hay que enviarlo otra vez.`,
  },
  hours: (n: number) => counted(n, 'hora', 'horas'),
  days: (n: number) => counted(n, 'día', 'días'),
  list: listed,
}
