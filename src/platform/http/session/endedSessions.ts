import { representationOf } from '../answer/respond.js'
import type { Middleware } from '../context.js'
import { cameWithEnded, dropEnded } from './sessions.js'

/**
 * Clears the browser of an ended session, once: its cookie goes, too. Requests by htmx are skipped,
 * because the page around them may hold a form whose sender is recognised by that cookie.
 */
export function endedSessions(): Middleware {
  return (ctx, next) => {
    if (cameWithEnded(ctx) && representationOf(ctx) !== 'fragment') dropEnded(ctx)
    return next()
  }
}
