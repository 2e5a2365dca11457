import { appRouter, routes } from '../../../src/app/routes.js'
import type { Route } from '../../../src/platform/http/route/route.js'
import type { Permission } from '../../../src/vocabulary/people/permissions.js'

/**
 * One method at one address pattern of the product, with who may use it. `route`:
 * the value it is made from.
 */
export type Endpoint = { method: string; path: string; permission: Permission; route: Route | undefined }

const byEndpoint = new Map(
  routes.flatMap((route) =>
    route.paths.map((path) => [`${route.method.toUpperCase()} ${path}`, route] as const),
  ),
)

/** Every method at every address pattern of the product, in the router's order. */
export const endpoints: readonly Endpoint[] = appRouter()
  .stack.filter(({ methods }) => methods.length > 0)
  .map(({ methods, path, stack }) => {
    const method = methods.find((each) => each !== 'HEAD')!
    const permission = (stack[0] as unknown as { permission: Permission }).permission
    return { method, path: String(path), permission, route: byEndpoint.get(`${method} ${path}`) }
  })

/** Those that read, and those that write. */
export const readEndpoints = endpoints.filter(({ method }) => method === 'GET')
export const writeEndpoints = endpoints.filter(({ method }) => method !== 'GET')
