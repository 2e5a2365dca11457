import { type Query, query, Row, rowOf } from '../platform/db/database.js'
import type { ColumnsOf } from '../platform/http/records/entity.js'
import type { AssetStatus } from '../vocabulary/assetStatus.js'
import type { MailVisibility, SignUp, UnitVisibility } from '../vocabulary/people/visibility.js'
import type { assetEntity, contactEntity, towerEntity, unitEntity } from './entities.js'
import { unitName } from './unitName.js'

/** The one row of `properties`: the building itself. */
export class Property extends Row {
  static override tableName = 'properties'

  declare name: string
  declare address: string
  declare timezone: string
  declare currency: string
  declare locale: string
  /** Who must have a second factor (decision 7.12). */
  declare secondFactorRequired: 'off' | 'staff'
  /** Shown to people without an account; may be empty. */
  declare officePhone: string
  /** Who reads which flat an incident is about, and when emails are public (decision 7.13). */
  declare unitVisibility: UnitVisibility
  declare mailVisibility: MailVisibility
  /** Who makes accounts (decision 7.15). */
  declare signUp: SignUp

  static async current(): Promise<Property> {
    return Property.query().findById(1).throwIfNotFound()
  }
}

/** A row of `towers`. */
export class Tower extends rowOf<ColumnsOf<typeof towerEntity>>() {
  static override tableName = 'towers'

  /** In display order. */
  static async all(): Promise<Tower[]> {
    return Tower.query().orderBy(['sortOrder', 'id'])
  }
}

/** A row of `units`. */
export class Unit extends rowOf<ColumnsOf<typeof unitEntity>>() {
  static override tableName = 'units'

  declare towerName?: string

  /** The unit's public name; only for rows read with their tower's name. */
  get name(): string {
    return unitName(this.towerName!, this.number)
  }

  /** Units in use, by tower, from the ground up. */
  static async all(): Promise<Unit[]> {
    return Unit.query()
      .alias('u')
      .join('towers as t', 't.id', 'u.towerId')
      .whereNull('u.archivedAt')
      .select('u.*', 't.name as towerName')
      .orderBy(['t.sortOrder', 't.id', 'u.floor', 'u.number', 'u.id'])
  }
}

/** A row of `assets`. */
export class Asset extends rowOf<ColumnsOf<typeof assetEntity>>() {
  static override tableName = 'assets'

  declare announcedStatus: AssetStatus
  declare announcedAt: Date
  declare towerName?: string

  /** Assets in use, with their tower's name, in display order. */
  static async inUse(): Promise<Asset[]> {
    return Asset.query()
      .alias('a')
      .join('towers as t', 't.id', 'a.towerId')
      .whereNull('a.archivedAt')
      .select('a.*', 't.name as towerName')
      .orderBy(['t.sortOrder', 't.id', 'a.sortOrder', 'a.id'])
  }
}

/** A row of `contacts`. */
export class Contact extends rowOf<ColumnsOf<typeof contactEntity>>() {
  static override tableName = 'contacts'

  /** In display order (spec §2). */
  static async all(): Promise<Contact[]> {
    return Contact.query().orderBy(['sortOrder', 'id'])
  }

  /** The contact that looks after an asset; null without one. */
  static async ofAsset(assetId: number): Promise<Contact | null> {
    const [contact] = await Contact.query()
      .alias('k')
      .join('assets as a', 'a.contactId', 'k.id')
      .where('a.id', assetId)
      .select('k.*')
    return contact ?? null
  }
}

/**
 * The property and emergency contact that every page shows; the contact is null without one in the
 * directory. Its `label` and `notes` say when it answers and for what.
 */
export async function pageFrame(run: Query = query) {
  const [row] = await run<{
    id: number
    name: string
    address: string
    timezone: string
    currency: string
    locale: string
    officePhone: string
    signUp: SignUp
    contactName: string | null
    phone: string | null
    label: string
    notes: string
  }>(
    `select p.id, p.name, p.address, p.timezone, p.currency, p.locale, p.office_phone as "officePhone",
       p.sign_up as "signUp", c.name as "contactName", c.phone, c.label, c.notes
     from properties p
     left join lateral (
       select name, phone, label, notes from contacts where is_emergency and phone <> '' order by sort_order, id limit 1
     ) c on true`,
  )
  const { contactName, phone, label, notes, ...property } = row!
  return { property, emergency: contactName && phone ? { name: contactName, phone, label, notes } : null }
}
