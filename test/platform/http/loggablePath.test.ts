import { describe, expect, it } from 'vitest'
import { loggablePath } from '../../../src/platform/http/protection/loggablePath.js'
import { endpoints } from '../../support/routes/endpoints.js'
import { computed } from '../../support/run/ticking.js'

describe('an address in the log', () => {
  it.each([
    ['/invitation/s3cret', '/invitation/…'],
    ['/api/auth/invitation/s3cret', '/api/auth/invitation/…'],
    ['/reset-password/s3cret', '/reset-password/…'],
    ['/api/auth/reset-password/s3cret/x', '/api/auth/reset-password/…/x'],
    ['/unsubscribe/MTIu.s3cret/undo', '/unsubscribe/…/undo'],
    ['/incidents/12', '/incidents/12'],
    ['/invitation/', '/invitation/'],
    ['/invitation', '/invitation'],
    ['/r/12', '/r/12'],
    [
      `/api/photos/ab/cd/abcd${'0'.repeat(28)}.jpg.thumb.jpg`,
      `/api/photos/ab/cd/abcd${'0'.repeat(28)}.jpg.thumb.jpg`,
    ],
    [`/incidents/${'x'.repeat(43)}`, '/incidents/…'],
    ['/%E2%82/invitation/s3cret', '/%E2%82/invitation/…'],
  ])('%s is %s', (path, said) => {
    expect(loggablePath(path)).toBe(said)
  })

  it('is cut at 200 characters, and made from any in an instant', () => {
    expect(loggablePath(`/${'x.'.repeat(300)}`)).toHaveLength(200)
    const began = computed()
    for (const piece of ['/', '%2f', '%252525', '%25', 'invitation/', '%', '\\'])
      loggablePath(piece.repeat(100_000))
    expect(computed() - began).toBeLessThan(1000)
  })
})

/**
 * Parameters of addresses that open something to whoever has them; all others are ids, kinds and
 * paths everybody may know.
 */
const secrets = /token|secret|code|key|ticket/i
const plain = ['id', 'from', 'costId', 'assetId', 'emailId', 'photoId', 'kind', 'name', 'path']

describe('every route with a secret in its address', () => {
  const parameters = endpoints.flatMap(({ path }) =>
    [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name!),
  )
  const secret = endpoints
    .map(({ path }) => path)
    .filter((path) => secrets.test(path.replace(/[^:]*(:\w+)[^:]*/g, '$1')) && path.includes(':'))
  const canary = 'Canary.7-Sealed_zQ'

  it('is told by the name of its parameter', () => {
    expect([...new Set(parameters)].filter((name) => !secrets.test(name) && !plain.includes(name))).toEqual(
      [],
    )
    expect(secret.length).toBeGreaterThan(5)
  })

  const everyLetter = (path: string) =>
    path.replace(/[a-z]/gi, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  const ways: [string, (path: string) => string][] = [
    ['as it is', (path) => path],
    ['in capitals', (path) => path.toUpperCase()],
    ['in either', (path) => path.replace(/[a-z]/g, (letter, at) => (at % 2 ? letter.toUpperCase() : letter))],
    ['with doubled slashes', (path) => path.replaceAll('/', '//')],
    ['with slashes at its end', (path) => `${path}///`],
    ['with encoded letters', everyLetter],
    ['with letters encoded twice', (path) => everyLetter(path).replaceAll('%', '%25')],
    ['with encoded slashes', (path) => path.replaceAll('/', '%2F')],
    ['with slashes encoded twice', (path) => path.replaceAll('/', '%252f')],
    ['with backslashes', (path) => path.replaceAll('/', '\\')],
    ['behind something', (path) => `/somewhere${path}`],
  ]

  it.each(ways)('is logged without it %s', (_how, written) => {
    for (const path of secret) {
      const [before, after] = path.split(/:\w+/) as [string, string]
      const said = loggablePath(`${written(before)}${canary}${written(after)}`)
      expect(said, path).toContain('…')
      expect(said.toLowerCase(), path).not.toContain(canary.toLowerCase())
    }
  })
})
