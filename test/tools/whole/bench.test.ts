import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { benches } from '../../../tools/bench/benches.js'
import { compiledFile } from '../../support/compiled.js'

const run = promisify(execFile)

describe('a bench', () => {
  it.each(Object.keys(benches))('%s starts, prints its figures and ends, with tiny sizes', async (name) => {
    const script = await compiledFile('tools/bench/run.ts')
    const { PATH, HOME, TMPDIR } = process.env
    const { stdout } = await run(process.execPath, [script, name, '--tiny'], { env: { PATH, HOME, TMPDIR } })
    const [empty, heading, ...lines] = stdout.split('\n')
    expect([empty, heading]).toEqual(['', name])
    expect(lines.filter((line) => /^ {2}.*\d/.test(line)).length).toBeGreaterThan(0)
    expect(stdout).not.toMatch(/\bmet\b|MISS|NaN/)
    expect(stdout).toContain('started and ended')
  })
})
