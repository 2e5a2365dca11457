import type * as en from '../en/maintenance.js'
import { count } from './counted.js'

/** The office's pages of planned work. */
export const maintenance: typeof en.maintenance = {
  title: 'Mantenimiento programado',
  intro: 'La página de estado lo muestra con 30 días de anticipación. No afecta la disponibilidad.',
  none: 'Todavía no hay mantenimiento programado.',
  create: 'Programar mantenimiento',
  edit: (name: string) => name,
  remove: 'Eliminar este mantenimiento',
  fields: {
    assetId: 'Equipo',
    assetName: 'Equipo',
    title: 'Título',
    startsAt: 'Inicio',
    endsAt: 'Final',
    recurrence: 'Frecuencia',
    until: 'Última fecha',
    notes: 'Notas del personal',
    next: 'Próxima fecha',
    state: 'Estado',
  },
  hints: {
    title: 'Es público. Por ejemplo: revisión anual del ascensor',
    startsAt: 'Fecha y hora en la zona horaria del edificio.',
    recurrence:
      'La hora de inicio no cambia con el horario de verano. El mantenimiento mensual del 29, 30 o 31 se hace el último día de los meses más cortos.',
    until: 'Déjela en blanco para repetir sin fin.',
    notes: 'Solo las ve el personal: quién viene, qué necesita.',
  },
  states: { coming: 'Actual y próximo', over: 'Pasado' },
  over: 'Pasado',
  past: (n: number) =>
    count(n, {
      one: 'Esto cambia la disponibilidad pasada: 1 fecha deja de contar como mantenimiento programado.',
      many: `Esto cambia la disponibilidad pasada: ${n} de fechas dejan de contar como mantenimiento programado.`,
      other: `Esto cambia la disponibilidad pasada: ${n} fechas dejan de contar como mantenimiento programado.`,
    }),
  endInstead: 'Para conservar las fechas pasadas, abra este mantenimiento y termine la serie.',
  nextDates: 'Próximas fechas',
  noDates: 'No hay fechas futuras.',
  notSaved: 'Todavía no se guardó nada.',
  dates: {
    title: 'Próximas fechas',
    hint: 'Los cambios se aplican solo a las fechas futuras.',
    skip: 'Omitir fecha',
    skipThis: (when: string) => `Omitir ${when}`,
    move: 'Mover fecha',
    moveThis: (when: string) => `Mover ${when}`,
    undo: 'Restaurar fecha',
    undoThis: (when: string) => `Restaurar ${when}`,
    skipped: 'Omitida',
    movedFrom: (when: string) => `Movida desde ${when}`,
    begun: 'En curso',
  },
  move: {
    title: (name: string) => `Mover una fecha: ${name}`,
    planned: (when: string) => `Programada para ${when}. Solo se mueve esta fecha.`,
    begun: 'Este mantenimiento ya empezó: solo puede cambiar cuándo termina.',
    send: 'Mover fecha',
  },
  end: {
    title: '¿Terminar esta serie?',
    hint: 'Esto quita todas las fechas futuras. Las fechas pasadas quedan en el historial.',
    send: 'Terminar serie',
  },
}

/** After planned work was changed. */
export const maintenanceNotices: typeof en.maintenanceNotices = {
  workAdded: (name?: string) =>
    name ? `Se agregó ${name}. Los residentes ya pueden verlo.` : 'Agregado. Los residentes ya pueden verlo.',
  dateMoved: 'Fecha movida.',
  skipped: 'Fecha omitida.',
  restored: 'Fecha restaurada.',
  ended: 'Serie terminada. Las fechas pasadas quedan en el historial.',
}
