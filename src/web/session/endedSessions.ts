import { representationOf } from '../answer/respond.js'
import type { Middleware } from '../context.js'
import { cameWithEnded, dropEnded } from './sessions.js'

/**
 * Whoever comes with a session that is over, for whatever reason, leaves nothing of it in the browser. It is done once:
 * the cookie goes with it. Parts that htmx asks for do not count: the page around them may hold a form whose sender is
 * still to be known by that cookie.
 */
export function endedSessions(): Middleware {
  return (ctx, next) => {
    if (cameWithEnded(ctx) && representationOf(ctx) !== 'fragment') dropEnded(ctx)
    return next()
  }
}
