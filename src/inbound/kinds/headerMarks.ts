import type { EmailHeaders } from '../message.js'

/** A header that says something: by its name, in lower case, and its value. */
export type HeaderMark = { name: string | RegExp; value: RegExp }

/** Every value, also an empty one. */
export const anyValue = /^/

/** Characters of a value that are repeated as the reason. */
const mostValue = 80

/** The first header of a mark as `name: value`, in the table's order; null when there is none. */
export function findMark(headers: EmailHeaders | null, marks: readonly HeaderMark[]): string | null {
  for (const mark of marks) {
    for (const [name, values] of findHeaders(headers, mark.name)) {
      const value = values.find((each) => mark.value.test(each))
      if (value !== undefined) return `${name}: ${value.trim().slice(0, mostValue)}`
    }
  }
  return null
}

function findHeaders(headers: EmailHeaders | null, name: string | RegExp): [string, readonly string[]][] {
  if (typeof name === 'string') return [[name, headers?.get(name) ?? []]]
  return [...(headers ?? [])].filter(([header]) => name.test(header))
}
