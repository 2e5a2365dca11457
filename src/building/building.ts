import { type AnyQueryBuilder, type Query, query } from '../platform/db/database.js'
import { rowOf } from '../platform/db/row.js'
import type { ColumnsOf } from '../platform/http/records/entityTypes.js'
import { isLocale, type Locale, type Text, texts } from '../text/index.js'
import type { AssetStatus } from '../vocabulary/assetStatus.js'
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

/**
 * The property and emergency contact that every page shows; the contact is null without one in the
 * directory. Its `label` and `notes` say when it answers and for what.
 */
export async function pageFrame(run: Query = query) {
  type Shown = 'id' | 'name' | 'address' | 'timezone' | 'currency' | 'locale' | 'officePhone' | 'signUp'
  type Emergency = Pick<Contact, 'label' | 'notes'> & { contactName: string | null; phone: string | null }
  const [row] = await run<Pick<Property, Shown> & Emergency>(
    `select p.id, p.name, p.address, p.timezone, p.currency, p.locale, p.office_phone,
       p.sign_up, c.name as contact_name, c.phone, c.label, c.notes
     from properties p
     left join lateral (
       select name, phone, label, notes from contacts where is_emergency and phone <> '' order by sort_order, id limit 1
     ) c on true`,
  )
  const { contactName, phone, label, notes, ...property } = row!
  return { property, emergency: contactName && phone ? { name: contactName, phone, label, notes } : null }
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
