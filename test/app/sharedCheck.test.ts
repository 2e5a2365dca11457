import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { shareCheck } from '../../src/app/health/sharedCheck.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }))
afterEach(() => void vi.useRealTimers())

describe('a check', () => {
  it('is made once for all who ask at once, and again only after its time', async () => {
    let made = 0
    let fails = false
    const ask = shareCheck(60_000, async () => {
      made += 1
      if (fails) throw new Error('away')
    })
    expect(await Promise.all(Array.from({ length: 1_000 }, ask))).toEqual(Array(1_000).fill('ok'))
    expect(made).toBe(1)
    vi.advanceTimersByTime(59_999)
    expect([await ask(), made]).toEqual(['ok', 1])
    fails = true
    vi.advanceTimersByTime(2)
    expect([await ask(), made]).toEqual(['failed', 2])
    fails = false
    expect([await ask(), made]).toEqual(['failed', 2])
    vi.advanceTimersByTime(60_001)
    expect([await ask(), made]).toEqual(['ok', 3])
  })

  it('that takes long is waited for, not made a second time', async () => {
    let made = 0
    const ask = shareCheck(1_000, () => {
      made += 1
      return new Promise((resolve) => setTimeout(resolve, 10_000))
    })
    const first = ask()
    await vi.advanceTimersByTimeAsync(5_000)
    const second = ask()
    await vi.advanceTimersByTimeAsync(5_000)
    expect([await first, await second, made]).toEqual(['ok', 'ok', 1])
  })
})
