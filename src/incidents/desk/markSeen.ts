import { change } from '../../platform/db/change.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { refuseMerged } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { bySomebodyElseSql, Incident } from '../incident.js'
import { noteAnswer } from '../update/heard.js'
import { each, type ManyResult } from './manyIncidents.js'

/**
 * Ticks incidents off the desk's lists of what came back and of unanswered words, without an answer (decision 7.2).
 * `upTo`: the newest entry that was seen; an incident with a later word stays, as `newer_word`.
 */
export function markSeen(actor: Actor, ids: readonly number[], upTo: number | null): Promise<ManyResult> {
  return each(ids, (id) => markOne(actor, id, upTo))
}

async function markOne(actor: Actor, id: number, upTo: number | null): Promise<void> {
  await change(actor, async (c) => {
    const incident = orNotFound(await Incident.locked(c.trx, id))
    refuseMerged(incident)
    if (!incident.cameBackAt && !incident.unansweredSince) return c.noop()
    const newer = await c.query(
      `select from incident_updates p left join users w on w.id = p.author_id
       where p.incident_id = $1 and p.id > $2::integer and ${bySomebodyElseSql} limit 1`,
      [id, upTo],
    )
    if (newer.length > 0) throw new Conflict('newer_word')
    await noteAnswer(c, id)
    c.audit('incident.seen', id)
  })
}
