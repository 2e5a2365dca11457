import { execFile, execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCheckout } from '../support/compiled.js'
import { useDatabase } from '../support/database.js'
import { keys } from '../support/keys.js'
import { type Caretaker, startCaretaker } from '../support/process.js'
import { newFolder } from '../support/run/folders.js'

const database = useDatabase()
const folder = newFolder()
let web: Caretaker

beforeAll(async () => {
  web = await startCaretaker({ DATABASE_URL: database(), DATA_DIR: path.join(folder, 'data'), ...keys })
})
afterAll(() => web?.end('SIGKILL'))

describe.runIf(has('curl'))('a command of docs/integrate', () => {
  const commands = ['api', 'feeds'].flatMap((name) =>
    blocksOf(name, 'sh')
      .filter(({ text }) => text.includes('curl'))
      .map((block) => ({ name, ...block })),
  )

  it('is there', () => expect(commands.length).toBeGreaterThan(6))

  it.each(commands)('$name: $text', async ({ text, answer }) => {
    const env = { PATH: process.env.PATH ?? '', SITE: web.origin, MOBILE_API_KEY: keys.MOBILE_API_KEY }
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', text], {
      cwd: folder,
      env,
    })
    expect(stdout !== '' || / -o /.test(text)).toBe(true)
    // The fields the page shows are in the answer.
    if (answer) expect(Object.keys(JSON.parse(stdout))).toEqual(expect.arrayContaining(Object.keys(answer)))
  })
})

describe('a verifier of docs/integrate/webhooks.md', () => {
  const body = JSON.stringify({ event: 'webhook.test', name: 'Müller' })
  const signature = `sha256=${createHmac('sha256', 'a secret').update(body).digest('hex')}`
  const cases: [string, string, boolean][] = [
    [body, signature, true],
    [`${body} `, signature, false],
    [body, signature.replace(/.$/, 'x'), false],
    [body, '', false],
  ]

  it('in JavaScript takes what is ours, and nothing else', async () => {
    const file = path.join(folder, 'verify.mjs')
    writeFileSync(file, blocksOf('webhooks', 'js')[0]!.text)
    const { isGenuine } = await import(pathToFileURL(file).href)
    for (const [bytes, given, right] of cases)
      expect(isGenuine(Buffer.from(bytes), given, 'a secret')).toBe(right)
  })

  it.runIf(has('python3'))('in Python takes what is ours, and nothing else', () => {
    const program = `${blocksOf('webhooks', 'python')[0]!.text}
import json, sys
for body, signature in json.load(sys.stdin): print(is_genuine(body.encode(), signature, 'a secret'))`
    const input = JSON.stringify(cases.map(([bytes, given]) => [bytes, given]))
    const lines = execFileSync('python3', ['-c', program], { input }).toString().trim().split('\n')
    expect(lines).toEqual(cases.map(([, , right]) => (right ? 'True' : 'False')))
  })

  it.runIf(has('php'))('in PHP takes what is ours, and nothing else', () => {
    const program = `${blocksOf('webhooks', 'php')[0]!.text}
foreach (json_decode(file_get_contents('php://stdin')) as [$body, $signature])
  echo is_genuine($body, $signature, 'a secret') ? "True\\n" : "False\\n";`
    const input = JSON.stringify(cases.map(([bytes, given]) => [bytes, given]))
    const lines = execFileSync('php', ['-r', program], { input }).toString().trim().split('\n')
    expect(lines).toEqual(cases.map(([, , right]) => (right ? 'True' : 'False')))
  })
})

/**
 * The blocks of a language, in order, each with the block of JSON that follows
 * it at once, if one does.
 */
function blocksOf(
  name: string,
  language: string,
): { text: string; answer: Record<string, unknown> | null }[] {
  const found = readCheckout(`docs/integrate/${name}.md`).matchAll(
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\`\\n(?:\\n\`\`\`json\\n([\\s\\S]*?)\`\`\`)?`, 'g'),
  )
  return [...found].map(([, text, answer]) => ({ text: text!, answer: answer ? JSON.parse(answer) : null }))
}

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
