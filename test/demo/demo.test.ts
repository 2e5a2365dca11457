import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { buildDirectory } from '../../src/demo/buildDirectory.js'
import * as demo from '../../src/demo/directory.js'
import { performActs } from '../../src/demo/performActs.js'
import { plannedWork } from '../../src/demo/plannedWork.js'
import { seedDemo } from '../../src/demo/seed.js'
import { actsOf, pictureFolder, type Story, stories } from '../../src/demo/story.js'
import { advisoryLocks } from '../../src/platform/db/advisoryLocks.js'
import { query } from '../../src/platform/db/database.js'
import { migrate } from '../../src/platform/db/migrations/migrate.js'
import { closeDatabase, openDatabase } from '../../src/platform/db/pools.js'
import { processPhoto } from '../../src/platform/photos/photoProcessor.js'
import { type AssetStatus, impactOf, liveStatus } from '../../src/vocabulary/assetStatus.js'
import { type LifecycleState, type Status, startsDowntime, statuses } from '../../src/vocabulary/lifecycle.js'
import { limits } from '../../src/vocabulary/limits.js'
import { demoEmails } from '../../src/vocabulary/people/demo.js'
import { acknowledgeBy, defaultSlaTargets, severities } from '../../src/vocabulary/severity.js'
import { occurrences, windowProblem } from '../../src/vocabulary/time/recurrence.js'
import { useDatabase } from '../support/database.js'
import { count, insertRow } from '../support/rows.js'
import { eventually } from '../support/run/eventually.js'
import { inWholeRun, perRun } from '../support/run/extent.js'

const DAY = 86_400_000
const moments = fc
  .date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2031-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.getTime())
/** The names of the files in the folder. */
const pictures = readdirSync(pictureFolder)
  .map((file) => path.parse(file).name)
  .sort()
const winterDay = Date.parse('2027-01-20T14:30:00Z')

describe('the demo building', () => {
  it('has the four people who can sign in, one of each role, and neighbours in flats that exist', () => {
    const people = Object.values(demo.demoPeople)
    const roles = people.slice(0, 4).map(({ email, role }) => [email, role])
    expect(roles).toEqual(demoEmails.map((email) => [email, email.split('@')[0]]))
    expect(new Set(people.map(({ email }) => email)).size).toBe(people.length)
    for (const { email, unit } of people) {
      expect(email).toMatch(/@example\.com$/)
      if (unit) expect(demo.demoUnits).toContain(unit)
    }
  })

  it('lists numbers and addresses that belong to nobody, and one line for emergencies', () => {
    expect(demo.demoContacts).toHaveLength(8)
    expect(demo.demoContacts.filter(({ isEmergency }) => isEmergency)).toHaveLength(1)
    for (const { phone, email } of demo.demoContacts) {
      expect(phone).toMatch(/^(020 7946 0\d{3}|0808 157 0\d{3}|07700 900\d{3})$/)
      expect(email).toMatch(/^$|@([a-z]+\.)?example\.com$/)
    }
  })

  it('has planned work in progress, weekly, monthly and next week, at any time of any day', () => {
    fc.assert(
      fc.property(moments, (now) => {
        const [current, weekly, monthly, next, ...more] = plannedWork(now).map((work) => ({
          ...work,
          ...inMs(work),
        }))
        expect(more).toEqual([])
        expect(current!.startsAt < now && now < current!.endsAt).toBe(true)
        expect([weekly!.recurrence, monthly!.recurrence, next!.recurrence]).toEqual([
          'weekly',
          'monthly',
          'none',
        ])
        expect(new Date(weekly!.startsAt).getUTCDay()).toBe(2)
        for (const work of [current!, weekly!, monthly!, next!])
          expect(windowProblem(work, 'Europe/London')).toBeNull()
        for (const work of [weekly!, monthly!]) {
          expect(now - work.startsAt).toBeGreaterThan(90 * DAY)
          expect(now - work.startsAt).toBeLessThan(120 * DAY)
        }
        const ahead = occurrences(monthly!, 'Europe/London', now - DAY, now + 30 * DAY)[0]!
        expect(ahead.start - now).toBeGreaterThan(5 * DAY)
        expect(next!.startsAt - now).toBeGreaterThan(6 * DAY)
        expect(next!.startsAt - now).toBeLessThan(8 * DAY)
      }),
    )
  })
})

describe('the stories of the demo', () => {
  it('are some fifty incidents of every kind', () => {
    const all = stories()
    expect(all.length).toBeGreaterThanOrEqual(45)
    expect(all.length).toBeLessThanOrEqual(60)
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length)
    expect(new Set(all.map(({ severity }) => severity))).toEqual(new Set(severities))
    expect(new Set(all.map((story) => outcome(story, winterDay).status))).toEqual(new Set(statuses))
    expect(all.filter(({ isAnonymous }) => isAnonymous).length).toBeGreaterThanOrEqual(3)
    expect(all.filter(({ by }) => by === 'mobile').length).toBeGreaterThanOrEqual(8)
    expect(all.filter((story) => 'unit' in story).length).toBeGreaterThanOrEqual(5)
    const costs = all.flatMap(({ turns }) => turns.filter((turn) => 'cost' in turn))
    expect(costs.length).toBeGreaterThanOrEqual(8)
  })

  it('happen where there is something, in words that fit', () => {
    for (const story of stories()) {
      if ('unit' in story) expect(demo.demoUnits).toContain(story.unit)
      else expect(demo.demoAssets).toHaveProperty(story.asset)
      expect('unit' in story && 'asset' in story).toBe(false)
      expect(story.title.length).toBeGreaterThan(0)
      for (const text of [story.title, story.description]) expect(text).toBe(text.trim())
      expect(story.title.length).toBeLessThanOrEqual(limits.title)
      expect(story.description.length).toBeLessThanOrEqual(limits.text)
      for (const turn of story.turns) if ('body' in turn) expect(turn.body).toMatch(/\S/)
    }
  })

  it('keep anonymous reports away from flats, which would give their people away', () => {
    for (const story of stories()) expect(story.isAnonymous && 'unit' in story).toBe(false)
  })

  it('lie in the past in the same order, whenever they are told', () => {
    const order = actsOf(stories(), winterDay).filter(({ turn }) => turn === null)
    fc.assert(
      fc.property(moments, (now) => {
        const acts = actsOf(stories(), now)
        expect(acts.at(-1)!.at.getTime()).toBeLessThan(now)
        expect(now - acts[0]!.at.getTime()).toBeGreaterThan(95 * DAY)
        expect(now - acts[0]!.at.getTime()).toBeLessThan(120 * DAY)
        expect(acts.filter(({ turn }) => turn === null).map(({ key }) => key)).toEqual(
          order.map(({ key }) => key),
        )
        for (const story of stories()) {
          const times = acts.filter((act) => act.story === story).map(({ at }) => at.getTime())
          expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
        }
      }),
      { numRuns: perRun({ quick: 10, whole: 50 }) },
    )
  })

  it('are the same a day later, a day later', () => {
    // The 120 days before lie between two clock changes: a day is 24 hours.
    const autumn = Date.parse('2027-09-20T14:30:00Z')
    const timesOfActs = (now: number) =>
      actsOf(stories(), now).map(({ key, at }) => [key, at.getTime() - now])
    expect(timesOfActs(autumn + DAY)).toEqual(timesOfActs(autumn))
  })

  it('leave one lift down, one asset degraded and one in maintenance, at any time of any day', () => {
    fc.assert(
      fc.property(moments, (now) => {
        const { 'N-L1': lift, 'S-B1': boiler, 'S-W1': laundry, ...others } = liveStatuses(now)
        expect([lift, boiler, laundry]).toEqual(['down', 'degraded', 'maintenance'])
        expect(new Set(Object.values(others))).toEqual(new Set(['operational']))
      }),
      { numRuns: perRun({ quick: 10, whole: 50 }) },
    )
  })

  it('leave exactly two reports past their time to be acknowledged', () => {
    fc.assert(
      fc.property(moments, (now) => {
        const waiting = stories().filter((story) => outcome(story, now).status === 'open')
        const late = waiting.filter((story) => {
          const [report] = actsOf([story], now)
          return acknowledgeBy(report!.at, story.severity, defaultSlaTargets).getTime() < now
        })
        expect(late.map(({ key }) => key)).toEqual(['damp-patch', 'window-handle'])
      }),
    )
  })

  it('name, for each duplicate, an older report of the same place', () => {
    const repeated = stories().filter(({ sameAs }) => sameAs !== null)
    expect(repeated).toHaveLength(2)
    for (const story of repeated) {
      const first = stories().find(({ key }) => key === story.sameAs)!
      const [earlier, later] = [actsOf([first], winterDay)[0]!, actsOf([story], winterDay)[0]!]
      expect(earlier.at.getTime()).toBeLessThan(later.at.getTime())
      expect('asset' in first && 'asset' in story && first.asset === story.asset).toBe(true)
    }
  })
})

describe('the photos of the demo', () => {
  it('are each the photo of one moment, at most three in a report', () => {
    const posts = stories().flatMap(({ photos, turns }) => [
      photos,
      ...turns.map((turn) => ('photos' in turn ? turn.photos : [])),
    ])
    expect(posts.flat().sort()).toEqual(pictures)
    expect(Math.max(...posts.map((photos) => photos.length))).toBeLessThanOrEqual(3)
  })

  it('are JPEG files, and small', () => {
    const files = readdirSync(pictureFolder)
    expect(files.filter((file) => !file.endsWith('.jpg'))).toEqual([])
    const sizes = files.map((file) => statSync(path.join(pictureFolder, file)).size)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(200 * 1024)
  })

  it('pass the pipeline of uploads', async () => {
    const photos = new Set<string>()
    for (const name of pictures) {
      const { photo, width, height } = await processPhoto(path.join(pictureFolder, `${name}.jpg`))
      expect([width, height]).toEqual([960, 720])
      photos.add(photo.toString('base64'))
    }
    expect(photos.size).toBe(pictures.length)
  })
})

describe('the demo in the database', () => {
  useDatabase()

  it('is every story, in the order of its ids', async () => {
    const reports = actsOf(stories(), winterDay).filter(({ turn }) => turn === null)
    const rows = await query<{ title: string; status: Status }>(
      'select title, status from incidents order by id',
    )
    expect(rows.map(({ title }) => title)).toEqual(reports.map(({ story }) => story.title))
    expect(rows.map(({ status }) => status)).toEqual(
      reports.map(({ story }) => outcome(story, winterDay).status),
    )
  })

  it('has one audit entry for each act and each thing of the building, and told nobody', async () => {
    const acts = actsOf(stories(), winterDay).map(({ key }) => `demo/act/${key}`)
    const [{ ids }] = (await query(
      `select json_agg(request_id order by id) as ids from audit_entries where entity = 'incident'`,
    )) as [{ ids: string[] }]
    expect([...ids].sort()).toEqual([...acts].sort())
    for (const table of ['tower', 'unit', 'asset', 'contact', 'maintenance_window']) {
      const entries = `audit_entries where action = '${table}.created'`
      expect(await count(entries)).toBe(await count(`${table}s`))
    }
    for (const table of ['outbox', 'webhook_deliveries', 'idempotency_keys'])
      expect(await count(table)).toBe(0)
  })

  it('was announced as it is', async () => {
    const rows = await query<{ code: string; status: AssetStatus }>(
      'select code, announced_status as status from assets order by id',
    )
    expect(Object.fromEntries(rows.map(({ code, status }) => [code, status]))).toEqual(
      liveStatuses(winterDay),
    )
  })

  it('is not filled a second time', async () => {
    const before = await count('audit_entries')
    expect(await seedDemo()).toBe(false)
    expect(await count('audit_entries')).toBe(before)
  })
})

inWholeRun(() => {
  describe('filling an empty database', () => {
    useDatabase({ empty: true })

    it('goes on where an earlier start was cut short, and happens once when two do it', async () => {
      await migrate()
      const now = Date.now()
      await buildDirectory(new Date(now - 120 * DAY), new Date(now))
      const acts = actsOf(stories(), now)
      await performActs(acts.slice(0, 150))
      const cutShort = await count('audit_entries')
      const answers = await Promise.all([seedDemo(), seedDemo()])
      expect(answers.sort()).toEqual([false, true])
      expect(await count(`audit_entries where entity = 'incident'`)).toBe(acts.length)
      expect(await count('audit_entries')).toBe(cutShort + acts.length - 150 + 3)
      expect(await count('photos')).toBe(pictures.length)
    })
  })
})

inWholeRun(() => {
  describe('a database that another process fills', () => {
    const url = useDatabase({ empty: true })

    it('is waited for, also for longer than a statement may take', async () => {
      await migrate()
      await closeDatabase()
      openDatabase(url(), 4, { patience: 300 })
      const other = new pg.Client({ connectionString: url() })
      await other.connect()
      await other.query('begin')
      await other.query('select pg_advisory_xact_lock($1)', [advisoryLocks.demo])
      const began = performance.now()
      const waiting = seedDemo()
      // A statement of this process is given up after 300 ms and one second.
      const longEnough = eventually(() => expect(performance.now() - began).toBeGreaterThan(2_000))
      await Promise.race([waiting, longEnough])
      await other.query(`insert into users (name, email, role) values ('Ada', 'ada@example.com', 'admin')`)
      await other.query('commit')
      await other.end()
      expect(await waiting).toBe(false)
    })
  })
})

describe('a database with somebody in it', () => {
  useDatabase({ empty: true })

  it('is left alone', async () => {
    await migrate()
    await insertRow('users', { name: 'Ada', email: 'ada@example.com', role: 'admin' })
    expect(await seedDemo()).toBe(false)
    expect(await count('assets')).toBe(0)
  })
})

/** The incident as it stands when its last turn is over. */
function outcome(story: Story, now: number): LifecycleState {
  const [report, ...turns] = actsOf([story], now)
  let standing = fresh()
  for (const { at, turn } of turns) {
    const to = turn && 'newStatus' in turn ? turn.newStatus : null
    const isClosed = to === 'resolved' || to === 'verified'
    const { acknowledgedAt } = standing
    if (to !== null)
      standing = {
        ...standing,
        status: to,
        acknowledgedAt: acknowledgedAt ?? at,
        resolvedAt: isClosed ? (standing.resolvedAt ?? at) : null,
        verifiedAt: to === 'verified' ? at : null,
      }
  }
  expect(report!.turn).toBeNull()
  return standing
}

const fresh = (): LifecycleState => ({
  id: 1,
  status: 'open',
  createdAt: new Date(0),
  downtimeStartedAt: null,
  acknowledgedAt: null,
  resolvedAt: null,
  verifiedAt: null,
  mergedIntoId: null,
})

/** Every asset's live status at `now`, by the rules alone. */
function liveStatuses(now: number): Record<string, AssetStatus> {
  const work = plannedWork(now).map((each) => ({ ...each, ...inMs(each) }))
  const unresolved = stories().filter((story) => outcome(story, now).resolvedAt === null)
  return Object.fromEntries(
    Object.keys(demo.demoAssets).map((code) => {
      const own = unresolved.filter((story) => 'asset' in story && story.asset === code)
      const live = own.flatMap(({ severity }) => {
        const isDowntime = startsDowntime(1, severity)
        const impact = impactOf({ assetId: 1, severity, isDowntime, resolvedAt: null, mergedIntoId: null })
        return impact === null ? [] : [{ impact }]
      })
      const windows = work.filter(({ asset }) => asset === code)
      const closed = windows.some((window) => occurrences(window, 'Europe/London', now, now + 1).length > 0)
      return [code, liveStatus(live, closed)]
    }),
  )
}

const inMs = ({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }) => ({
  startsAt: startsAt.getTime(),
  endsAt: endsAt.getTime(),
})
