import { describe, expect, it } from 'vitest'
import { loggable } from '../../src/web/observe.js'

describe('an address in the log', () => {
  it.each([
    ['/invitation/s3cret', '/invitation/…'],
    ['/api/auth/invitation/s3cret', '/api/auth/invitation/…'],
    ['/reset-password/s3cret', '/reset-password/…'],
    ['/api/auth/reset-password/s3cret/x', '/api/auth/reset-password/…/x'],
    ['/unsubscribe/MTIu.s3cret/undo', '/unsubscribe/…/undo'],
    ['/incidents/12', '/incidents/12'],
    ['/invitation/', '/invitation/'],
  ])('%s is %s', (path, said) => {
    expect(loggable(path)).toBe(said)
  })

  it('is cut at 200 characters', () => {
    expect(loggable(`/${'x'.repeat(300)}`)).toHaveLength(200)
  })
})
