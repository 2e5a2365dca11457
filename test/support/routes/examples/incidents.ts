import { query } from '../../../../src/platform/db/database.js'
import { mintLink } from '../../../../src/platform/links/emailLinks.js'
import { heldEmail } from '../../email/heldEmails.js'
import { maya } from '../../house/people.js'
import { reply } from './records.js'
import type { Setups } from './setups.js'
import { type Examples, type Use, unique } from './use.js'

const newReport = () => ({ assetId: 1, title: unique('Lamp'), severity: 'low' })

/** A use of every write to incidents and to emails that may become one. */
export function incidentExamples(setups: Setups): Examples {
  const { app, incident, resolved, confirmed, merged, hidden, dismissed, cost, record } = setups
  /** A use of an incident that is made for it. */
  const about = (make: () => Promise<number>, json: object, ...audit: string[]) => {
    return async () => ({ ids: [await make()], json, audit })
  }
  const asResident = (example: () => Promise<Use>) => async () => ({
    ...(await example()),
    who: 'resident' as const,
  })
  /** A comment nobody of the office has read. */
  const commented = async () => {
    const id = await incident()
    await maya.comments(id, 'And?')
    return id
  }
  const verified = ['incident.verified']

  /** The secret of an email's link that asks whether an incident is fixed. */
  async function answerLink(): Promise<string> {
    const [row] = await query<{ incidentId: number; userId: number; resolvedAt: Date }>(
      `select id as incident_id, reporter_id as user_id, resolved_at from incidents where id = $1`,
      [await resolved()],
    )
    const { incidentId, userId, resolvedAt } = row!
    const data = { incidentId, resolvedAt: resolvedAt.toISOString() }
    return (await mintLink({ purpose: 'answer', who: { userId }, data })).token
  }

  return {
    'POST /report': () => ({ who: 'resident', json: newReport(), audit: ['incident.created'] }),
    'POST /incidents': () => ({ who: 'mobile', json: newReport(), audit: ['incident.created'] }),
    'POST /incidents/:id/updates': about(
      incident,
      { body: 'Seen', newStatus: 'acknowledged' },
      'incident.status_changed',
    ),
    'POST /incidents/:id/verify': asResident(about(resolved, { fixed: true }, ...verified)),
    'POST /incidents/:id/acknowledge': about(incident, {}, 'incident.status_changed'),
    'POST /incidents/:id/start': about(incident, {}, 'incident.status_changed'),
    'POST /incidents/:id/fixed': about(incident, {}, 'incident.status_changed'),
    'POST /incidents/:id/reopen': about(resolved, {}, 'incident.status_changed'),
    'POST /incidents/:id/confirm': about(resolved, {}, ...verified),
    'POST /incidents/:id/undo': about(confirmed, {}, 'incident.confirmation_undone'),
    'POST /fixed/:token': async () => {
      const token = await answerLink()
      return { who: 'guest', ids: [token], json: { fixed: true }, audit: verified }
    },
    'POST /fixed/:token/undo': async () => {
      const token = await answerLink()
      await app.submit('guest', `/fixed/${token}`, { fixed: 'true' })
      return { who: 'guest', ids: [token], json: {}, audit: ['incident.confirmation_undone'] }
    },

    'POST /incidents/:id/merge': async () => ({
      ids: [await incident()],
      json: { targetId: await incident() },
      audit: ['incident.merged'],
    }),
    'POST /incidents/:id/merge/preview': async () => ({
      ids: [await incident()],
      json: { targetId: await incident() },
    }),
    'POST /incidents/:id/duplicates': async () => ({
      ids: [await incident()],
      json: { duplicateIds: [await incident(), await incident()] },
      audit: ['incident.merged', 'incident.merged'],
    }),
    'POST /incidents/:id/duplicates/preview': async () => ({
      ids: [await incident()],
      json: { duplicateIds: [await incident(), await incident()] },
    }),
    'POST /admin/merge': async () => {
      const ids = [await incident('high'), await incident('low')]
      return { json: { ids, shown: ids[0], shownSeverity: 'high' }, audit: ['incident.merged'] }
    },
    'POST /admin/merge/preview': async () => ({ json: { ids: [await incident(), await incident()] } }),
    'POST /incidents/:id/unmerge': about(merged, {}, 'incident.unmerged'),

    'POST /incidents/:id/hide': about(incident, {}, 'incident.hidden'),
    'POST /incidents/:id/restore': about(hidden, {}, 'incident.restored'),
    'POST /incidents/:id/dismiss': about(incident, {}, 'incident.dismissed'),
    'POST /incidents/:id/reinstate': about(dismissed, {}, 'incident.reinstated'),

    'POST /incidents/:id/follow': about(incident, {}, 'incident.followed'),
    'DELETE /incidents/:id/follow': async () => ({
      who: 'resident',
      ids: [await incident()],
      audit: ['incident.unfollowed'],
    }),
    'POST /incidents/:id/unfollow': asResident(about(incident, {}, 'incident.unfollowed')),

    'PATCH /incidents/:id': about(incident, { title: 'Lift' }, 'incident.edited'),
    'POST /incidents/:id/edit': about(incident, { title: 'Lift' }, 'incident.edited'),
    'POST /incidents/:id/edit/preview': about(incident, { title: 'Lift' }),
    'POST /incidents/:id/notes': about(incident, { note: 'A note' }, 'incident.noted'),
    'POST /incidents/:id/updates/template': async () => ({
      ids: [await incident()],
      json: { template: `${await record('templates', reply())}-en` },
    }),
    'POST /incidents/:id/costs': about(
      incident,
      { amountCents: 1200, amount: '12.00', vendor: 'Plumber' },
      'incident.cost_added',
    ),
    'DELETE /incidents/:id/costs/:costId': async () => ({
      ids: await cost(),
      audit: ['incident.cost_voided'],
    }),
    'POST /incidents/:id/costs/:costId/void': async () => ({
      ids: await cost(),
      json: {},
      audit: ['incident.cost_voided'],
    }),
    'POST /incidents/:id/costs/:costId/restore': async () => {
      const ids = await cost()
      await app.ask('admin', `/api/incidents/${ids.join('/costs/')}`, { method: 'DELETE' })
      return { ids, json: {}, audit: ['incident.cost_restored'] }
    },

    'POST /admin/acknowledge': async () => ({
      json: { ids: [await incident()] },
      audit: ['incident.status_changed'],
    }),
    'POST /admin/selection': async () => ({ json: { ids: [await incident()], to: 'assign' } }),
    'POST /incidents/:id/read': about(commented, {}, 'incident.seen'),
    'POST /admin/read': async () => ({ json: { ids: [await commented()] }, audit: ['incident.seen'] }),
    'POST /admin/assign': async () => ({
      json: { ids: [await incident()], dueOn: '2030-01-01' },
      audit: ['incident.edited'],
    }),
    'POST /admin/place': async () => ({
      json: { ids: [await incident()], assetId: 3 },
      audit: ['incident.edited'],
    }),

    'POST /triage': () => ({ who: 'resident', json: { title: 'Lamp' } }),
    'POST /report/suggest': () => ({ who: 'resident', json: { title: 'Lamp' } }),
    'POST /inbound-email': () => ({
      who: 'inbound',
      json: { from: 'a@x.example', subject: unique('Smell'), text: 'In the hall' },
      systemAudit: ['incident.created'],
    }),
    'POST /admin/held-emails/accept': async () => ({
      json: { ids: [await heldEmail()] },
      audit: ['mail.accepted', 'incident.created'],
    }),
    'POST /admin/held-emails/discard': async () => ({
      json: { ids: [await heldEmail()] },
      audit: ['mail.discarded'],
    }),
    'POST /cron/sweep': async () => {
      await app.json('cron', '/api/cron/sweep', { json: {} })
      const id = await incident('low')
      await query(`update incidents set created_at = now() - interval '400 days' where id = $1`, [id])
      return { who: 'cron', json: {}, systemAudit: ['incident.sla_breached', 'sweep.finished'] }
    },
    'POST /cron/digest': () => ({ who: 'cron', json: {}, systemAudit: ['digest.sent'] }),
  }
}
