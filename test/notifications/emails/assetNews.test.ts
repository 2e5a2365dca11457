import { beforeEach, describe, expect, it } from 'vitest'
import { sendReminders } from '../../../src/maintenance/reminders.js'
import { fanOut } from '../../../src/notifications/fanOut.js'
import { query } from '../../../src/platform/db/database.js'
import { formatFor } from '../../../src/platform/http/format/format.js'
import { announceStatus } from '../../../src/status/announceStatus.js'
import type { Email } from '../../../src/vocabulary/email/delivery.js'
import { dateIn, instantOf, wallClock } from '../../../src/vocabulary/time/calendar.js'
import { emailFollower, forgetEmailFollowers } from '../../support/email/emailFollowers.js'
import { takeMessages } from '../../support/email/messages.js'
import { unsubscribeInOneClick, unsubscribePath } from '../../support/email/unsubscribe.js'
import { useHouse } from '../../support/house/house.js'
import { moveWork, tenMinutesPass } from '../../support/house/timePassing.js'

const house = useHouse()
const { office, board } = house
/** An asset of tower 1 without reports or planned work. */
let lift = 0
/** When the test began: what it plans begins at one time, however long the test takes. */
let began = 0
beforeEach(async () => {
  began = Date.now()
  await sendReminders()
  await forgetEmailFollowers()
  lift = await house.asset({ name: name() })
})

describe('who follows by email', () => {
  it('is told what matters of an asset, and nothing twice', async () => {
    const scopes = {
      asset: `asset:${lift}`,
      tower: 'tower:1',
      building: 'building',
      other: 'asset:2',
      elsewhere: 'tower:2',
    }
    for (const [who, followed] of Object.entries(scopes))
      await emailFollower(`${who}@outside.test`, [followed])
    await emailFollower('all@outside.test', [`asset:${lift}`, 'tower:1', 'building'])
    for (const [act, happens, expectedNews] of lifeOfLift()) {
      await happens()
      await announceStatus(null)
      const emails = await news()
      const got = emails.map(({ to, subject }) => [to.address, subject])
      if (expectedNews === null) expect([act, got]).toEqual([act, []])
      else {
        expect([act, emails.map(({ to }) => to.address.split('@')[0]).sort()]).toEqual([
          act,
          ['all', 'asset', 'building', 'tower'],
        ])
        for (const { subject } of emails)
          expect([act, subject]).toEqual([act, expect.stringMatching(expectedNews)])
      }
      await tenMinutesPass()
    }
  })

  it('with an account gets the same, once, until they turn it off or stop it', async () => {
    await board.json('/api/follows', { json: { assetId: lift } })
    await emailFollower('BOARD@example.com', [`asset:${lift}`])
    const toBoard = async () =>
      (await takeMessages()).emails
        .filter(({ subject }) => subject.includes(name()))
        .map(({ to }) => to.address)
    const id = await breakDown()
    expect(await toBoard()).toEqual(['board@example.com'])
    await tenMinutesPass()
    await board.wants({ 'asset.mail': false })
    await repair(id)
    expect(await toBoard()).toEqual([])
    await board.wants({ 'asset.mail': true })
    await tenMinutesPass()
    await breakDown()
    await fanOut()
    const [follow] = await query<{ id: number }>('select id from email_follows where user_id is not null')
    await board.ask(`/api/follows/${follow!.id}`, { method: 'DELETE' })
    expect(await toBoard()).toEqual([])
  })

  it('can stop, by the link in an email, everything that led to it', async () => {
    await emailFollower('jo@outside.test', [`asset:${lift}`, 'tower:1', 'asset:2'])
    const id = await breakDown()
    const [email] = await news()
    const path = unsubscribePath(email!)
    const page = await house.page('guest', path)
    expect(page('main strong').text()).toContain(name())
    await unsubscribeInOneClick(house, path)
    await tenMinutesPass()
    await repair(id)
    expect(await news()).toEqual([])
    expect(await query('select asset_id from email_follows where asset_id is not null')).toEqual([
      { assetId: 2 },
    ])
    await house.ask('guest', `${path}/undo`, { method: 'POST' })
    expect(await query('select from email_follows where email_follower_id is not null')).toHaveLength(3)
  })

  it('is told of several assets in one email', async () => {
    await emailFollower('jo@outside.test', ['building'])
    const gate = await house.asset({ towerId: 2, name: `Gate ${began}` })
    await house.report({ assetId: lift, severity: 'critical' })
    await breakDown(gate)
    const emails = await news()
    expect(emails).toHaveLength(1)
    expect(emails[0]!.subject).toMatch(/^Out of service: (Hoist|Gate) \d+, and 1 more$/)
    for (const asset of [`Gate ${began}`, name()]) expect(emails[0]!.text).toContain(asset)
  })
})

describe('an asset that flaps', () => {
  const flap = async (times: number) => {
    for (let i = 0; i < times; i++) await repair(await breakDown())
  }

  it('is told at once, and then once, if something else is true after ten minutes', async () => {
    await emailFollower('jo@outside.test', [`asset:${lift}`])
    const first = await breakDown()
    expect(await subjects()).toEqual([`Out of service: ${name()}`])
    await repair(first)
    await flap(3)
    expect(await subjects()).toEqual([])
    await tenMinutesPass()
    expect(await subjects()).toEqual([`Back in service: ${name()}`])
    await tenMinutesPass()
    expect(await subjects()).toEqual([])
  })

  it('is told no more when it is as it was told', async () => {
    await emailFollower('jo@outside.test', [`asset:${lift}`])
    await repair(await breakDown())
    expect(await subjects()).toEqual([])
    const id = await breakDown()
    expect(await subjects()).toEqual([`Out of service: ${name()}`])
    await repair(id)
    await breakDown()
    expect(await subjects()).toEqual([])
    await tenMinutesPass()
    expect(await subjects()).toEqual([])
  })

  it('gathers what else is new in those minutes', async () => {
    await emailFollower('jo@outside.test', [`asset:${lift}`])
    const id = await breakDown()
    await news()
    await expectBack(id, inHours(4))
    const window = await plan()
    await replan(window, { startsAt: inHours(120), endsAt: inHours(121) })
    const gone = await plan({ title: 'Nothing in the end' })
    await unplan(gone)
    expect(await news()).toEqual([])
    await tenMinutesPass()
    const emails = await news()
    expect(emails).toHaveLength(1)
    expect(emails[0]!.subject).toMatch(/^Expected back/)
    expect(emails[0]!.text).toContain('Yearly check')
    expect(emails[0]!.text).toContain('Work is planned')
    expect(emails[0]!.text).not.toContain('Nothing in the end')
  })
})

describe('news that wait', () => {
  it('are spread once, however many processes look, and whichever wrote them has died', async () => {
    await emailFollower('jo@outside.test', [`asset:${lift}`])
    await breakDown()
    await Promise.all(Array.from({ length: 4 }, () => fanOut()))
    expect(await subjects()).toEqual([`Out of service: ${name()}`])
  })

  it('of planned work are told once by any number of passes, also after a pause of days', async () => {
    await emailFollower('jo@outside.test', [`asset:${lift}`])
    const window = await planWeekly()
    await news()
    await tenMinutesPass()
    await moveWork(window, { startsIn: -72, knownFor: 216 })
    const passes = await Promise.all(Array.from({ length: 3 }, () => sendReminders()))
    expect(passes.reduce((sum, n) => sum + n)).toBe(1)
    expect(await subjects()).toEqual([`Planned work done: ${name()}`])
    await tenMinutesPass()
    await sendReminders()
    expect(await subjects()).toEqual([])
  })

  it('of work that is done are told once, also when the series is changed afterwards', async () => {
    await emailFollower('jo@outside.test', [`asset:${lift}`])
    const window = await planWeekly()
    await moveWork(window, { startsIn: -72, knownFor: 216 })
    await sendReminders()
    await news()
    await tenMinutesPass()
    await replan(window, { startsAt: inHours(100), endsAt: inHours(103) })
    expect(await subjects()).toEqual([`Planned work moved: ${name()}`])
    await tenMinutesPass()
    await sendReminders()
    expect(await subjects()).toEqual([])
  })

  it('of single dates are gathered each by itself, with its own times, and what was taken back is none', async () => {
    await emailFollower('jo@outside.test', [`asset:${lift}`])
    const work = await planWeekly()
    await news()
    await tenMinutesPass()
    for (const week of [0, 1, 2])
      await changeDate(work, 'skip', { date: dateIn(zone, weeksLater(Date.parse(inHours(100)), week)) })
    await changeDate(work, 'restore', { date: dateIn(zone, weeksLater(Date.parse(inHours(100)), 1)) })
    const [email, ...others] = await news()
    expect(others).toEqual([])
    expect(email!.subject).toBe(`One date of planned work cancelled: ${name()}`)
    expect(email!.text.match(/Yearly check/g)).toHaveLength(2)
    expect(email!.text).not.toContain('moved')
    const [{ at }] = (await query<{ at: Date }>(
      'select starts_at as at from maintenance_windows where id = $1',
      [work],
    )) as [{ at: Date }]
    const { range } = formatFor('en', zone)
    for (const [week, isNews] of [true, false, true].entries()) {
      const [from, to] = [0, 2].map((hours) =>
        new Date(weeksLater(at.getTime() + hours * 3_600_000, week)).toISOString(),
      )
      expect([week, email!.text.includes(range(from!, to!))]).toEqual([week, isNews])
    }
  })

  it('of planned work are told by a sweep, too, where no worker is', async () => {
    await emailFollower('jo@outside.test', [`asset:${lift}`])
    const window = await plan()
    await news()
    await tenMinutesPass()
    await moveWork(window, { startsIn: 20 })
    await house.json('cron', '/api/cron/sweep', { method: 'POST' })
    expect(await subjects()).toEqual([`Planned work in the next 24 hours: ${name()}`])
  })

  it('of work planned for the next hours come without a reminder', async () => {
    await emailFollower('jo@outside.test', [`asset:${lift}`])
    await plan({ startsAt: inHours(3), endsAt: inHours(4) })
    expect(await subjects()).toEqual([`Planned work: ${name()}`])
    await sendReminders()
    await tenMinutesPass()
    expect(await subjects()).toEqual([])
  })

  it('leave with their asset', async () => {
    await emailFollower('jo@outside.test', [`asset:${lift}`])
    await plan()
    await query('delete from maintenance_windows where asset_id = $1', [lift])
    await house.ask('admin', `/api/admin/assets/${lift}`, { method: 'DELETE' })
    expect(await subjects()).toEqual([])
    expect(await query('select from email_follows where asset_id = $1', [lift])).toEqual([])
  })
})

const name = () => `Hoist ${began}`

async function breakDown(assetId = lift): Promise<number> {
  const id = await house.report({ assetId, title: 'Stuck', severity: 'critical' })
  await announceStatus(null)
  return id
}

async function repair(id: number) {
  await office.resolves(id)
  await announceStatus(null)
}

const expectBack = (id: number, expectedBackAt: string | null) =>
  house.json('manager', `/api/incidents/${id}`, { method: 'PATCH', json: { expectedBackAt } })

async function plan(given: object = {}): Promise<number> {
  const [startsAt, endsAt] = [inHours(100), inHours(102)]
  const json = { assetId: lift, title: 'Yearly check', startsAt, endsAt, recurrence: 'none', ...given }
  return (await house.json('manager', '/api/admin/maintenance', { json })).id
}

const planWeekly = () => plan({ recurrence: 'weekly' })

const replan = (id: number, json: object) =>
  house.json('manager', `/api/admin/maintenance/${id}`, { method: 'PATCH', json })

const unplan = (id: number) => house.ask('manager', `/api/admin/maintenance/${id}`, { method: 'DELETE' })

/** Skips, moves or restores a date of repeating work: the one that begins in 100 hours. */
const changeDate = (work: number, verb: 'skip' | 'move' | 'restore', json: object = {}) =>
  house.json('manager', `/api/admin/maintenance/${work}/${verb}`, {
    json: { date: dateIn(zone, Date.parse(inHours(100))), ...json },
  })

const zone = 'Europe/London'

/**
 * The same time on the clock so many weeks later, which a change of the clock makes
 * another number of hours.
 */
function weeksLater(instant: number, weeks: number) {
  const wall = wallClock(zone, instant)
  return instantOf(zone, { ...wall, day: wall.day + 7 * weeks })
}

const times = (hours: number) => ({ startsAt: inHours(hours), endsAt: inHours(hours + 1) })

const inHours = (hours: number) => new Date(began + hours * 3_600_000).toISOString()

const toAddresses = (emails: Email[]) => emails.filter(({ to }) => to.address.endsWith('@outside.test'))

const news = async () => toAddresses((await takeMessages()).emails)

const subjects = async () => (await news()).map(({ subject }) => subject)

type Step = [act: string, what: () => Promise<unknown>, expectedNews: RegExp | null]

/**
 * What happens to a lift, in order, with the emails that it brings; ten minutes pass between two.
 */
function lifeOfLift(): Step[] {
  let report = 0
  let otherReport = 0
  let work = 0
  return [
    ['goes down', async () => (report = await breakDown()), /^Out of service: Hoist/],
    ['another report comes', async () => (otherReport = await breakDown()), null],
    ['an expected time is set', () => expectBack(report, inHours(5)), /^Expected back .*: Hoist/],
    ['it is set again to the same', () => announceStatus(null), null],
    ['the expected time moves', () => expectBack(report, inHours(9)), /^Expected back/],
    ['the expected time is taken back', () => expectBack(report, null), /^Expected time withdrawn/],
    ['one of two reports is resolved', () => repair(report), null],
    ['the other one, too', () => repair(otherReport), /^Back in service: Hoist/],
    ['something small is reported', () => house.report({ assetId: lift, severity: 'medium' }), null],
    ['work is planned', async () => (work = await plan()), /^Planned work: Hoist/],
    ['its title is corrected', () => replan(work, { title: 'Check' }), null],
    ['it moves', () => replan(work, times(50)), /^Planned work moved/],
    ['time passes', () => sendReminders(), null],
    ['it is cancelled', () => unplan(work), /^Planned work cancelled/],
    ['work is planned every week', async () => (work = await planWeekly()), /^Planned work: Hoist/],
    ['a date is skipped', () => changeDate(work, 'skip'), /^One date of planned work cancelled: Hoist/],
    ['it takes place after all', () => changeDate(work, 'restore'), /^Planned work: Hoist/],
    ['a date moves beyond the next', () => changeDate(work, 'move', times(280)), /^Planned work moved/],
    ['it moves back', () => changeDate(work, 'restore'), /^Planned work moved/],
    ['time passes', () => sendReminders(), null],
    ['it is cancelled', () => unplan(work), /^Planned work cancelled/],
    [
      'work is less than a day ahead',
      async () => {
        work = await plan()
        await news()
        await tenMinutesPass()
        await moveWork(work, { startsIn: 20 })
        await sendReminders()
      },
      /^Planned work in the next 24 hours/,
    ],
    ['time passes', () => sendReminders(), null],
    [
      'it is done',
      async () => {
        await moveWork(work, { startsIn: -3, knownFor: 4 })
        await sendReminders()
      },
      /^Planned work done/,
    ],
    ['time passes', () => sendReminders(), null],
  ]
}
