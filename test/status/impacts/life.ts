import fc from 'fast-check'
import { openByEmail } from '../../../src/inbound/acts/openByEmail.js'
import { escalateOverdue } from '../../../src/incidents/acts/escalateOverdue.js'
import { mergeIncidents } from '../../../src/incidents/acts/merge/mergeIncidents.js'
import { patchIncident } from '../../../src/incidents/acts/patchIncident.js'
import { reportIncident } from '../../../src/incidents/acts/reportIncident.js'
import { change } from '../../../src/platform/db/change.js'
import { query } from '../../../src/platform/db/database.js'
import { texts } from '../../../src/text/index.js'
import { type Actor, systemActor } from '../../../src/vocabulary/people/actor.js'
import { defaultSlaTargets as targets } from '../../../src/vocabulary/severity.js'
import { actorOf } from '../../support/house/acting.js'
import { things } from '../../support/house/things.js'
import { inFlat, nowhere, Oracle, type Report, type Severity, type Status, severities } from './oracle.js'

const HOUR = 3_600
/** Seconds of a life: long enough for "not fixed" before and after 72 hours. */
export const lifetime = 9 * 24 * HOUR
/** When every life begins, in epoch ms. */
export const birth = Date.parse('2026-03-24T09:00:00Z')

const which = fc.nat({ max: 5 })
const gap = fc.oneof(
  fc.constantFrom(0, 1, 59, HOUR, 24 * HOUR, 71 * HOUR, 72 * HOUR, 72 * HOUR + 1),
  fc.integer({ min: 1, max: 20 * HOUR }),
)
const severity = fc.constantFrom<Severity>(...severities)
/** A time in the past: a share of the time since the report, before it, or none. */
const moment = fc.option(fc.double({ min: -0.2, max: 1, noNaN: true }), { nil: null })
const status = fc.constantFrom<Status>(
  'open',
  'acknowledged',
  'in_progress',
  'resolved',
  'resolved',
  'verified',
)

/**
 * An act of a life, seconds after the one before. `which` counts the incidents
 * there are, round and round.
 */
const acts = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      asset: fc.constantFrom(1 as const, 2 as const),
      severity,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mail' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('comment' as const), which }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('status' as const), which, status }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('answer' as const), which, fixed: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('severity' as const),
      which,
      severity,
      retroactive: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      which,
      place: fc.constantFrom(1 as const, 2 as const, inFlat),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('downtime' as const),
      which,
      isDowntime: fc.boolean(),
      since: moment,
      until: moment,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('merge' as const), which, into: which }) },
)
export const anyLife = fc.array(fc.tuple(gap, acts), { minLength: 1, maxLength: 14 })
type Act = typeof acts extends fc.Arbitrary<infer A> ? A : never

/** One life in the database, and beside it what is true of it. */
export class Life {
  readonly oracle = new Oracle(lifetime)
  readonly ids: number[] = []

  private constructor(
    readonly assets: readonly [number, number],
    readonly manager: Actor,
    /** Takes every refusal as it comes: the oracle knows no clock that goes back. */
    readonly trusting: boolean,
  ) {}

  static async begin({ trusting = false } = {}): Promise<Life> {
    const assets = [await things.lift(), await things.lift()] as const
    return new Life(assets, await actorOf('manager', { notified: true }), trusting)
  }

  /**
   * Does an act at this second, in the database and in the oracle. Returns
   * whether it may change the past.
   */
  async act(act: Act, second: number): Promise<boolean> {
    const past = new Date(birth + second * 1000)
    const actor = { ...this.manager, past }
    const known = this.oracle.incidents
    const at = (n: number) => n % known.length
    if (act.kind === 'report') {
      const report = { title: 'x', description: '', isAnonymous: false, unitId: null }
      const { incident } = await reportIncident(actor, {
        ...report,
        assetId: this.assets[act.asset - 1]!,
        severity: act.severity,
      })
      this.oracle.report(act.asset, act.severity)
      this.ids.push(incident.id)
      return false
    }
    if (act.kind === 'mail') {
      this.oracle.mail()
      this.ids.push(await this.#mail(past))
      return false
    }
    if (act.kind === 'sweep') {
      await escalateOverdue({ ...systemActor('cron'), past }, targets)
      this.oracle.sweep()
      return false
    }
    if (known.length === 0) return false
    const report = known[at(act.which)]!
    const id = this.ids[at(act.which)]!
    if (act.kind === 'comment') {
      await this.#agrees(patchIncident(actor, id, { body: 'x', newStatus: null }), report.mergedInto === null)
      return false
    }
    if (act.kind === 'status') {
      const done = patchIncident(actor, id, { body: 'x', newStatus: act.status })
      const same = report.status === act.status && report.mergedInto === null
      await this.#agrees(done, report.set(act.status, second) || same)
      return false
    }
    if (act.kind === 'answer') {
      const done = patchIncident(actor, id, { move: act.fixed ? 'fixed' : 'notFixed', body: '' })
      await this.#agrees(done, report.answer(act.fixed, second))
      return !act.fixed
    }
    if (act.kind === 'merge') {
      const into = at(act.into)
      await this.#agrees(
        mergeIncidents(actor, id, this.ids[into]!, 'x'),
        this.oracle.merge(report, known[into]!),
      )
      return false
    }
    return this.#edit(act, report, id, second, actor)
  }

  async #edit(
    act: Extract<Act, { kind: 'severity' | 'place' | 'downtime' }>,
    report: Report,
    id: number,
    second: number,
    actor: Actor,
  ): Promise<boolean> {
    const allowed = report.mergedInto === null
    if (act.kind === 'severity') {
      const { severity, retroactive } = act
      await this.#agrees(patchIncident(actor, id, { severity, retroactive }), allowed)
      if (allowed && retroactive) report.correctSeverity(severity, second)
      else if (allowed) report.severity = severity
      return retroactive
    }
    if (act.kind === 'place') {
      const { place } = act
      const given = place === inFlat ? { unitId: 1 } : { assetId: this.assets[place - 1]! }
      await this.#agrees(patchIncident(actor, id, given), allowed)
      if (allowed) report.moveTo(place)
      return false
    }
    const when = (share: number | null) =>
      share === null ? null : Math.round(report.created + share * (second - report.created))
    const [since, until] = [when(act.since), when(act.until)]
    const date = (at: number | null) => (at === null ? null : new Date(birth + at * 1000))
    const { isDowntime } = act
    const given = { isDowntime, downtimeStartedAt: date(since), downtimeEndedAt: date(until) }
    const sensible = !isDowntime || isSensible(report, since, until, second)
    await this.#agrees(patchIncident(actor, id, given), allowed && sensible)
    if (allowed && sensible) correctIfNew(report, isDowntime, since, until, second)
    return true
  }

  /** The act is refused exactly when the decisions refuse it. */
  async #agrees(done: Promise<unknown>, allowed: boolean): Promise<void> {
    const refused = await done.then(
      () => null,
      (error: Error) => error,
    )
    if (refused && !['Conflict', 'ValidationFailed'].includes(refused.constructor.name)) throw refused
    if (!this.trusting && (refused === null) !== allowed)
      throw new Error(allowed ? `refused: ${JSON.stringify(refused)}` : 'not refused')
  }

  #mail(past: Date): Promise<number> {
    const letter = {
      sender: { name: null, address: 'a@outside.example' },
      user: null,
      accountId: null,
      standing: 'unproven' as const,
      answersOurs: false,
      mayAnswer: false,
      locale: 'en',
      mark: null,
      title: 'x',
      newWords: 'x',
      whole: { subject: 'x', text: 'x' },
    }
    const nothing = { stored: [], notTaken: [] }
    return change({ ...systemActor('email'), past }, (c) =>
      openByEmail(
        c,
        letter,
        nothing,
        { ...texts.en.inboundEmail, locale: 'en' },
        { isQuiet: true, acknowledges: false },
      ),
    )
  }

  /** What the database says each incident did and does, in the order of the oracle. */
  async stored(): Promise<Stored[][]> {
    const rows = await query<Stored & { id: number; asset: number }>(
      `select incident_id as id, asset_id as asset, impact, date_part('epoch', started_at)::float8 as since,
         coalesce(date_part('epoch', ended_at)::float8, 'infinity') as until
       from asset_impacts where incident_id = any ($1) order by started_at`,
      [this.ids],
    )
    return this.ids.map((id) =>
      rows
        .filter((row) => row.id === id)
        .map(({ asset, impact, since, until }) => ({
          byte: (this.assets.indexOf(asset) + 1) * 2 - (impact === 'down' ? 0 : 1),
          impact,
          since: since - birth / 1000,
          until: until - birth / 1000,
        })),
    )
  }
}

/** An impact in seconds of a life; `until` is Infinity while it runs, `byte` the oracle's. */
export type Stored = { impact: string; since: number; until: number; byte: number }

/** What it did in each second before this one, as the oracle's bytes. */
export function painted(spans: readonly Stored[], second: number): Uint8Array {
  const bytes = new Uint8Array(second)
  for (const { since, until, byte } of spans)
    bytes.fill(byte, Math.max(0, since), Math.max(0, Math.min(second, until)))
  return bytes
}

/** Begins before it ends, both in the past, and on an asset; an end only of what is resolved. */
function isSensible(report: Report, since: number | null, until: number | null, now: number): boolean {
  if (report.place === nowhere || report.place === inFlat) return false
  if (since !== null && (since > now || (report.resolvedAt !== null && since > report.resolvedAt)))
    return false
  if (until === null) return true
  return report.resolvedAt !== null && until <= now && until > (since ?? report.created)
}

function correctIfNew(
  report: Report,
  isDowntime: boolean,
  since: number | null,
  until: number | null,
  now: number,
): void {
  const [start, end] = isDowntime ? [since, until] : [null, null]
  if (report.isDowntime === isDowntime && report.downSince === start && report.downUntil === end) return
  if (report.place === nowhere || report.place === inFlat) return
  report.correctDowntime(isDowntime, start, end, now)
}
