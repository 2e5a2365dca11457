import { randomUUID } from 'node:crypto'
import { load } from 'cheerio'
import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { useApp } from '../../support/app.js'
import { multipart, picture } from '../../support/pictures.js'
import { useWebPush } from '../../support/push/subscription.js'
import { type Endpoint, writeEndpoints } from '../../support/routes/endpoints.js'
import { accountExamples } from '../../support/routes/examples/accounts.js'
import { incidentExamples } from '../../support/routes/examples/incidents.js'
import { recordExamples } from '../../support/routes/examples/records.js'
import { setupsOf } from '../../support/routes/examples/setups.js'
import type { Examples } from '../../support/routes/examples/use.js'
import { asForm, keyOf, writeOf } from '../../support/routes/writes.js'
import { scalar } from '../../support/rows.js'
import { perRun } from '../../support/suite/extent.js'

const app = useApp()
useWebPush()
beforeEach(() => query('delete from throttles'))

const setups = setupsOf(app)
const examples: Examples = {
  ...recordExamples(setups),
  ...accountExamples(setups),
  ...incidentExamples(setups),
}

/** Forms that do the same again when they are sent again, and why nothing is stored twice by it. */
const mayRepeat: Record<string, string> = {
  'POST /account/second-factor': 'a new secret replaces the one before',
  'POST /account/second-factor/recovery-codes': 'new codes replace those before',
  'POST /admin/contacts/:id/move': 'one step further, as the button says',
  'POST /admin/users/:id/invitation': 'the link of the new email replaces the one before',
  'POST /admin/users/:id/sign-out': 'ends what was begun since',
  'POST /admin/webhooks/:id/secret': 'a new secret replaces the one before',
  'POST /admin/webhooks/:id/test': 'a test is sent each time, and nothing else',
  'POST /follow': 'the same follower is asked again: the first email may be lost',
  'POST /forgot-password': 'the first email may be lost',
  'POST /sign-in': 'a session each time',
  'POST /sign-in/link': 'the first email may be lost',
}

const ours = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }

const newestEntry = () => scalar<number>('select coalesce(max(id), 0) as id from audit_entries')

/** What people did since an entry; what followed from it by itself is no second act. */
async function actsSince(entry: number): Promise<string[]> {
  const rows = await query<{ action: string }>(
    `select action from audit_entries where id > $1 and action <> 'asset.status_changed' order by id`,
    [entry],
  )
  return rows.map(({ action }) => action)
}

/** What a form stored twice when it was sent twice, each time from a page fetched anew. */
async function storedTwice(endpoint: Endpoint): Promise<string[]> {
  const use = await examples[keyOf(endpoint)]!()
  const write = writeOf(app, endpoint, use)
  const send = async () => {
    const before = await newestEntry()
    const body = asForm({ ...use.json, formKey: randomUUID() })
    const answer = await write.send({ body, headers: { accept: 'text/html' } })
    return { status: answer.status, acts: await actsSince(before) }
  }
  const first = await send()
  const second = await send()
  return second.acts.filter((act) => first.acts.includes(act))
}

describe('the same words sent again by the same person from a page fetched anew', () => {
  it('are stored once by every form of the product, or the page asks first', async () => {
    const all = writeEndpoints.filter(
      ({ method, path, route }) => method === 'POST' && route && !path.startsWith('/api/'),
    )
    const creating = all.filter(({ route }) => route!.idempotent || route!.answers.has(201))
    const forms = perRun({ quick: creating, whole: all })
    expect(creating.length).toBeGreaterThan(10)
    const twice: Record<string, string[]> = {}
    for (const form of forms) {
      const found = await storedTwice(form).catch((error) => [String(error)])
      if (found.length > 0) twice[keyOf(form)] = found
    }
    const expected = forms.map(keyOf).filter((key) => Object.hasOwn(mayRepeat, key))
    expect(Object.keys(twice).sort(), JSON.stringify(twice)).toEqual(expected.sort())
  })

  it('are looked for by every form that creates', () => {
    const creating = writeEndpoints.filter(
      ({ path, route }) => !path.startsWith('/api/') && route?.answers.has(201),
    )
    expect(creating.filter(({ route }) => !route!.idempotent).map(keyOf)).toEqual([])
  })

  it('of two at once store one', async () => {
    const send = () =>
      app.submit('resident', '/report', {
        assetId: '2',
        title: 'Twins',
        severity: 'low',
        formKey: randomUUID(),
      })
    const answers = await Promise.all(Array.from({ length: 5 }, send))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409, 409, 409])
    expect(await scalar(`select count(*)::integer as n from incidents where title = 'Twins'`)).toBe(1)
  })

  it('are asked about with the words and photos kept, and stored by one more press', async () => {
    const title = 'Same again'
    const given = { assetId: '2', title, description: 'It rattles.', severity: 'low' }
    const first = await app.submit('resident', '/report', { ...given, formKey: randomUUID() })
    const again = multipart({ ...given, title: ` same  AGAIN `, formKey: randomUUID() }, [
      { bytes: await picture() },
    ])
    const asked = await app.ask('resident', '/report', { body: again, headers: ours })
    expect(asked.status).toBe(409)
    const page = load(await asked.text())
    expect(page('h1').text()).toBe('You sent this just now')
    const [, id] = /^\/incidents\/(\d+)/.exec(first.headers.get('location')!)!
    expect(page(`main a[href="/incidents/${id}"]`).text()).toBe(`Open INC-${id}`)
    expect(page('blockquote').text()).toContain('It rattles.')
    const form = page('main form')
    expect(form.find('input[name=stagedPhotos]')).toHaveLength(1)
    const fields = form.serializeArray().map(({ name, value }): [string, string] => [name, value])
    const press = () =>
      app.ask('resident', form.attr('action')!, { body: new URLSearchParams(fields), headers: ours })
    const pressed = await press()
    expect(pressed.status).toBe(303)
    // A double tap on that button is one report.
    expect((await press()).headers.get('location')).toBe(pressed.headers.get('location'))
    expect(
      await scalar('select count(*)::integer as n from incidents where lower(title) like $1', [
        'same%again%',
      ]),
    ).toBe(2)
    expect(
      await scalar(
        `select count(*)::integer as n from photos p join incidents i on i.id = p.incident_id
         where lower(i.title) like $1`,
        ['same%again%'],
      ),
    ).toBe(1)
  })

  it('are stored by programs, by other people, and after an hour', async () => {
    const json = { assetId: 2, title: 'Each its own', severity: 'low' }
    const send = (who: 'resident' | 'board') =>
      app.submit(who, '/report', { ...json, assetId: '2', formKey: randomUUID() })
    expect((await send('resident')).status).toBe(303)
    expect((await send('resident')).status).toBe(409)
    expect((await send('board')).status).toBe(303)
    expect((await app.ask('resident', '/api/incidents', { json })).status).toBe(201)
    expect((await app.ask('resident', '/api/incidents', { json })).status).toBe(201)
    await query(`update idempotency_keys set created_at = now() - interval '61 minutes'`)
    expect((await send('resident')).status).toBe(303)
    expect((await send('resident')).status).toBe(409)
  })
})
