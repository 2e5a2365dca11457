import pg from 'pg'
import { expect, vi } from 'vitest'
import type { Asked, Who } from './house/asking.js'
import type { House } from './house/house.js'

/**
 * The text of each statement that a request sends until its answer, in their order: each is one
 * round trip. What the outbox does after the commit has not begun then, or is sent by other rows.
 */
export async function statementsOf(house: House, who: Who, path: string, asked: Asked): Promise<string[]> {
  // The session is begun, and connections are made, before anything is counted.
  await house.ask(who, '/account/none')
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  const answer = await house.ask(who, path, asked)
  expect([201, 303], await answer.text()).toContain(answer.status)
  const texts = spy.mock.calls.map(([given]) => (typeof given === 'string' ? given : (given as any).text))
  spy.mockRestore()
  return texts.filter((text) => !text.startsWith('set '))
}
