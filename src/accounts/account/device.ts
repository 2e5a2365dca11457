import { query, Row } from '../../platform/db/database.js'

export const phonePlatforms = ['ios', 'android'] as const
export type Platform = (typeof phonePlatforms)[number] | 'browser'

/**
 * A row of `devices`: a phone (spec §2) or a browser that registered for push notifications
 * (decision 4.10).
 */
export class Device extends Row {
  static override tableName = 'devices'

  /** Of a browser: the address its push service gave it. */
  declare token: string
  declare platform: Platform
  declare userId: number
  /** The browser's keys, and our public key it subscribed with; null for phones. */
  declare p256dh: string | null
  declare auth: string | null
  declare serverKey: string | null
  declare createdAt: Date
  declare updatedAt: Date

  /** This user's device with that id; null when it is gone or belongs to another user by now. */
  static async of(userId: number, id: unknown): Promise<Device | null> {
    if (typeof id !== 'number') return null
    return (await Device.query().findOne({ id, userId })) ?? null
  }
}

/** A browser as its owner sees it. */
export type ListedBrowser = { id: number; userAgent: string; createdAt: Date; current: boolean }

/** A user's browsers that get push messages, the one of this session first, then the latest. */
export async function browsersOf(userId: number, session: Buffer | null): Promise<ListedBrowser[]> {
  return query(
    `select id, user_agent as "userAgent", created_at as "createdAt", coalesce(session_hash = $2, false) as current
     from devices where user_id = $1 and platform = 'browser' order by current desc, created_at desc, id desc`,
    [userId, session],
  )
}
