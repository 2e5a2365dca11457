import type { year as en } from '../en/year.js'

/** The year of the building, for its board. */
export const year: typeof en = {
  title: (year: string) => `El año ${year}`,
  soFar: (date: string) => `Hasta el ${date}; al lado, el año anterior hasta el mismo día.`,
  whole: 'Al lado, el año anterior.',
  alone: (date: string) => `Hasta el ${date}. No hay un año anterior con el que comparar.`,
  wholeAlone: 'No hay un año anterior con el que comparar.',
  years: 'Años',
  file: 'Descargar como hoja de cálculo (CSV)',
  assets: 'Por instalaciones',
  second: (year: string) => `La segunda línea de cada celda es ${year}.`,
  asset: 'Instalación',
  uptime: 'Disponibilidad',
  outages: 'Averías',
  hours: 'Horas fuera de servicio',
  cost: 'Coste',
  repeats: 'Se volvió a averiar',
  reports: 'Avisos',
  toAnswer: 'Horas hasta la primera respuesta',
  toRepair: 'Horas hasta la reparación',
  confirmed: 'Reparaciones confirmadas',
  of: (part: string, all: string) => `${part} de ${all}`,
  none: '–',
  noFigure: 'sin dato',
  total: 'El edificio',
  elsewhere: 'Viviendas y sin lugar',
  months: 'Por meses',
  month: 'Mes',
  together: 'En total',
  downtimeChart: (sum: string, month: string, most: string) =>
    `Horas fuera de servicio: ${sum} en total; el mes con más, ${month}: ${most}.`,
  costChart: (sum: string, month: string, most: string) =>
    `Coste: ${sum} en total; el mes con más, ${month}: ${most}.`,
  legend: (year: string, before: string) => `Barras llenas: ${year}. Barras con contorno: ${before}.`,
  noDowntime: 'Nada estuvo fuera de servicio.',
  noCosts: 'No hay costes de reparación.',
  meaning: 'Qué significan los datos',
  means: {
    uptime:
      'Disponibilidad: la parte del tiempo sin mantenimiento previsto en que no estuvo fuera de servicio. Una instalación que llegó o se retiró durante el año cuenta desde entonces o hasta entonces.',
    outages: 'Averías: los periodos fuera de servicio, por muchos avisos que hubiera de cada uno.',
    repeats: 'Se volvió a averiar: averías en los 30 días siguientes a la reparación de la anterior.',
    reports: 'Avisos: los del año, sin duplicados.',
    toAnswer:
      'Horas hasta la primera respuesta: desde el aviso hasta que la administración acusó recibo. La mitad no tardó más (mediana); lo que todavía espera cuenta como lo más largo, y no hay dato mientras la mayoría espere.',
    toRepair: 'Horas hasta la reparación: desde el aviso hasta que se arregló, de la misma manera.',
    confirmed: 'Reparaciones confirmadas: las de estos avisos que alguien del vecindario dio por buenas.',
    cost: 'Coste: lo anotado en las incidencias con fecha de este año.',
  },
}
