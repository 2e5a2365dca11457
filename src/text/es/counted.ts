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
