import type { Query } from '../../../src/platform/db/database.js'
import { impactFaults } from '../../../test/support/impacts.js'
import { grouped } from './grouped.js'

type Span = { asset: number; impact: string; start: number; end: number }
type Entry = {
  id: number
  action: string
  at: number
  changes: Record<string, { before: unknown; after: unknown } | undefined>
}

/**
 * An incident's fields as its entries in the audit log tell them, one after the other, and what it
 * did by them.
 */
class Life {
  readonly spans: Span[] = []
  private asset: number | null = null
  private severity = 'low'
  private isDowntime = false
  private isOver = false
  private isMerged = false
  /** The past was corrected: what an incident did is no longer what its fields were. */
  corrected = false

  tell({ action, at, changes }: Entry): void {
    if ('retroactive' in changes || 'isDowntime' in changes) this.corrected ||= action !== 'incident.created'
    if (changes.assetId) this.asset = changes.assetId.after as number | null
    if (changes.severity) this.severity = changes.severity.after as string
    if (changes.isDowntime) this.isDowntime = Boolean(changes.isDowntime.after)
    if (changes.resolvedAt) this.isOver = changes.resolvedAt.after !== null
    if (changes.mergedIntoId) this.isMerged = changes.mergedIntoId.after !== null
    const resolved = changes.resolvedAt?.before
    if (action === 'incident.reopened' && resolved) this.#goOn(Date.parse(String(resolved)))
    this.#keep(at)
  }

  /** A duplicate's downtime became this survivor's, or was taken back. */
  join(isDowntime: boolean, at: number): void {
    this.isDowntime = isDowntime
    this.#keep(at)
  }

  #goOn(resolved: number): void {
    const last = this.spans.at(-1)
    if (last && last.end >= resolved) last.end = Number.POSITIVE_INFINITY
  }

  #keep(at: number): void {
    const impact = this.isDowntime ? 'down' : this.severity === 'low' ? null : 'degraded'
    const expected = this.asset === null || this.isOver || this.isMerged ? null : impact
    const running = this.spans.at(-1)?.end === Number.POSITIVE_INFINITY ? this.spans.at(-1)! : null
    if (running && running.impact === expected && running.asset === this.asset) return
    if (running && running.start >= at) this.spans.pop()
    else if (running) running.end = at
    if (expected === null) return
    const start = Math.max(at, this.spans.at(-1)?.end ?? 0)
    this.spans.push({ asset: this.asset!, impact: expected, start, end: Number.POSITIVE_INFINITY })
  }
}

/**
 * Where impacts overlap, leave a gap, or are not what the incidents' lives in the audit log say
 * (decision 2.8).
 */
export async function impactLifeFaults(query: Query): Promise<string[]> {
  const entries = await query<Entry>(
    `select a.entity_id as id, a.action, floor(extract(epoch from a.at) * 1000)::float8 as at, a.changes
     from audit_entries a join incidents i on a.entity = 'incident' and i.id = a.entity_id and i.title like 'Fault%'
     order by a.id`,
  )
  const lives = new Map<number, Life>()
  for (const entry of entries) {
    const life = lives.get(entry.id) ?? new Life()
    lives.set(entry.id, life)
    life.tell(entry)
    const { survivorIsDowntime: joined, mergedIntoId } = entry.changes
    const survivor = Number(mergedIntoId?.after ?? mergedIntoId?.before)
    if (joined) lives.get(survivor)?.join(Boolean(joined.after), entry.at)
  }
  const stored = grouped(
    await query<{ id: number; text: string }>(
      `select r.incident_id as id, format('%s %s %s-%s', r.impact, r.asset_id,
         floor(extract(epoch from r.started_at) * 1000)::bigint,
         coalesce(floor(extract(epoch from r.ended_at) * 1000)::bigint::text, 'now')) as text
       from asset_impacts r join incidents i on i.id = r.incident_id and i.title like 'Fault%'
       order by r.incident_id, r.started_at`,
    ),
    ({ id }) => id,
  )
  const faults = [...lives].flatMap(([id, { spans, corrected }]) => {
    const computedText = spans.map(textOf).join(', ')
    const storedText = (stored.get(id) ?? []).map(({ text }) => text).join(', ')
    return corrected || computedText === storedText
      ? []
      : [`INC-${id} did [${storedText}], its life says [${computedText}]`]
  })
  return [...(await impactFaults(query)), ...faults]
}

const textOf = ({ asset, impact, start, end }: Span) =>
  `${impact} ${asset} ${start}-${end === Number.POSITIVE_INFINITY ? 'now' : end}`
