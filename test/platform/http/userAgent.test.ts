import { describe, expect, it } from 'vitest'
import { deviceOf } from '../../../src/platform/http/session/userAgent.js'
import { tableOf } from '../../support/tables.js'

type UserAgent = { userAgent: string; browser: string | null; system: string | null }

describe('a user agent', () => {
  it.each(tableOf<UserAgent>('userAgents'))(
    'is read as $browser on $system: $userAgent',
    ({ userAgent, browser, system }) => {
      expect(deviceOf(userAgent)).toEqual({ browser, system })
    },
  )
})
