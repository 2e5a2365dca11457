import type { Declared } from './answer.js'
import type { Body, FieldSchemas } from './fields.js'
import { type ParamSchemas, paramsIn } from './params.js'
import { type Common, type Route, route, type Writing } from './route.js'

/**
 * A change: PATCH or DELETE at its API address, and the same as a POST at `fromForm`, where `form`
 * belongs.
 */
type Paired<P extends string, S, N, Q, B, A> = Common<P, S, N, Q, B, A> &
  Omit<Writing<B>, 'method'> & { method: 'patch' | 'delete'; fromForm: string }

/**
 * Both routes of a change, from one value: browsers cannot send PATCH or DELETE from a form. Throws
 * at start when the two addresses have other parameters.
 */
export function routePair<
  const P extends string,
  A extends Declared,
  S extends ParamSchemas = Record<never, never>,
  N = undefined,
  Q extends FieldSchemas | undefined = undefined,
  B extends Body | undefined = undefined,
>({ fromForm, form, ...spec }: Paired<P, S, N, Q, B, A>): [Route, Route] {
  if (paramsIn(fromForm).join() !== paramsIn(spec.paths).join())
    throw new Error(`route POST ${fromForm}: it does not have the parameters of ${spec.paths}`)
  const posted = { ...spec, method: 'post', paths: fromForm, summary: 'Does the same from a form.' }
  return [route(spec as never), route({ ...posted, ...(form && { form }) } as never)]
}
