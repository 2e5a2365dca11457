import { type AnyQueryBuilder, type Query, query } from '../platform/db/database.js'
import { rowOf } from '../platform/db/row.js'
import type { ColumnsOf } from '../platform/http/records/entityTypes.js'
import { isLocale, type Locale, type Text, texts } from '../text/index.js'
import type { AssetStatus } from '../vocabulary/assetStatus.js'
import { usualEmergencyNumber } from '../vocabulary/emergencyNumber.js'
import { allDay, hoursFields, type OpeningHours, reachableAt } from '../vocabulary/time/openingHours.js'
import type { assetEntity } from './entities/assetEntity.js'
import type { contactEntity } from './entities/contactEntity.js'
import type { propertyEntity } from './entities/propertyEntity.js'
import type { towerEntity } from './entities/towerEntity.js'
import type { unitEntity } from './entities/unitEntity.js'

/** The one row of `properties`: the building itself. */
export class Property extends rowOf<ColumnsOf<typeof propertyEntity>>() {
  static override tableName = 'properties'

  static async current(): Promise<Property> {
    return Property.query().findById(1).throwIfNotFound()
  }
}

export class Tower extends rowOf<ColumnsOf<typeof towerEntity>>() {
  static override tableName = 'towers'

  /** In display order. */
  static async all(): Promise<Tower[]> {
    return Tower.query().orderBy(['sortOrder', 'id'])
  }
}

export class Unit extends rowOf<ColumnsOf<typeof unitEntity>>() {
  static override tableName = 'units'

  static override relationMappings = () => ({
    tower: {
      relation: Unit.BelongsToOneRelation,
      modelClass: Tower,
      join: { from: 'units.towerId', to: 'towers.id' },
    },
  })

  static override modifiers = {
    /** Not archived. */
    inUse: (units: AnyQueryBuilder) => units.whereNull('units.archivedAt'),
    withTowerName: (units: AnyQueryBuilder) =>
      units.joinRelated('tower').select('units.*', 'tower.name as towerName'),
  }

  declare towerName?: string

  /** The unit's public name; only for rows read with their tower's name. */
  get name(): string {
    return unitName(this.towerName!, this.number)
  }

  /** Units in use, by tower, from the ground up. */
  static async all(): Promise<Unit[]> {
    return Unit.query()
      .modify('inUse')
      .modify('withTowerName')
      .orderBy(['tower.sortOrder', 'tower.id', 'units.floor', 'units.number', 'units.id'])
  }
}

export class Asset extends rowOf<ColumnsOf<typeof assetEntity>>() {
  static override tableName = 'assets'

  static override relationMappings = () => ({
    tower: {
      relation: Asset.BelongsToOneRelation,
      modelClass: Tower,
      join: { from: 'assets.towerId', to: 'towers.id' },
    },
    contact: {
      relation: Asset.BelongsToOneRelation,
      modelClass: Contact,
      join: { from: 'assets.contactId', to: 'contacts.id' },
    },
  })

  static override modifiers = {
    /** Not archived. */
    inUse: (assets: AnyQueryBuilder) => assets.whereNull('assets.archivedAt'),
    withTowerName: (assets: AnyQueryBuilder) =>
      assets.joinRelated('tower').select('assets.*', 'tower.name as towerName'),
  }

  declare announcedStatus: AssetStatus
  declare announcedAt: Date
  declare towerName?: string

  /** Assets in use, with their tower's name, in display order. */
  static async inUse(): Promise<Asset[]> {
    return Asset.query()
      .modify('inUse')
      .modify('withTowerName')
      .orderBy(['tower.sortOrder', 'tower.id', 'assets.sortOrder', 'assets.id'])
  }
}

export class Contact extends rowOf<ColumnsOf<typeof contactEntity>>() {
  static override tableName = 'contacts'

  /** In display order (spec §2). */
  static async all(): Promise<Contact[]> {
    return Contact.query().orderBy(['sortOrder', 'id'])
  }

  /** The contact that looks after an asset; null without one. */
  static async ofAsset(assetId: number): Promise<Contact | null> {
    const [contact] = (await Asset.relatedQuery('contact').for(assetId)) as Contact[]
    return contact ?? null
  }
}

/** A contact for people who are trapped or in danger. */
type EmergencyContact = Pick<Contact, 'name' | 'label' | 'phone' | 'notes'> & OpeningHours

/** The property, and whom every page says to call in danger now. */
export async function pageFrame(run: Query = query) {
  const { property, publicNumber, contacts } = await frameRow(run)
  const { timezone } = property
  const now = Date.now()
  const reachable = contacts.map((contact) => ({ contact, ...reachableAt(contact, timezone, now) }))
  const changes = reachable.flatMap(({ until }) => (until === null ? [] : [until]))
  const emergency = {
    /** For fire and injury. */
    publicNumber,
    contact: reachable.sort((a, b) => rankOf(a) - rankOf(b))[0]?.contact ?? null,
    /** When another contact may be the one to call; null: never. Epoch ms. */
    until: changes.length > 0 ? Math.min(...changes) : null,
  }
  return { property, emergency }
}

/** Those who answer now come first, and those who do not come last, each in the office's order. */
const rankOf = ({ isOpen }: { isOpen: boolean | null }) => (isOpen === null ? 1 : isOpen ? 0 : 2)

/**
 * The contact to print: what is on paper is read at any hour. One who can be reached at all hours
 * comes first.
 */
export async function printedEmergency() {
  const { publicNumber, contacts } = await frameRow(query)
  return {
    publicNumber,
    contact:
      contacts.find((hours) => hoursFields.every((day) => hours[day] === allDay)) ?? contacts[0] ?? null,
  }
}

type Shown =
  | 'id'
  | 'name'
  | 'address'
  | 'timezone'
  | 'currency'
  | 'locale'
  | 'officePhone'
  | 'signUp'
  | 'emergencyNumber'
type FrameRow = Pick<Property, Shown> & Omit<EmergencyContact, 'name'> & { contactName: string | null }

/** More emergency contacts than these are no help to anyone. */
const mostEmergencyContacts = 50

/** The property, the public number, and emergency contacts with a phone in the office's order. */
async function frameRow(run: Query) {
  const rows = await run<FrameRow>(
    `select p.id, p.name, p.address, p.timezone, p.currency, p.locale, p.office_phone, p.sign_up, p.emergency_number,
       c.name as contact_name, c.label, c.phone, c.notes, c.hours_weekdays, c.hours_saturday, c.hours_sunday
     from properties p left join contacts c on c.is_emergency and c.phone <> ''
     order by c.sort_order, c.id limit $1`,
    [mostEmergencyContacts],
  )
  const contacts = rows.flatMap(({ contactName: name, label, phone, notes, ...row }) => {
    const { hoursWeekdays, hoursSaturday, hoursSunday } = row
    return name === null ? [] : [{ name, label, phone, notes, hoursWeekdays, hoursSaturday, hoursSunday }]
  })
  const { id, name, address, timezone, currency, locale, officePhone, signUp, emergencyNumber } = rows[0]!
  const property = { id, name, address, timezone, currency, locale, officePhone, signUp }
  return { property, publicNumber: emergencyNumber || usualEmergencyNumber(timezone), contacts }
}

/** The building's own id: random, made with the database, and the same in every copy of it. */
export async function buildingId(): Promise<string> {
  const [row] = await query<{ id: string }>('select building_id::text as id from building_identity')
  return row!.id
}

/**
 * Words for stored texts that everyone reads, such as timeline entries: in the property's
 * language. The author's own could tell who someone without a name is (decision 2.9).
 */
export async function propertyText(): Promise<Text> {
  return texts[await propertyLocale()]
}

/** The language of stored texts. */
export async function propertyLocale(): Promise<Locale> {
  const { locale } = await Property.current()
  return isLocale(locale) ? locale : 'en'
}

/** The name of a unit, as `named_units` has it: its tower and its number. */
export const unitName = (tower: string, number: string) => `${tower} · ${number}`
