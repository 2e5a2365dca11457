import { change } from '../../platform/db/change.js'
import { inSnapshot } from '../../platform/db/database.js'
import { enqueueEmail } from '../../platform/outbox/enqueueEmail.js'
import { idle } from '../../platform/outbox/outbox.js'
import { countMails } from '../../platform/outbox/outboxMessage.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { DAY } from '../../vocabulary/time/durations.js'
import { clip, subtract, total } from '../../vocabulary/time/intervals.js'
import { occurrences } from '../../vocabulary/time/recurrence.js'
import { staffWantingSql } from '../effects/notification.js'
import { type DigestRows, digestRows } from './queries.js'
import type { Digest, TwoWeeks } from './rules.js'

const oldestNamed = 10
const aheadDays = 14
/** Milliseconds a run waits to count delivered mails; the outbox sends the others later. */
const patience = 10_000

/**
 * `recipients`: mails written; `delivered`: mails sent so far; `outbox`: the folder used without a
 * mail server.
 */
export type DigestResult = { recipients: number; delivered: number; outbox: string | null }

/**
 * Sends the weekly digest to staff (spec §4 rule 6, decision 4.7). With a `period`, once to each
 * person, also when a run is made again after its process was killed; without one, as a manual run,
 * always.
 */
export async function sendDigest(
  actor: Actor,
  outboxDir: string | null,
  period: string | null = null,
): Promise<DigestResult> {
  const digest = await compileDigest()
  const mails = await change(actor, async (c) => {
    c.audit('digest.sent', null, { period: { before: null, after: `${digest.from}/${digest.to}` } })
    const staff = await c.query<{ id: number }>(
      `select u.id from users u where ${staffWantingSql('u', 'digest.mail')}`,
    )
    const once = period && `digest:${period}`
    const users = staff.map(({ id }) => id)
    const written = await enqueueEmail(c, 'digest', { users }, { payload: digest, once })
    if (written.length === 0 && period !== null) c.noop()
    return written
  })
  await Promise.race([idle(), new Promise((resolve) => setTimeout(resolve, patience).unref())])
  return { ...(await countMails(mails)), outbox: outboxDir }
}

/** The last 7 × 24 hours compared with the 7 × 24 before; downtime as in uptime (decision 3.3). */
export async function compileDigest(): Promise<Digest> {
  const rows = await inSnapshot((read) => digestRows(read, oldestNamed))
  return digestContents(rows)
}

export function digestContents(rows: DigestRows): Digest {
  const { now } = rows
  return {
    from: new Date(now - 7 * DAY).toISOString(),
    to: new Date(now).toISOString(),
    towers: towersOf(rows),
    counts: rows.counts,
    unacknowledged: {
      total: rows.unacknowledgedTotal,
      oldest: rows.unacknowledged.map((each) => ({ ...each, createdAt: each.createdAt.toISOString() })),
    },
    passed: rows.passed,
    maintenance: maintenanceOf(rows),
  }
}

function towersOf(rows: DigestRows): Digest['towers'] {
  const names = [...new Set(rows.assets.map(({ towerName }) => towerName))]
  return names.map((name) => {
    const assets = rows.assets
      .filter(({ towerName }) => towerName === name)
      .map(({ id, name, status, back }) => ({
        id,
        name,
        status,
        ...(back ? { back: back.toISOString() } : {}),
        hours: downtimeOf(rows, id),
      }))
    const sum = (week: keyof TwoWeeks) => assets.reduce((hours, asset) => hours + asset.hours[week], 0)
    return { name, hours: { thisWeek: sum('thisWeek'), weekBefore: sum('weekBefore') }, assets }
  })
}

function downtimeOf({ now, zone, downtime, windows }: DigestRows, assetId: number): TwoWeeks {
  const planned = windows
    .filter((window) => window.assetId === assetId)
    .flatMap((window) => occurrences(window, zone, now - 15 * DAY, now))
  const down = subtract(
    downtime.filter((interval) => interval.assetId === assetId),
    planned,
  )
  const hours = (from: number, to: number) => total(clip(down, from, to)) / 3_600_000
  return { thisWeek: hours(now - 7 * DAY, now), weekBefore: hours(now - 14 * DAY, now - 7 * DAY) }
}

function maintenanceOf({ now, zone, assets, windows }: DigestRows): Digest['maintenance'] {
  return windows
    .flatMap(({ title, assetId, ...window }) =>
      occurrences(window, zone, now, now + aheadDays * DAY).map(({ start, end }) => ({
        title,
        assetId,
        start,
        end,
      })),
    )
    .sort((a, b) => a.start - b.start)
    .map(({ title, assetId, start, end }) => {
      const { name: assetName, towerName } = assets.find(({ id }) => id === assetId)!
      return {
        title,
        assetName,
        towerName,
        startsAt: new Date(start).toISOString(),
        endsAt: new Date(end).toISOString(),
      }
    })
}
