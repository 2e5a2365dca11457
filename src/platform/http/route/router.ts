import { Router } from '@koa/router'
import type { AppRouter, State } from '../context.js'
import type { Route } from './route.js'

/** The router of these routes, matched in the order given. */
export function routerOf(routes: readonly Route[]): AppRouter {
  const router = new Router<State>()
  for (const { method, paths, middleware } of routes) router[method]([...paths], ...middleware)
  return router
}
