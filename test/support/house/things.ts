import { createUser, type NewUser } from '../../../src/accounts/people/manageUsers.js'
import { Asset, Contact, Tower, Unit } from '../../../src/building/building.js'
import { assetEntity } from '../../../src/building/entities/assetEntity.js'
import { contactEntity } from '../../../src/building/entities/contactEntity.js'
import { towerEntity } from '../../../src/building/entities/towerEntity.js'
import { unitEntity } from '../../../src/building/entities/unitEntity.js'
import { windowKind } from '../../../src/maintenance/windows.js'
import { query } from '../../../src/platform/db/database.js'
import {
  type RecordFields,
  type RecordKind,
  recordActs,
} from '../../../src/platform/http/records/recordActs.js'
import { type EventName, eventNames } from '../../../src/vocabulary/events.js'
import type { Role } from '../../../src/vocabulary/people/permissions.js'
import type { Recurrence } from '../../../src/vocabulary/time/recurrence.js'
import { createSubscription } from '../../../src/webhooks/subscriptions/acts.js'
import { actorOf, type How } from './acting.js'

/** Numbers what is given no name. */
let made = 0

type PlannedWork = {
  assetId?: number
  title?: string
  startsAt: Date
  endsAt: Date
  recurrence?: Recurrence
  until?: string | null
  plannedAt?: Date
}

/** Nobody is notified of a record of the building, so it is made as by a request. */
const now = { notified: true }

const create = async (kind: RecordKind, fields: RecordFields, how: How = now): Promise<number> =>
  recordActs(kind).create(await actorOf('manager', how), fields)

/**
 * The things of a building, each made by the product as the office makes it in its editor: every
 * function returns the id of the new record.
 */
export const things = {
  tower: (name = `Tower ${++made}`) => create({ ...towerEntity.kind, model: Tower }, { name, sortOrder: 0 }),

  /** A lift in the first tower. */
  lift: (name = `Lift ${++made}`) => things.asset({ name }),

  /** An asset in the first tower, a lift by default. */
  asset: (fields: { name?: string; towerId?: number; category?: string; code?: string } = {}) =>
    create(
      { ...assetEntity.kind, model: Asset },
      {
        name: `Lift ${++made}`,
        towerId: 1,
        category: 'Lift',
        code: null,
        description: '',
        sortOrder: 0,
        contactId: null,
        ...fields,
      },
    ),

  /** A flat in the first tower. */
  unit: (fields: { number?: string; towerId?: number; floor?: number } = {}) =>
    create({ ...unitEntity.kind, model: Unit }, { number: `X${++made}`, towerId: 1, floor: 1, ...fields }),

  contact: (fields: { name?: string; email?: string; phone?: string } = {}) =>
    create(
      { ...contactEntity.kind, model: Contact },
      {
        name: `Contact ${++made}`,
        label: '',
        phone: '',
        email: '',
        notes: '',
        sortOrder: 0,
        isEmergency: false,
        ...fields,
      },
    ),

  /**
   * Planned work of which no one is notified; it takes place once unless it repeats. `plannedAt`:
   * when the office planned it, just now by default.
   */
  window: ({ plannedAt, ...fields }: PlannedWork) =>
    create(
      windowKind,
      {
        assetId: 7,
        title: 'Yearly inspection',
        recurrence: 'none',
        until: null,
        notes: '',
        ...fields,
      },
      { at: plannedAt },
    ),

  /** A webhook subscription, to all events by default. */
  async subscription(
    fields: { url?: string; events?: EventName[]; active?: boolean; secret?: string } = {},
  ): Promise<number> {
    const { id } = await createSubscription(await actorOf('admin', now), {
      url: 'https://93.184.216.34/hook',
      events: [...eventNames],
      active: true,
      secret: 'receiver-secret',
      ...fields,
    })
    return id
  },

  /** An account without a password, a resident's by default; the invitation was sent long ago. */
  async user(
    fields: { name?: string; email?: string; role?: Role } & Partial<NewUser> = {},
  ): Promise<number> {
    const name = fields.name ?? `Person Number${++made}`
    const email = fields.email ?? `${name.toLowerCase().replaceAll(' ', '.')}@outside.test`
    const user = { role: 'resident' as const, active: true, locale: 'en', ...fields, name, email }
    const id = await createUser(await actorOf('admin', now), user)
    await query(`delete from outbox where event = 'account.invited' and recipient_id = $1`, [id])
    return id
  },
}
