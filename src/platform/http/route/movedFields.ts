import type { MovedFields } from '../request/unreadInput.js'
import { type Body, fieldNames } from './fields.js'
import type { Route } from './route.js'

/** The part of an address that the API adds. */
const api = '/api'

/**
 * The fields that the acts on a thing take, each with the first act that takes it: the
 * `movedFields` of the thing's change, whose body is `own`. An act is a POST below the address of
 * the change; one that only previews another is none. `alsoCalled`: names that clients read the
 * result of an act under, by the field that sets it, or by the act where it takes no field.
 */
export function movedFieldsOf(
  address: string,
  own: Body,
  routes: readonly Route[],
  alsoCalled: Readonly<Record<string, { field: string } | { act: string }>> = {},
): MovedFields {
  const ownNames = fieldNames(own)
  const moved: Record<string, string> = {}
  for (const { method, paths, body, photos } of routes) {
    const path = paths.find((each) => each.startsWith(`${api}${address}/`))
    if (method !== 'post' || !path || path.endsWith('/preview')) continue
    const operation = `POST ${path}`
    for (const name of fieldNames(body)) {
      if (!ownNames.includes(name)) moved[name] ??= `${operation} (${name})`
    }
    if (photos) {
      moved.photos ??= `${operation} (photos[])`
      moved['photos[]'] ??= `${operation} (photos[])`
    }
  }
  for (const [name, meant] of Object.entries(alsoCalled)) {
    const operation = 'field' in meant ? moved[meant.field] : `POST ${api}${address}/${meant.act}`
    if (!operation) throw new Error(`no act takes what ${name} means`)
    moved[name] = operation
  }
  return moved
}
