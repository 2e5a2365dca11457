import { limits } from '../../vocabulary/limits.js'
import type * as en from '../en/words.js'
import { counted, listed } from './counted.js'

const fileNames = (names: string[], more: number) => listed(more > 0 ? [...names, `${more} más`] : names)

/** Words used everywhere: states, severities, units of time. */
export const words: typeof en.words = {
  assetStatus: {
    operational: 'Funciona',
    degraded: 'Funciona en parte',
    down: 'Fuera de servicio',
    maintenance: 'Mantenimiento programado',
  },
  status: {
    open: 'Reportado',
    acknowledged: 'Visto por la administración',
    in_progress: 'En reparación',
    resolved: 'Marcado como arreglado',
    verified: 'Arreglo confirmado',
  },
  statusMeaning: {
    open: 'La administración todavía no lo vio.',
    acknowledged: 'La administración del edificio ya lo vio.',
    in_progress: 'La administración se está ocupando de esto.',
    resolved: 'La administración lo marcó como arreglado. ¿Funciona?',
    verified: 'Un residente o la administración confirmó el arreglo.',
  },
  statusNews: {
    open: 'La administración reabrió este reporte.',
    acknowledged: 'Le escribiremos por correo cuando haya novedades.',
    in_progress: 'Le escribiremos por correo cuando haya novedades.',
    resolved: '¿Está arreglado?',
    verified: 'El reporte está cerrado.',
  },
  notFixed: {
    status: 'Reportado como no arreglado',
    meaning: 'Un residente dice que no está arreglado. Avisamos a la administración.',
    statement: (time: string) => `Reportado como no arreglado, ${time}. Avisamos a la administración.`,
  },
  severity: { low: 'Baja', medium: 'Media', high: 'Alta', critical: 'Crítica' },
  severityMeaning: {
    low: 'Se ve mal, pero funciona',
    medium: 'Funciona, pero no bien',
    high: 'No se puede usar',
    critical: 'Es peligroso, o no se puede entrar ni salir',
  },
  source: { web: 'en este sitio', mobile: 'en la aplicación', email: 'por correo' },
  role: { resident: 'Residente', board: 'Junta', manager: 'Gestión', admin: 'Admin' },
  recurrence: { none: 'Una vez', weekly: 'Cada semana', monthly: 'Cada mes' },
  ofTheOffice: 'Administración',
  anonymous: 'Residente anónimo',
  theOffice: 'La administración',
  deletedPerson: 'Persona eliminada',
  system: 'Caretaker',
  byEmail: 'Por correo',
  inApp: 'Reportado en la aplicación',
  inboundEmail: {
    noSubject: '(sin asunto)',
    nothingNew: 'Respondió por correo, sin texto nuevo.',
    onlyPhotos: 'Enviado por correo.',
    removed: '[eliminado]',
    notTaken: (n: number) => `No pudimos guardar ${counted(n, 'archivo adjunto', 'archivos adjuntos')}.`,
    notTakenNamed: (files: string[], more: number) => `No guardamos: ${fileNames(files, more)}.`,
    fileNotTaken: (name: string, why: string) => `${name} (${why})`,
    whyNotTaken: {
      not_a_picture: 'no es una foto',
      unreadable: 'no pudimos leerla',
      too_large: `de más de ${limits.photoBytes / 2 ** 20} MB`,
      too_many_pixels: 'demasiados píxeles',
      too_many: `guardamos ${limits.photosPerPost} fotos de cada correo`,
      heic: 'aquí no se admite HEIC: envíela como JPEG',
      winmail: 'solo Outlook puede abrirlo: envíe el correo como HTML o texto sin formato',
      later: 'no pudimos guardarla en este momento: envíela otra vez',
      refused: 'no pudimos agregarla',
    },
  },
  hours: (n: number) => counted(n, 'hora', 'horas'),
  days: (n: number) => counted(n, 'día', 'días'),
  /** What someone wrote, between marks of quotation. */
  quotation: (text: string) => `«${text}»`,
  list: listed,
}
