import { decideAccess, may, type Permission } from '../../../vocabulary/people/permissions.js'
import type { Context, Middleware } from '../context.js'
import { Problem } from '../problem.js'

/**
 * Guards one route with one permission: 401 or 403 before existence and body are looked at
 * (decisions 1.3, 4.1). Set on each route. `beforeSignIn` saves a browser's form before a 401, and
 * returns whether it has answered itself.
 */
export function allow(permission: Permission, beforeSignIn?: (ctx: Context) => Promise<boolean>): Middleware {
  const guard: Middleware & { permission?: Permission } = async (ctx, next) => {
    ctx.state.permission = permission
    const { principal } = ctx.state
    const answer = principal === 'unknown' ? 'unauthenticated' : decideAccess(principal, permission)
    if (answer === 'unauthenticated') {
      if (await beforeSignIn?.(ctx)) return
      throw unauthenticated()
    }
    if (answer === 'forbidden') throw forbidden(ctx, permission)
    return next()
  }
  guard.permission = permission
  return guard
}

/** Whether the caller also has this permission, as for newStatus (spec §4 rule 2). */
export function can(ctx: Context, permission: Permission): boolean {
  return ctx.state.principal !== 'unknown' && may(ctx.state.principal, permission)
}

/** Throws 403 without a permission that only some callers of the route have (spec §4 rule 2). */
export function requirePermission(ctx: Context, permission: Permission): void {
  if (!can(ctx, permission)) throw forbidden(ctx, permission)
}

/** 403; its code says so when only the second factor is missing (decision 7.12). */
function forbidden({ state: { user } }: Context, permission: Permission): Problem {
  const lacks = user?.lacksSecondFactor && decideAccess(user.role, permission) === 'allowed'
  return new Problem(403, lacks ? 'second_factor_needed' : 'forbidden')
}

/** 401, with the authentication scheme. */
export function unauthenticated(): Problem {
  return new Problem(401, 'unauthenticated', { headers: { 'WWW-Authenticate': 'Bearer realm="caretaker"' } })
}
