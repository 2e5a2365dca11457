import { escalateOverdue } from '../../../src/incidents/acts/escalateOverdue.js'
import type { Status } from '../../../src/vocabulary/lifecycle.js'
import { systemActor } from '../../../src/vocabulary/people/actor.js'
import { defaultSlaTargets } from '../../../src/vocabulary/severity.js'
import { momentAfter, type Person } from './acting.js'
import { type Reported, type Settings, verbsOf } from './verbs.js'

/** A report as it stands: the words of its reporter, and what the manager and they did since. */
export type GivenReport = Omit<Reported, 'at' | 'notified'> &
  Omit<Settings, 'at' | 'notified'> & {
    /** Where it is; the South lift (asset 7) unless a flat is named. */
    assetId?: number | null | undefined
    unitId?: number | null | undefined
    /** Default: Maya. */
    reporter?: Person | undefined
    createdAt?: Date | undefined
    /**
     * The status that the manager gave it in one step; a report that is `verified` was resolved by
     * the manager and confirmed by its reporter. Default: `open`.
     */
    status?: Status | undefined
    /** When the manager gave it that status. */
    changedAt?: Date | undefined
    /** What the manager wrote with it. */
    body?: string | undefined
  }

/** A report as it stands, by whoever reported it; returns its id. No one is notified of it. */
export async function report(fields: GivenReport = {}): Promise<number> {
  const { reporter = 'resident', status = 'open', body = 'Done', changedAt: at } = fields
  const id = await newReport(fields)
  const settings = settingsOf(fields)
  const manager = verbsOf('manager')
  if (status !== 'open')
    await manager.sets(id, status === 'verified' ? 'resolved' : status, body, { ...settings, at })
  else if (Object.keys(settings).length > 0) await manager.answers(id, body, { ...settings, at })
  if (status === 'verified') await verbsOf(reporter).confirms(id, undefined, { at: at && later(at) })
  return id
}

const later = (at: Date) => new Date(at.getTime() + 1)

const settingNames = [
  'assignee',
  'contactId',
  'dueOn',
  'expectedBackAt',
  'statusReason',
  'closingReason',
  'onStatusPage',
] as const

function settingsOf(fields: GivenReport): Settings {
  const names = settingNames.filter((name) => fields[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}

/** Reports it, without what happened to it since. */
async function newReport(fields: GivenReport): Promise<number> {
  const { reporter = 'resident', createdAt: at, assetId, unitId } = fields
  const { title, description, severity, isAnonymous, photos } = fields
  const words = { title, description, severity, isAnonymous, photos }
  return verbsOf(reporter).reports(unitId ? { unitId } : (assetId ?? 7), { ...words, at })
}

/**
 * An open report that no one acknowledged within its target, one hour ago: the sweep has flagged
 * it and raised its severity by one level. Returns its id.
 */
export async function overdueReport(fields: Omit<GivenReport, 'status' | 'createdAt'> = {}): Promise<number> {
  const { severity = 'medium' } = fields
  const now = await momentAfter()
  const createdAt = new Date(now.getTime() - (defaultSlaTargets[severity] + 1) * 3_600_000)
  const id = await report({ ...fields, severity, createdAt })
  await escalateOverdue({ ...systemActor('cron'), past: now }, defaultSlaTargets)
  return id
}

/** A report whose title and description the manager hid from everyone but staff. Returns its id. */
export async function hiddenReport(fields: GivenReport = {}): Promise<number> {
  const id = await report(fields)
  await verbsOf('manager').hides(id)
  return id
}

/** What the manager said is not a report. Returns its id. */
export async function dismissedReport(fields: GivenReport = {}): Promise<number> {
  const id = await report(fields)
  await verbsOf('manager').dismisses(id)
  return id
}

/** Two reports, the first of which the manager merged into the second. */
export async function mergedReports(
  fields: { duplicate?: GivenReport; survivor?: GivenReport } = {},
): Promise<{ duplicateId: number; survivorId: number }> {
  const survivorId = await report(fields.survivor)
  const duplicateId = await report(fields.duplicate)
  await verbsOf('manager').merges(duplicateId, survivorId)
  return { duplicateId, survivorId }
}
