import { Router } from '@koa/router'
import { z } from 'zod'
import { routes } from '../../../src/app/routes.js'
import { ProblemJson } from '../../../src/platform/http/problem.js'
import type { Route } from '../../../src/platform/http/route/route.js'

const router = new Router()
const routeOf = new Map<unknown, Route>()
for (const route of routes) {
  const mark = () => {}
  routeOf.set(mark, route)
  router[route.method]([...route.paths], mark)
}

/** The route a request is for; undefined when there is none. */
function routeFor(method: string, path: string): Route | undefined {
  const { pathname } = new URL(path, 'http://localhost')
  const [layer] = router.match(pathname, method).pathAndMethod
  return routeOf.get(layer?.stack[0])
}

/**
 * Throws, by the route's name, when an answer is not what the route declares: JSON field by
 * field, or its media type.
 */
export async function requireDeclared(
  method: string,
  path: string,
  answer: Response,
  text: () => Promise<string>,
): Promise<void> {
  const type = answer.headers.get('content-type')?.split(';')[0]
  const { status } = answer
  if (method === 'HEAD' || status === 304) return
  if (type === 'application/problem+json') return requireFit(ProblemJson, text, `${method} ${path} ${status}`)
  const route = routeFor(method, path)
  if (!route) return
  const name = `${route.name} (${path}) ${status}`
  const content = route.answers.get(status)
  if (type === 'application/json') {
    if (!(content instanceof z.ZodType)) throw new Error(`${name}: declares no JSON`)
    if (answer.headers.has('link') && !route.paged) throw new Error(`${name}: goes on, and is not \`paged\``)
    await requireFit(content, text, name)
  }
  const contents = [...route.answers.values()].filter((each) => !(each instanceof z.ZodType))
  const kinds: string[] = contents.map((each) => (each as { kind: string }).kind)
  if (status === 204 && !kinds.includes('noContent') && !kinds.includes('page'))
    throw new Error(`${name}: declares something to tell`)
  const files = contents.flatMap((each) => ('types' in each ? (each.types as string[]) : []))
  if (status === 200 && files.length > 0 && !files.includes(type ?? ''))
    throw new Error(`${name}: declares ${files.join()}, and is ${type}`)
}

async function requireFit(schema: z.ZodType, text: () => Promise<string>, name: string): Promise<void> {
  const { success, error } = schema.safeParse(JSON.parse(await text()))
  if (!success) throw new Error(`${name}: is not as its schema says\n${z.prettifyError(error)}`)
}
