import { expect, it } from 'vitest'
import { notificationSettings, wants } from '../../src/vocabulary/notificationSettings.js'
import { useDatabase } from '../support/database.js'
import { scalar } from '../support/rows.js'

useDatabase()

it('what someone chose to be notified of means the same in SQL as in code', async () => {
  for (const setting of Object.keys(notificationSettings) as (keyof typeof notificationSettings)[]) {
    for (const value of [true, false, null, 'false', 0, undefined]) {
      const notifications = value === undefined ? {} : { [setting]: value }
      const wanted = await scalar<boolean>('select wants_notification($1, $2) as wanted', [
        notifications,
        setting,
      ])
      expect(wanted, `${setting} ${value}`).toBe(wants(notifications, setting))
    }
  }
})
