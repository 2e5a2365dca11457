import { query } from '../../../../src/platform/db/database.js'
import { DAY, dateIn, HOUR } from '../../../../src/vocabulary/time/calendar.js'
import { leaveEmail } from '../../email/messages.js'
import { scalar } from '../../rows.js'
import type { Setups } from './setups.js'
import { type Examples, unique } from './use.js'

const webhook = { url: 'https://receiver.example/hook', events: ['incident.created'], active: true }
const tower = () => ({ name: unique('Tower') })
const asset = () => ({ towerId: 1, name: unique('Lamp'), category: 'Light', contactId: 1 })
const unit = () => ({ towerId: 1, number: unique('9'), floor: 9 })
const contact = () => ({ name: unique('Plumber') })
const maintenance = () => ({
  assetId: 1,
  title: unique('Service'),
  startsAt: '2030-01-01T08:00:00Z',
  endsAt: '2030-01-01T09:00:00Z',
  recurrence: 'none',
})
/** A reply template. */
export const reply = () => ({ name: unique('Template'), wordsEn: 'Seen.' })

/** A use of every write to the records and settings of the office. */
export function recordExamples(setups: Setups): Examples {
  const { app, record } = setups

  /** The writes every kind of record has. */
  function resource(path: string, entity: string, given: () => object, change: object): Examples {
    const stored = async () => [await record(path, given())]
    const updated = [`${entity}.updated`]
    const deleted = [`${entity}.deleted`]
    return {
      [`POST /admin/${path}`]: () => ({ json: given(), audit: [`${entity}.created`] }),
      [`PATCH /admin/${path}/:id`]: async () => ({ ids: await stored(), json: change, audit: updated }),
      [`POST /admin/${path}/:id`]: async () => ({
        ids: await stored(),
        json: { ...given(), ...change },
        audit: updated,
      }),
      [`DELETE /admin/${path}/:id`]: async () => ({ ids: await stored(), audit: deleted }),
      [`POST /admin/${path}/:id/delete`]: async () => ({ ids: await stored(), json: {}, audit: deleted }),
      ...(path === 'webhooks' ? {} : { [`POST /admin/${path}/:id/undelete`]: undeleted }),
    }

    async function undeleted() {
      const ids = await stored()
      await app.ask('admin', `/api/admin/${path}/${ids[0]}`, { method: 'DELETE' })
      return { ids, json: {}, audit: [`${entity}.undeleted`] }
    }
  }

  function archivable(path: string, entity: string, given: () => object): Examples {
    return {
      [`POST /admin/${path}/:id/archive`]: async () => ({
        ids: [await record(path, given())],
        json: {},
        audit: [`${entity}.archived`],
      }),
      [`POST /admin/${path}/:id/unarchive`]: async () => {
        const id = await record(path, given())
        await app.json('admin', `/api/admin/${path}/${id}/archive`, { json: {} })
        return { ids: [id], json: {}, audit: [`${entity}.unarchived`] }
      },
    }
  }

  /** Work that began a week ago and repeats weekly, with its date in a week. */
  async function series() {
    const began = Date.now() - 7 * DAY
    const times = { startsAt: instant(began), endsAt: instant(began + HOUR) }
    const id = await record('maintenance', { ...maintenance(), ...times, recurrence: 'weekly' })
    // By the calendar: the clocks may change within these two weeks.
    const date = dateIn('UTC', Date.parse(dateIn('Europe/London', began)) + 14 * DAY)
    return { id, date, startsAt: began + 14 * DAY + 2 * HOUR }
  }

  async function flagChange() {
    const [flag] = await query<{ name: string; enabled: boolean }>('select name, enabled from feature_flags')
    return { ids: [flag!.name], json: { enabled: !flag!.enabled }, audit: ['feature_flag.updated'] }
  }

  const aWebhook = async (audit: string[], json: object = {}) => {
    return { ids: [await record('webhooks', webhook)], json, audit }
  }

  return {
    // A place that no new tower has, as each is put last.
    ...resource('towers', 'tower', tower, { sortOrder: 70_000 }),
    ...resource('contacts', 'contact', contact, { notes: 'Rings twice' }),
    ...resource('templates', 'reply_template', reply, { wordsEs: 'Visto.' }),
    ...resource('assets', 'asset', asset, { description: 'In the hall' }),
    ...archivable('assets', 'asset', asset),
    ...resource('units', 'unit', unit, { floor: 8 }),
    ...archivable('units', 'unit', unit),
    ...resource('maintenance', 'maintenance_window', maintenance, { notes: 'Bring keys' }),
    ...resource('webhooks', 'webhook_subscription', () => webhook, { active: false }),

    'POST /admin/contacts/:id/move': async () => ({
      ids: [await record('contacts', { ...contact(), sortOrder: 90_000 })],
      json: { direction: 'up' },
      audit: ['contact.moved'],
    }),
    'POST /admin/maintenance/preview': () => ({ json: maintenance() }),
    'POST /admin/maintenance/:id/preview': async () => ({
      ids: [await record('maintenance', maintenance())],
      json: maintenance(),
    }),
    'POST /admin/maintenance/:id/skip': async () => {
      const { id, date } = await series()
      return { ids: [id], json: { date }, audit: ['maintenance_window.date_skipped'] }
    },
    'POST /admin/maintenance/:id/move': async () => {
      const { id, date, startsAt } = await series()
      const json = { date, startsAt: instant(startsAt), endsAt: instant(startsAt + HOUR) }
      return { ids: [id], json, audit: ['maintenance_window.date_moved'] }
    },
    'POST /admin/maintenance/:id/restore': async () => {
      const { id, date } = await series()
      await app.json('admin', `/api/admin/maintenance/${id}/skip`, { json: { date } })
      return { ids: [id], json: { date }, audit: ['maintenance_window.date_restored'] }
    },
    'POST /admin/maintenance/:id/end': async () => ({
      ids: [(await series()).id],
      json: {},
      audit: ['maintenance_window.updated'],
    }),

    'POST /admin/webhooks/:id': async () => {
      const id = await record('webhooks', webhook)
      const page = await app.page('admin', `/admin/webhooks/${id}`)
      const version = page('input[name=version]').attr('value')!
      const json = { ...webhook, active: false, version }
      return { ids: [id], json, audit: ['webhook_subscription.updated'] }
    },
    'POST /admin/webhooks/:id/secret': () => aWebhook(['webhook_subscription.secret_rotated']),
    'POST /admin/webhooks/:id/test': () => aWebhook(['webhook_subscription.tested']),
    'POST /admin/deliveries/:id/retry': async () => {
      await leaveEmail('sweep.report', { escalated: [] }, 'board@example.com')
      const max = await scalar<number>(
        'update outbox set failed_at = now(), attempts = 6 where id = (select max(id) from outbox) returning id',
      )
      return {
        ids: [max],
        json: {},
        audit: ['message.retried'],
      }
    },

    'PATCH /admin/property': () => ({ json: { name: unique('Building') }, audit: ['property.updated'] }),
    'POST /admin/property': async () => ({
      json: { ...(await app.json('admin', '/api/admin/property')), name: unique('Building') },
      audit: ['property.updated'],
    }),
    'POST /admin/start/dismissal': async () => {
      await query('update properties set start_dismissed_at = null')
      return { json: {}, audit: ['property.start_dismissed'] }
    },
    'PATCH /admin/flags/:name': flagChange,
    'POST /admin/flags/:name': flagChange,
    'POST /admin/import': () => ({ json: { kind: 'contacts', csv: contactsFile() } }),
    'POST /admin/import/:kind': () => ({
      ids: ['contacts'],
      json: { csv: contactsFile() },
      audit: ['contact.created'],
    }),
  }
}

const contactsFile = () => `name\n${unique('Imported')}`
const instant = (at: number) => new Date(at).toISOString()
