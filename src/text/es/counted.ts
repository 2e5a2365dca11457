import { type Forms, plural } from '../plural.js'

/**
 * Chooses the form of a counted phrase; whole millions take `many` where a noun follows the number.
 */
export const count: (n: number, forms: Forms) => string = plural('es')

/** A number and its noun: 1 hora, 2 horas, 1000000 de horas. */
export function counted(n: number, one: string, other: string): string {
  return count(n, { one: `1 ${one}`, many: `${n} de ${other}`, other: `${n} ${other}` })
}

/** The parts as one phrase, with «e» before an i: puerta, ascensor e interfono. */
export function listed(parts: string[]): string {
  return new Intl.ListFormat('es', { type: 'conjunction' }).format(parts)
}

const isTime = (moment: string) => /^\d{1,2}:\d\d/.test(moment)
const theTime = (moment: string) => (/^0?1:/.test(moment) ? `la ${moment}` : `las ${moment}`)

/** A moment after a preposition: desde las 10:55, desde el mar 08:12, desde el 23 nov. */
export function el(moment: string): string {
  return isTime(moment) ? theTime(moment) : `el ${moment}`
}

/** The same after «antes»: antes de las 10:55, antes del 23 nov. */
export function del(moment: string): string {
  return isTime(moment) ? `de ${theTime(moment)}` : `del ${moment}`
}

/** When something happened or is to happen: a las 10:55, el mar 08:12. */
export function on(moment: string): string {
  return isTime(moment) ? `a ${theTime(moment)}` : `el ${moment}`
}
