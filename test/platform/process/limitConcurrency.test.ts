import { describe, expect, it } from 'vitest'
import { limitConcurrency, Overloaded } from '../../../src/platform/process/limitConcurrency.js'

describe('a gate', () => {
  it('lets so many in at once, and each sender’s in order', async () => {
    const it = scene({ atOnce: 2, waiting: 50 })
    it.come('a', 10)
    await it.finish()
    expect([it.most(), it.began.length, it.refused.length]).toEqual([2, 10, 0])
  })

  it('may be filled by one sender alone', async () => {
    const it = scene({ atOnce: 2, waiting: 50 })
    it.come('flood', 70)
    await it.finish()
    expect([it.began.length, it.refused.length]).toEqual([52, 18])
  })

  it('makes room for others in what one sender filled, and serves them in turn', async () => {
    const it = scene({ atOnce: 2, waiting: 50 })
    it.come('flood', 70)
    for (const sender of ['b', 'c', 'd']) it.come(sender, 3)
    await it.finish()
    expect(it.refused.every((sender) => sender === 'flood')).toBe(true)
    expect(it.refused).toHaveLength(27)
    expect(it.began.slice(0, 10)).toEqual([...Array(3).fill('flood'), 'b', 'c', 'd', 'flood', 'b', 'c', 'd'])
  })

  it('shares its places evenly, and refuses newcomers only where everybody has one', async () => {
    const it = scene({ atOnce: 1, waiting: 4 })
    it.come('running')
    it.come('a', 4)
    for (const sender of ['b', 'c', 'd', 'e']) it.come(sender)
    await it.finish()
    expect(it.refused.sort()).toEqual(['a', 'a', 'a', 'e'])
    expect(it.began).toEqual(['running', 'a', 'b', 'c', 'd'])
  })

  it('goes on after a task that failed', async () => {
    const enter = limitConcurrency({ atOnce: 1, waiting: 1 })
    await expect(enter(() => Promise.reject(new Error('no')), 'a')).rejects.toThrow('no')
    expect(await enter(async () => 'yes', 'b')).toBe('yes')
  })
})

/** A gate whose tasks end when they are told to, and what became of everybody who came. */
function scene(limits: { atOnce: number; waiting: number }) {
  const enter = limitConcurrency(limits)
  const running: (() => void)[] = []
  const [began, refused]: string[][] = [[], []]
  let underWay = 0
  let most = 0
  const come = (sender: string) =>
    enter(async () => {
      began!.push(sender)
      most = Math.max(most, ++underWay)
      await new Promise<void>((resolve) => running.push(resolve))
      underWay -= 1
    }, sender).catch((error: unknown) => {
      if (!(error instanceof Overloaded)) throw error
      refused!.push(sender)
    })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    came: [] as Promise<void>[],
    come(sender: string, times = 1) {
      for (let i = 0; i < times; i++) this.came.push(come(sender))
    },
    began: began!,
    refused: refused!,
    most: () => most,
    async finish() {
      await settle()
      while (running.length > 0) {
        running.shift()!()
        await settle()
      }
      await Promise.all(this.came)
    },
  }
}
