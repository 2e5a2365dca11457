import type { Context } from './context.js'

/** The pattern of a request's route, `none` without one: there are endlessly many paths. */
export function routeOf(ctx: Context): string {
  const { _matchedRoute: pattern } = ctx as { _matchedRoute?: unknown }
  return typeof pattern === 'string' && ctx.state.permission !== undefined ? pattern : 'none'
}
