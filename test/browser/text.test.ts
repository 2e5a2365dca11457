import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { en } from '../../src/text/index.js'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { lynx, w3m } from '../support/host/programs.js'
import { useHouse } from '../support/house/house.js'
import { newFolder } from '../support/run/folders.js'

const house = useHouse()

// A newcomer's machine need not have a text browser; CI installs both and insists
// (REQUIRE_BROWSER).
describe.each([lynxReader(), w3mReader()])('$name shows', ({ missing, read }) => {
  it.skipIf(missing)('how everything in the building is, and whom to call', async () => {
    const { assets } = await house.json('guest', '/api/status')
    const shown = await read(await page('guest', '/'))
    for (const { name, status } of assets) {
      const from = shown.lastIndexOf(`${name} ${en.assetStatus[status as 'down']}`)
      expect(from, `${name}: ${status}`).toBeGreaterThan(-1)
      if (status === 'operational')
        expect(shown.slice(from, from + 250)).toMatch(/in service \d+\.\d\d% of the time/)
    }
    expect(shown).toContain('Call 020 7946 0111 (Emergency line')
    expect(shown).not.toMatch(/undefined|\[object|NaN/)
  })

  it.skipIf(missing)('an incident with its state, its place and its story', async () => {
    const [{ id }] = await house.json('guest', '/api/incidents?status=resolved')
    const incident = await house.json('guest', `/api/incidents/${id}`)
    const shown = await read(await page('resident', `/incidents/${id}`))
    const facts = [
      incident.title,
      incident.assetName,
      `INC-${id}`,
      'The office has marked this as fixed',
      'Yes, it’s fixed',
    ]
    const story = incident.updates.map(({ body }: { body: string }) => body.replace(/\s+/g, ' '))
    for (const fact of [...facts, ...story]) expect(shown).toContain(fact)
  })

  it.skipIf(missing)('the questions of the report form and what was wrong with the answers', async () => {
    const shown = await read(await page('resident', '/report'))
    const { what, titleField, description, severity, anonymous, send } = en.report
    for (const words of [what, titleField, description, severity, anonymous, send])
      expect(shown).toContain(words)
    for (const meaning of Object.values(en.severityMeaning)) expect(shown).toContain(meaning)
    expect(shown).toContain('020 7946 0111')
    const refused = await house.submit('resident', '/report')
    expect((await read(await refused.text())).match(/Error: Say what’s wrong, in a few words/g)).toHaveLength(
      1,
    )
  })
})

describe('a text browser reports a fault', () => {
  it.skipIf(without(lynx))('lynx, from the sticker, by its keys', async () => {
    const sticker = `${house.origin()}/r/7`
    const form = await page('guest', '/report?assetId=7')
    const signIn = await page('guest', '/sign-in')
    const keys = [
      ...down(pressesTo(form, '#title')),
      ...typed('Squeaks on every floor'),
      ...down(pressesTo(form, 'form[action="/report"] p > button') - pressesTo(form, '#title')),
      '^J',
      // Who sends it is asked at the end.
      ...down(pressesTo(signIn, '#email')),
      ...typed('resident@example.com'),
      ...down(1),
      ...typed(demoPassword),
      ...down(1),
      '^J',
      'q',
      'y',
    ]
    const [script, settings] = [path.join(folder, 'keys'), path.join(folder, 'lynx.cfg')]
    writeFileSync(script, keys.map((key) => `key ${key}\n`).join(''))
    writeFileSync(
      settings,
      'INFOSECS:0\nMESSAGESECS:0\nALERTSECS:0\nNO_PAUSE:TRUE\nACCEPT_ALL_COOKIES:TRUE\n',
    )
    const reading = run(lynx!, [`-cfg=${settings}`, `-cmd_script=${script}`, sticker], {
      env: { HOME: folder, TERM: 'vt100', LANG: 'C.UTF-8' },
      timeout: 120_000,
    })
    reading.child.stdin!.end()
    await reading
    const [report] = await query(
      `select i.asset_id, i.severity, u.email from incidents i join users u on u.id = i.reporter_id
       where i.title = 'Squeaks on every floor'`,
    )
    expect(report).toEqual({ assetId: 7, severity: 'low', email: 'resident@example.com' })
  })
})

/** A text browser. `read`: a page as it shows it, on one line. */
type Reader = { name: string; missing: boolean; read: (html: string) => Promise<string> }

function lynxReader(): Reader {
  const options = ['-dump', '-stdin', '-nonumbers', '-display_charset=utf-8', '-assume_charset=utf-8']
  return { name: 'lynx', missing: without(lynx), read: (html) => piped(lynx!, options, html) }
}

function w3mReader(): Reader {
  const options = ['-dump', '-T', 'text/html', '-I', 'utf-8', '-O', 'utf-8']
  return { name: 'w3m', missing: without(w3m), read: (html) => piped(w3m!, options, html) }
}

const run = promisify(execFile)

function without(program: string | undefined) {
  return !program && !process.env.REQUIRE_BROWSER
}

async function piped(program: string, args: string[], html: string): Promise<string> {
  const reading = run(program, args, { env: { ...process.env, TERM: 'vt100', LANG: 'C.UTF-8' } })
  reading.child.stdin!.end(html)
  return (await reading).stdout.replace(/\s+/g, ' ')
}

async function page(who: 'guest' | 'resident', address: string) {
  return (await house.ask(who, address, { headers: { accept: 'text/html' } })).text()
}

const folder = newFolder()

/** What the keys of lynx are called in its scripts. */
function down(times: number) {
  return Array<string>(times).fill('Down Arrow')
}

function typed(words: string) {
  return [...words].map((letter) => (letter === ' ' ? '<space>' : letter))
}

/** How often Down has to be pressed from the top of a page until lynx stands on an element. */
function pressesTo(html: string, selector: string): number {
  const $ = load(html)
  const target = $(selector)[0]
  const stops = $('a[href], button, select, textarea, input:not([type=hidden])').toArray()
  const before = stops.slice(0, stops.indexOf(target as never))
  const lines = before.map((stop) => (stop.name === 'textarea' ? Number($(stop).attr('rows') ?? 1) : 1))
  return lines.reduce((sum, each) => sum + each, 0)
}
