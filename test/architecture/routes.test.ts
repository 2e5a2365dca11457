import { describe, expect, it } from 'vitest'
import { decideAccess } from '../../src/vocabulary/people/permissions.js'
import { endpoints, readEndpoints } from '../support/routes/endpoints.js'

describe('every route', () => {
  it('names its permission before anything else', () => {
    expect(endpoints.filter(({ permission }) => !permission)).toEqual([])
  })

  it('of the office stands below /admin, wherever its file does', () => {
    const office = readEndpoints.filter(
      ({ path, permission }) =>
        !/^\/(api|internal)\/|^\/metrics$/.test(path) &&
        (['guest', 'resident'] as const).every((who) => decideAccess(who, permission) !== 'allowed'),
    )
    expect(office.length).toBeGreaterThan(20)
    for (const { path } of office) expect(path).toMatch(/^\/admin(\/|$)/)
  })

  it('has the same permission on its page and its API address', () => {
    const byPath = new Map(endpoints.map(({ method, path, permission }) => [`${method} ${path}`, permission]))
    for (const [key, permission] of byPath) {
      const twin = byPath.get(key.replace(' /', ' /api/'))
      if (twin) expect(twin, key).toBe(permission)
    }
  })
})
