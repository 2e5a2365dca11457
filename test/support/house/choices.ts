import { registerDevice } from '../../../src/accounts/users/devices.js'
import { updateAccount } from '../../../src/accounts/users/updateAccount.js'
import { query } from '../../../src/platform/db/database.js'
import type { NotificationSetting } from '../../../src/vocabulary/notificationSettings.js'
import { actorOf, type Person } from './acting.js'

/** No one is notified of what people choose for themselves, so it is done as by a request. */
const now = { notified: true }

/** What a person chooses for themselves, by the product's own acts. */
export function choicesOf(who: Person) {
  return {
    /** Turns emails and pushes on or off; those not named stay as they are. */
    async wants(notifications: { [Setting in NotificationSetting]?: boolean }): Promise<void> {
      await updateAccount(await actorOf(who, now), { notifications })
    },

    /** Chooses the language of their pages and emails. */
    async reads(locale: 'en' | 'es'): Promise<void> {
      await updateAccount(await actorOf(who, now), { locale })
    },

    /** Registers a phone for pushes. */
    async hasPhone(token: string, platform: 'ios' | 'android' = 'ios'): Promise<void> {
      await registerDevice(await actorOf(who, now), { token, platform })
    },
  }
}

/** Everyone wants what they want when they have chosen nothing. */
export async function forgetChoices(): Promise<void> {
  await query(`update users set notifications = '{}'`)
}
