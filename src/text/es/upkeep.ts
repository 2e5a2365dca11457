import type { upkeep as en } from '../en/upkeep.js'
import { count, counted } from './counted.js'

/** The office's pages of planned work, assets, flats, the building and repair costs. */
export const upkeep: typeof en = {
  choose: 'Elegir',
  archivedName: (name: string) => `${name} (en el archivo)`,
  states: { false: 'En uso', true: 'En el archivo', all: 'Todo' },
  archivedOn: (date: string) => `En el archivo desde el ${date}`,
  maintenance: {
    title: 'Mantenimiento previsto',
    intro:
      'Todo el edificio lo ve en la página de estado con 30 días de antelación. No resta disponibilidad.',
    none: 'Todavía no hay ningún mantenimiento previsto.',
    create: 'Prever un mantenimiento',
    edit: (name: string) => name,
    remove: 'Eliminar este mantenimiento previsto',
    fields: {
      assetId: 'Instalación',
      assetName: 'Instalación',
      title: 'Título',
      startsAt: 'Empieza',
      endsAt: 'Termina',
      recurrence: 'Cada cuánto',
      notes: 'Notas',
      next: 'Próxima fecha',
      state: 'Cuándo',
    },
    hints: {
      title: 'Puede leerlo todo el edificio. Por ejemplo: revisión anual del ascensor',
      startsAt: 'Fecha y hora en el edificio.',
      recurrence:
        'La hora se mantiene aunque cambie el horario de verano o de invierno. Si se repite cada mes del 29 al 31, en los meses más cortos cae en el último día.',
      notes: 'Para la administración: quién viene, qué necesita.',
    },
    states: { coming: 'En curso o por llegar', over: 'Terminado' },
    over: 'Terminado',
    past: (n: number) =>
      count(n, {
        one: 'Cambia la disponibilidad pasada: 1 fecha ya empezada deja de contar como mantenimiento previsto.',
        many: `Cambia la disponibilidad pasada: ${n} de fechas ya empezadas dejan de contar como mantenimiento previsto.`,
        other: `Cambia la disponibilidad pasada: ${n} fechas ya empezadas dejan de contar como mantenimiento previsto.`,
      }),
    nextDates: 'Las próximas fechas',
    noDates: 'No quedan fechas: ya ha terminado.',
    notSaved: 'Todavía no se ha guardado nada.',
  },
  assets: {
    title: 'Instalaciones',
    intro:
      'Lo que usa todo el edificio y de lo que se puede avisar: ascensores, puertas, bombas. La página de estado las muestra en este orden.',
    none: 'Todavía no hay ninguna instalación.',
    create: 'Añadir una instalación',
    edit: (name: string) => name,
    remove: 'Eliminar esta instalación',
    blocked: 'Lo que ha pasado con ella tiene que seguir constando. Archívela en lugar de eliminarla.',
    archive: {
      title: '¿Deja de usarse para siempre?',
      hint: 'Al archivarla desaparece de la página de estado, del formulario de avisos y de las pegatinas. Sus incidencias y costes se conservan.',
      send: 'Archivar esta instalación',
      archivedTitle: 'Está en el archivo',
      archivedHint:
        'No está en la página de estado, el formulario de avisos ni las pegatinas. Sus incidencias y costes siguen ahí.',
      unarchive: 'Volver a ponerla en uso',
    },
    fields: {
      towerId: 'Torre',
      towerName: 'Torre',
      name: 'Nombre',
      category: 'Tipo',
      code: 'Código',
      description: 'Descripción',
      sortOrder: 'Posición en las listas',
      archived: 'Estado',
      archivedAt: 'Estado',
    },
    hints: {
      name: 'Como se la conoce en el edificio.',
      category: 'Por ejemplo: ascensor, portero automático, caldera',
      code: 'Lo que lleva escrito o figura en los contratos. Se puede dejar en blanco.',
      description: 'Puede leerla todo el edificio: dónde está, a qué da servicio.',
      sortOrder: 'Los números más bajos van primero dentro de la torre.',
    },
  },
  units: {
    title: 'Viviendas',
    intro: 'Donde vive la gente. Los avisos sobre algo dentro de una vivienda la mencionan.',
    none: 'Todavía no hay ninguna vivienda.',
    create: 'Añadir una vivienda',
    edit: (name: string) => name,
    remove: 'Eliminar esta vivienda',
    blocked: 'Archívela en lugar de eliminarla, para que siga constando lo que ha pasado.',
    archive: {
      title: '¿Ya no es una vivienda?',
      hint: 'Al archivarla ya no se puede elegir en los avisos. Sus incidencias se conservan, y también las cuentas de quienes viven allí.',
      send: 'Archivar esta vivienda',
      archivedTitle: 'Está en el archivo',
      archivedHint: 'No se puede elegir en los avisos. Sus incidencias siguen ahí.',
      unarchive: 'Volver a ponerla en uso',
    },
    fields: {
      towerId: 'Torre',
      towerName: 'Torre',
      number: 'Número',
      floor: 'Planta',
      people: 'Personas con cuenta',
      archived: 'Estado',
      archivedAt: 'Estado',
    },
    hints: {
      number: 'Como en la puerta: 1204 o 12A.',
      floor: '0 es la planta baja; por debajo, con signo menos.',
    },
  },
  property: {
    title: 'Edificio',
    edit: () => 'Edificio',
    fields: {
      name: 'Nombre',
      address: 'Dirección',
      timezone: 'Zona horaria',
      currency: 'Moneda',
      locale: 'Idioma',
      secondFactorRequired: 'Se pide un segundo factor',
    },
    hints: {
      name: 'En la cabecera de cada página y cada correo.',
      address: 'Al pie de cada página.',
      timezone:
        'Por ejemplo, Europe/Madrid. Por ella se rigen los días, el mantenimiento que se repite y la disponibilidad, también los pasados.',
      currency: 'La de los costes de reparación. Los importes que ya están no se convierten.',
      locale: 'El de lo que no va dirigido a nadie en particular, como las pegatinas.',
      secondFactorRequired:
        'Un código de una aplicación además de la contraseña. Quien trabaja en la oficina y no lo tiene la encuentra cerrada hasta configurarlo; usted necesita antes el suyo.',
    },
  },
  costs: {
    title: 'Costes de reparación',
    none: 'No hay costes anotados.',
    add: 'Añadir un coste',
    send: 'Añadir este coste',
    void: 'Anular',
    voidThis: (amount: string) => `Anular el coste de ${amount}`,
    voided: (name: string | null, date: string) => `Anulado por ${name}, ${date}`,
    sum: (amount: string) => `En total: ${amount}`,
    ofDuplicate: (id: number) => `Anotado en INC-${id}`,
    amountIn: (currency: string) => `Importe en ${currency}`,
    fields: {
      amount: 'Importe',
      incurredOn: 'Día',
      vendor: 'Pagado a',
      invoiceRef: 'Número de factura',
      costNote: 'Nota',
      enteredBy: 'Anotado por',
      act: 'Anular',
    },
    hints: { amount: (example: string) => `Por ejemplo, ${example}` },
  },
  assetPage: {
    title: 'Para la administración',
    change: 'Cambiar esta instalación',
    plan: 'Prever un mantenimiento',
    costs: 'Costes de reparación de los últimos 12 meses',
    noCosts: 'Sin costes de reparación en los últimos 12 meses.',
    chart: (sum: string, month: string, most: string) => `${sum} en total; el máximo, en ${month}: ${most}.`,
    table: 'Costes e incidencias por mes',
    month: 'Mes',
    cost: 'Costes',
    faults: 'Incidencias',
    repeats: 'Ha vuelto a fallar',
    repeatsHint: (n: number) =>
      count(n, {
        one: '1 incidencia de los últimos 365 días llegó menos de 30 días después de una reparación.',
        many: `${n} de incidencias de los últimos 365 días llegaron menos de 30 días después de una reparación.`,
        other: `${n} incidencias de los últimos 365 días llegaron menos de 30 días después de una reparación.`,
      }),
    noRepeats: 'En los últimos 365 días nada ha vuelto a fallar en los 30 días siguientes a una reparación.',
    after: (days: number) =>
      days === 0
        ? 'Menos de un día después de la reparación de'
        : `${counted(days, 'día', 'días')} después de la reparación de`,
  },
}
