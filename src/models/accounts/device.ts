import { Row } from '../../database.js'

/** A row of `devices`: a phone that registered for push notifications (spec §2). */
export class Device extends Row {
  static override tableName = 'devices'

  declare token: string
  declare platform: Platform
  declare userId: number
  declare createdAt: Date
  declare updatedAt: Date

  /** This user's device with that id; null when it is gone or belongs to another user by now. */
  static async of(userId: number, id: unknown): Promise<Device | null> {
    if (typeof id !== 'number') return null
    return (await Device.query().findOne({ id, userId })) ?? null
  }
}

export const platforms = ['ios', 'android'] as const
export type Platform = (typeof platforms)[number]
