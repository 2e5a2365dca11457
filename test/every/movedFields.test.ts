import { describe, expect, it } from 'vitest'
import { routes } from '../../src/app/routes.js'
import type { Route } from '../../src/platform/http/route/route.js'
import { fieldsOf } from '../support/routes/assertions/fields.js'

const operations = new Map<string, Route>(
  routes.flatMap((each) => each.paths.map((path) => [`${each.method.toUpperCase()} ${path}`, each] as const)),
)
const fieldsIn = ({ body }: Route) => Object.keys(fieldsOf(body))

describe('a field of another operation', () => {
  it('is known to each change whose address it is sent below', () => {
    const changes = routes.filter(({ method, paths }) => method === 'patch' && paths[0]!.startsWith('/api/'))
    const unknown = changes.flatMap((change) => {
      const acts = routes.filter(
        ({ method, paths }) =>
          method === 'post' && paths.some((path) => path.startsWith(`${change.paths[0]}/`)),
      )
      const known = [...fieldsIn(change), ...Object.keys(change.movedFields)]
      return acts
        .flatMap(fieldsIn)
        .filter((field) => !known.includes(field))
        .map((field) => `${change.name}: ${field}`)
    })
    expect(unknown, 'name these in `movedFields`').toEqual([])
  })

  it('is a field of the operation that is named', () => {
    const known = routes.flatMap((each) =>
      Object.entries(each.movedFields).map(([field, operation]) => ({ each, field, operation })),
    )
    const isTaken = (target: Route, named: string | undefined) =>
      named === undefined || (named === 'photos[]' ? target.photos : fieldsIn(target).includes(named))
    const wrong = known.filter(({ each, field, operation }) => {
      const [, address, named] = /^([A-Z]+ \/api\/\S+)(?: \(([\w[\]]+)\))?$/.exec(operation)!
      const target = operations.get(address!)
      return !target || !isTaken(target, named) || fieldsIn(each).includes(field)
    })
    expect(known.length).toBeGreaterThan(20)
    expect(wrong.map(({ each, field, operation }) => `${each.name} ${field}: ${operation}`)).toEqual([])
  })
})
