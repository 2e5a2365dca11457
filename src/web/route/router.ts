import { Router } from '@koa/router'
import type { AppRouter, State } from '../context.js'
import type { Route } from './route.js'

/** Registers routes that are values, and those that still register themselves, in order. */
export function routerOf(all: readonly (Route | ((router: AppRouter) => void))[]): AppRouter {
  const router = new Router<State>()
  for (const each of all) {
    if (typeof each === 'function') each(router)
    else router[each.method]([...each.paths], ...each.middleware)
  }
  return router
}
