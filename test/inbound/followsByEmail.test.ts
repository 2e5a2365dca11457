import { beforeEach, describe, expect, it } from 'vitest'
import { tidy } from '../../src/app/tidy.js'
import { countRefusal } from '../../src/notifications/follow/refusals.js'
import { followLimit } from '../../src/notifications/follow/routes.js'
import { query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import { emailFollower } from '../support/email/emailFollowers.js'
import { emptyOutbox, takeMessages } from '../support/email/messages.js'
import { forgetSenders } from '../support/email/receivedEmails.js'
import { useHouse } from '../support/house/house.js'
import { setCount } from '../support/house/limits.js'

const house = useHouse()
const { office } = house

beforeEach(forgetSenders)

describe('following by email without an account', () => {
  it.each([
    ['the building', () => ({ building: true }), {}],
    ['a tower', () => ({ towerId: 2 }), { towerId: 2 }],
    ['an asset', () => ({ assetId: 3 }), { assetId: 3 }],
    ['an incident', async () => ({ incidentId: await house.report() }), { incidentId: expect.any(Number) }],
  ])('%s begins with the button behind a mailed link, not with the link', async (_what, given, row) => {
    const link = await linkTo('jo@outside.test', await given())
    for (let i = 0; i < 2; i++) {
      const shown = await house.json('guest', link, { headers: json })
      expect(shown.following).toBe(false)
    }
    expect(await follows()).toEqual([])
    const nothing = { address: 'jo@outside.test', assetId: null, towerId: null, incidentId: null }
    for (let i = 0; i < 2; i++)
      expect(await house.json('guest', link, { method: 'POST', headers: json })).toMatchObject({
        following: true,
      })
    expect(await follows()).toEqual([{ ...nothing, ...row }])
    expect(
      await query(`select from audit_entries where action = 'mail_follower.confirmed' and via = 'web'
        and entity_id = (select id from email_followers)`),
    ).toHaveLength(1)
  })

  it('of an incident counts as affected, once, and not beside the account of that address', async () => {
    const incidentId = await house.report()
    const affected = async () => (await house.json('guest', `/api/incidents/${incidentId}`)).affectedCount
    const links = [
      await linkTo('jo@outside.test', { incidentId }),
      await linkTo('manager@example.com', { incidentId }),
    ]
    expect(await affected()).toBe(1)
    for (const link of [...links, ...links]) await house.ask('guest', link, { method: 'POST' })
    expect(await affected()).toBe(3)
    await office.follows(incidentId)
    expect(await affected()).toBe(3)
  })

  it('by several presses at once is one follow', async () => {
    const link = await linkTo('jo@outside.test')
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => house.ask('guest', link, { method: 'POST', headers: json })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await follows()).toHaveLength(1)
    expect((await house.page('guest', link))('h1').text()).toBe('Email updates are on')
  })

  it('is not begun by a link that is over, which the tidy removes with its address', async () => {
    const link = await linkTo('jo@outside.test')
    await linksAre({ daysOld: 2 })
    await tidy(config.uploadDir)
    expect(await query('select from email_followers')).toEqual([])
    for (const method of ['GET', 'POST'])
      expect((await house.ask('guest', link, { method, headers: json })).status).toBe(404)
    expect(await follows()).toEqual([])
  })

  it('stays for those who confirmed, whatever the tidy removes', async () => {
    await house.ask('guest', await linkTo('jo@outside.test'), { method: 'POST' })
    await linksAre({ daysOld: 90 })
    await emptyOutbox()
    await tidy(config.uploadDir)
    expect(await follows()).toHaveLength(1)
    await query('delete from email_follows')
    await tidy(config.uploadDir)
    expect(await query('select from email_followers')).toEqual([])
  })

  it('is answered alike for every address', async () => {
    await emailFollower('known@outside.test', ['asset:1'])
    const stopped = await emailFollower('stopped@outside.test')
    for (let i = 0; i < 3; i++) await countRefusal(stopped)
    const addresses = ['new@outside.test', 'known@outside.test', 'stopped@outside.test', 'board@example.com']
    const answers = await Promise.all(
      addresses.map(async (email) => {
        const answer = await askToFollow({ email, assetId: 1 })
        return [answer.status, await answer.text()]
      }),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect((await linksIn()).map(({ to }) => to).sort()).toEqual(
      addresses.filter((address) => !address.startsWith('stopped')).sort(),
    )
  })

  it('folds an address as accounts are folded', async () => {
    for (const email of ['Jo@Outside.test', 'jo@outside.TEST']) await askToFollow({ email, assetId: 1 })
    expect(await query('select from email_followers')).toHaveLength(1)
  })

  it('bombs nobody: an address gets three links a day, and a network asks for so many', async () => {
    for (let i = 0; i < 5; i++)
      expect((await askToFollow({ email: 'jo@outside.test', building: true })).status).toBe(202)
    expect(await linksIn()).toHaveLength(3)
    const most = followLimit.points
    await setCount('follows', most - 1)
    const statuses: number[] = []
    for (let i = 0; i < 2; i++)
      statuses.push((await askToFollow({ email: `jo${i}@outside.test`, building: true })).status)
    expect(statuses).toEqual([202, 429])
  })

  it.each([
    [{}, 'email'],
    [{ email: 'jo@outside.test', building: true, assetId: 1 }, 'building'],
    [{ email: 'jo@outside.test', building: 'yes' }, 'building'],
    [{ email: 'a@b@c.test' }, 'email'],
    [{ email: 'jo@outside.test, ana@outside.test' }, 'email'],
    [{ email: `${'j'.repeat(320)}@outside.test` }, 'email'],
    [{ email: 'jo@outside.test', assetId: 999_999 }, 'assetId'],
    [{ email: 'jo@outside.test', incidentId: 999_999 }, 'incidentId'],
    [{ email: 'jo@outside.test', assetId: 1, towerId: 1 }, expect.anything()],
  ])('refuses %j with what to do', async (given, field) => {
    const answer = await askToFollow(given)
    expect(answer.status).toBe(422)
    expect(Object.keys((await answer.json()).errors)).toEqual([field])
    expect(await query('select from email_followers')).toEqual([])
  })

  it('of a merged duplicate is refused with the pointer to its survivor', async () => {
    const [duplicate, survivor] = [await house.report(), await house.report()]
    await office.merges(duplicate, survivor)
    const answer = await askToFollow({ email: 'jo@outside.test', incidentId: duplicate })
    expect([answer.status, (await answer.json()).mergedInto]).toEqual([409, survivor])
  })

  it('begins anew for who had stopped all emails, with nothing they followed then', async () => {
    await emailFollower('jo@outside.test', ['tower:1'])
    await query(`update email_followers set stopped_at = now(), stopped_why = 'asked'`)
    await house.ask('guest', await linkTo('jo@outside.test', { assetId: 2 }), { method: 'POST' })
    expect(await follows()).toMatchObject([{ assetId: 2, towerId: null }])
    expect(await query('select stopped_at from email_followers')).toEqual([{ stoppedAt: null }])
  })

  it('proves the address of a follower again, and also when what was asked for is gone', async () => {
    const follower = await emailFollower('jo@outside.test', ['asset:1'])
    for (let i = 0; i < 2; i++) await countRefusal(follower)
    const proof = () => query('select failures, clicked_at is not null as is_proven from email_followers')
    expect(await proof()).toEqual([{ failures: 2, isProven: true }])
    await house.ask('guest', await linkTo('jo@outside.test'), { method: 'POST' })
    expect(await proof()).toEqual([{ failures: 0, isProven: true }])
    await countRefusal(follower)
    expect(await query('select stopped_at from email_followers')).toEqual([{ stoppedAt: null }])
    await query('update email_followers set clicked_at = null')
    const link = await linkTo('jo@outside.test', { assetId: await house.asset() })
    await query('delete from assets where id = (select max(id) from assets)')
    await house.ask('guest', link, { method: 'POST' })
    expect(await proof()).toEqual([{ failures: 0, isProven: true }])
  })

  it('works from the forms of the pages, without script', async () => {
    const incident = await house.report()
    expect((await house.page('guest', '/assets/1'))('a[href="/follow?assetId=1"]')).toHaveLength(1)
    for (const path of ['/follow?assetId=1', `/incidents/${incident}`, '/follow', '/follow?towerId=1']) {
      const visit = await house.ask('guest', path, { headers: { accept: 'text/html' } })
      const cookie = visit.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ')
      const page = await house.page({ cookie }, path)
      const form = page('form[action^="/follow"]')
      expect([path, form.length]).toEqual([path, 1])
      const fields = Object.fromEntries(
        form
          .find('input[name]')
          .toArray()
          .map((input) => [input.attribs.name!, input.attribs.value ?? '']),
      )
      const sent = await house.ask({ cookie }, form.attr('action')!, {
        form: { ...fields, email: 'jo@outside.test' },
        headers: { accept: 'text/html' },
      })
      expect([path, sent.status]).toEqual([path, 303])
      const next = await house.page('guest', sent.headers.get('location')!)
      expect(next('[role=status]')).toHaveLength(1)
      const wrong = await house.ask({ cookie }, form.attr('action')!, {
        form: { ...fields, email: 'jo' },
        headers: { accept: 'text/html' },
      })
      expect([path, wrong.status]).toEqual([path, 422])
    }
  })
})

describe('following with an account', () => {
  const own = async () => (await house.json('resident', '/api/account')).follows

  it('is one press, is listed, and can be stopped', async () => {
    for (const given of [{ assetId: 1 }, { assetId: 1 }, { towerId: 2 }, { building: true }])
      expect(await house.json('resident', '/api/follows', { json: given })).toEqual({ following: true })
    const listed = await own()
    expect(listed).toMatchObject([
      { assetId: null, towerId: null },
      { assetId: null, towerId: 2 },
      { assetId: 1, towerId: null },
    ])
    const page = await house.page('resident', '/account?tab=notifications')
    for (const { id } of listed) {
      expect(page(`form[action="/follows/${id}/end"]`)).toHaveLength(1)
      expect((await house.ask('board', `/api/follows/${id}`, { method: 'DELETE' })).status).toBe(404)
      expect((await house.ask('resident', `/api/follows/${id}`, { method: 'DELETE' })).status).toBe(204)
    }
    expect(await own()).toEqual([])
  })
})

it('the office sees how many follow, what the limits kept, and stopped addresses, but nobody else', async () => {
  await emailFollower('jo@outside.test', ['asset:1', 'building'])
  const stopped = await emailFollower('gone@outside.test', ['asset:1'])
  for (let i = 0; i < 3; i++) await countRefusal(stopped)
  await query(`insert into outbox (kind, event, email_follower_id, held_back_at, sent_at, last_error)
      select 'mail', 'follow.asked', id, now(), now(), 'over the limit' from email_followers`)
  const text = (await house.page('manager', '/admin/deliveries'))('main').text()
  expect(text).toContain('2 people without an account get email updates.')
  expect(text).toContain('Sending limits held back 2 emails')
  expect(text).toContain('gone@outside.test')
  expect(text).not.toContain('jo@outside.test')
})

const json = { accept: 'application/json' }

function askToFollow(json: object) {
  return house.ask('guest', '/api/follow', { json })
}

/** The links of the emails that waited. */
async function linksIn() {
  return (await takeMessages()).emails.flatMap(({ to, html }) => {
    const path = /href="https?:\/\/[^/]+(\/follow\/[^"]+)"/.exec(html)?.[1]
    return path ? [{ to: to.address, path }] : []
  })
}

async function linkTo(email: string, given: object = { assetId: 1 }): Promise<string> {
  expect((await askToFollow({ email, ...given })).status).toBe(202)
  return (await linksIn())[0]!.path
}

/** As if every link had ended, and every address been known, since so many days. */
function linksAre({ daysOld }: { daysOld: number }) {
  return query(
    `with links as (update email_links set expires_at = now() - make_interval(days => $1))
     update email_followers set created_at = now() - make_interval(days => $1)`,
    [daysOld],
  )
}

/** What is followed by people without an account. */
function follows() {
  return query(`select m.address, f.asset_id, f.tower_id, f.incident_id from email_follows f
    join email_followers m on m.id = f.email_follower_id order by f.id`)
}
