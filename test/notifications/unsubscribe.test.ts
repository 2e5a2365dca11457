import { beforeEach, describe, expect, it } from 'vitest'
import { unsubscribeLinks } from '../../src/notifications/unsubscribe/unsubscribeLinks.js'
import { query } from '../../src/platform/db/database.js'
import type { Topic } from '../../src/vocabulary/email/unsubscribeTopics.js'
import { userIdOf } from '../support/accounts.js'
import { emailFollower } from '../support/email/emailFollowers.js'
import { emptyOutbox, takeMessages } from '../support/email/messages.js'
import { unsubscribeInOneClick } from '../support/email/unsubscribe.js'
import { forgetChoices } from '../support/house/choices.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const { office } = house
beforeEach(async () => {
  await emptyOutbox()
  await forgetChoices()
})

describe('the link at the end of an email', () => {
  it('of an incident ends following it, for emails and phones alike', async () => {
    const id = await house.report()
    const answer = await house.ask('guest', await linkFor('resident', `incident:${id}`), { method: 'POST' })
    expect(answer.status).toBe(200)
    const text = await answer.text()
    expect(text).toContain('You’ve unsubscribed.')
    expect(text).toContain('Resubscribe')
    expect(await followed('resident', id)).toBe(false)
    const resident = await userIdOf('resident')
    expect(await lastEntry()).toEqual({
      actorId: resident,
      action: 'user.unsubscribed',
      entity: 'user',
      entityId: resident,
      changes: { following: { before: [id], after: [] } },
      via: 'web',
    })
  })

  it('of a duplicate ends following what it was merged into, too', async () => {
    const [id, target] = [await house.report(), await house.report()]
    await office.merges(id, target)
    await unsubscribeInOneClick(house, await linkFor('resident', `incident:${id}`))
    expect([await followed('resident', id), await followed('resident', target)]).toEqual([false, false])
    await unsubscribeInOneClick(house, `${await linkFor('resident', `incident:${id}`)}/undo`)
    expect([await followed('resident', id), await followed('resident', target)]).toEqual([false, true])
  })

  it.each([
    ['digest', { 'digest.mail': false }],
    [
      'all',
      {
        'created.mail': false,
        'status.mail': false,
        'comment.mail': false,
        'escalated.mail': false,
        'merged.mail': false,
        'asset.mail': false,
        'sweep.mail': false,
        'digest.mail': false,
      },
    ],
  ] as const)('of %s turns off just that, and back on', async (topic, off) => {
    await house.board.wants({ 'status.push': false })
    const link = await linkFor('board', topic)
    await unsubscribeInOneClick(house, link)
    expect(await settingsOf('board')).toEqual({ 'status.push': false, ...off })
    expect(await lastEntry()).toMatchObject({ action: 'user.unsubscribed', via: 'web' })
    await house.ask('guest', `${link}/undo`, { method: 'POST' })
    expect(Object.values(await settingsOf('board')).filter((on) => on === false)).toEqual([false])
    expect(await lastEntry()).toMatchObject({ action: 'user.resubscribed' })
  })

  it('counts: what was ended is not sent', async () => {
    const json = { assetId: 7, title: 'Lift B stuck', severity: 'high' }
    const { id } = await house.json('resident', '/api/incidents', { json })
    await unsubscribeInOneClick(house, await linkFor('board', 'created'))
    await unsubscribeInOneClick(house, await linkFor('resident', `incident:${id}`))
    await house.json('manager', `/api/incidents/${id}/updates`, {
      json: { body: 'x', newStatus: 'in_progress' },
    })
    const { emails } = await takeMessages()
    const [receipt, ...others] = emails.filter(({ to }) => to.address === 'resident@example.com')
    expect([receipt!.text.includes('We’ve got your report'), others]).toEqual([true, []])
    const toOthers = emails.filter((email) => email !== receipt).map(({ to }) => to.address)
    expect(toOthers.sort()).toEqual(['admin@example.com', 'manager@example.com'])
  })

  it('works for the person it was made for, whoever is signed in', async () => {
    const link = await linkFor('board', 'digest')
    await house.ask('admin', link, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })
    expect(await settingsOf('board')).toMatchObject({ 'digest.mail': false })
    expect(await settingsOf('admin')).toEqual({})
    expect(await lastEntry()).toMatchObject({ actorId: await userIdOf('board') })
  })

  it('works for any email provider: from anywhere, in any form, with or without a body', async () => {
    const multipart = new FormData()
    multipart.set('List-Unsubscribe', 'One-Click')
    for (const asked of [
      { form: { 'List-Unsubscribe': 'One-Click' }, headers: { 'sec-fetch-site': 'cross-site' } },
      { form: { 'List-Unsubscribe': 'One-Click' }, headers: { origin: 'https://mail.example' } },
      { body: multipart },
      { method: 'POST', body: 'List-Unsubscribe=One-Click', headers: { 'content-type': 'text/plain' } },
      { method: 'POST' },
    ]) {
      await forgetChoices()
      expect((await house.ask('guest', await linkFor('board', 'digest'), asked)).status).toBe(200)
      expect(await settingsOf('board')).toEqual({ 'digest.mail': false })
    }
  })

  it('says at once what it did, also for someone without an account', async () => {
    const emailFollowerId = await emailFollower('ada@home.example')
    const links = await unsubscribeLinks({ emailFollowerId }, ['all'])
    const link = new URL(links.get('all')!).pathname
    const submitted = { method: 'POST', headers: { accept: 'application/json' } }
    expect(await (await house.ask('guest', link, submitted)).json()).toEqual({
      topic: 'all',
      subscribed: false,
    })
    const undone = await house.ask('guest', `${link}/undo`, submitted)
    expect(await undone.json()).toEqual({ topic: 'all', subscribed: true })
    const page = await (await house.ask('guest', link, { method: 'POST' })).text()
    expect(page).toContain('You don’t get these emails')
    expect(page).toContain('Resubscribe')
  })

  it('sets no cookie, and its page comes with none', async () => {
    const link = await linkFor('board', 'digest')
    for (const answer of [await house.ask('guest', link), await unsubscribeInOneClick(house, link)])
      expect(answer.headers.getSetCookie()).toEqual([])
  })
})

describe('a token', () => {
  it('is the same each time, so that a thousand emails keep one row', async () => {
    const [first, second] = [await linkFor('board', 'incident:345'), await linkFor('board', 'incident:345')]
    expect(second).toBe(first)
    expect(await linkFor('board', 'incident:346')).not.toBe(first)
    expect(await linkFor('resident', 'incident:345')).not.toBe(first)
    const rows = await query(`select from email_links where data ->> 'topic' = 'incident:345'`)
    expect(rows).toHaveLength(2)
  })

  it('of something that is not there opens nothing', async () => {
    expect((await house.ask('guest', await linkFor('board', 'incident:999999'))).status).toBe(404)
  })
})

const linkFor = async (who: string, topic: Topic) =>
  new URL((await unsubscribeLinks({ userId: await userIdOf(who) }, [topic])).get(topic)!).pathname

const settingsOf = async (who: string) =>
  (await query('select notifications from users where id = $1', [await userIdOf(who)]))[0]!.notifications

const followed = async (who: string, id: number) =>
  (await query('select from followers where user_id = $1 and incident_id = $2', [await userIdOf(who), id]))
    .length === 1

const lastEntry = async () =>
  (
    await query(
      `select actor_id, action, entity, entity_id, changes, via from audit_entries
       where action like 'user.%subscribed' order by id desc limit 1`,
    )
  )[0]
