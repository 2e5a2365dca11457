import { execFile } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import type { HtmlTask } from '../../../src/inbound/words/parts/htmlTextWorker.js'
import { workerThread } from '../../../src/platform/process/workerThread.js'
import { compiledFile } from '../../support/compiled.js'
import { itInWholeRun } from '../../support/run/extent.js'
import { filled } from '../../support/run/ticking.js'

afterAll(() => Promise.all(threads.map((each) => each.end())))

describe('a thread', () => {
  const html = (text: string): HtmlTask => ({ html: text })
  const endless = html(filled('<div>', 1_000_000))
  const ordinary = html('<p>Words</p>')

  it('answers one after the other', async () => {
    const { ask } = aThread()
    expect(await Promise.all([ask(ordinary), ask(html('<i>a</i>')), ask(ordinary)])).toEqual([
      'Words',
      'a',
      'Words',
    ])
  })

  it.each([
    ['takes too long', {}, endless],
    ['takes too much', { memory: 8, deadline: 60_000 }, endless],
    ['breaks', {}, null as unknown as HtmlTask],
    ['is not there', { code: 'nothingOfThisName' }, ordinary],
  ])('that %s answers nothing, and ends no process', async (_what, differing, task) => {
    expect(await aThread(differing).ask(task)).toBeNull()
  })

  it('begins anew after each of these', async () => {
    const { ask, end } = aThread()
    expect([await ask(endless), await ask(ordinary)]).toEqual([null, 'Words'])
    await end()
    expect(await ask(ordinary)).toBe('Words')
  })

  it('that ended while idle is replaced by the next task', async () => {
    const { ask } = aThread({ code: '../test/support/run/threadThatEnds', deadline: 60_000 })
    expect(await ask(ordinary)).toBe('Words')
    await setTimeout(300)
    expect(await ask(ordinary)).toBe('Words')
  })

  it('answers nothing to more than may wait', async () => {
    const { ask } = aThread({ waiting: 2 })
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(ordinary)))
    expect(answers).toEqual(['Words', 'Words', 'Words', null, null, null])
  })

  itInWholeRun('keeps no process alive', async () => {
    const code = await compiledFile('src/inbound/words/parts/htmlText.ts')
    const script = `const { textOfHtml } = await import(${JSON.stringify(code)}); console.log(await textOfHtml('<p>Words</p>', ''))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 120_000,
    })
    expect(stdout).toBe('Words\n')
  })
})

const given = { code: 'inbound/words/parts/htmlTextWorker', memory: 64, deadline: 500, waiting: 20 }
const threads: { end: () => Promise<void> }[] = []

function aThread(differing: Partial<typeof given> = {}) {
  const made = workerThread<HtmlTask, string>({ ...given, ...differing })
  threads.push(made)
  return made
}
