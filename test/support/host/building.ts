import { chmodSync } from 'node:fs'
import { inject } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { eventNames } from '../../../src/vocabulary/events.js'
import { inDatabase } from '../database.js'
import { newFolder } from '../run/folders.js'
import { signedIn, startHost } from './host.js'

/** The password of everybody who is made here. */
export const password = 'a quiet rainy day'

/**
 * The host with a building at `database`: a receiver of every event, and an admin, a manager and a
 * resident who are signed in. `end` resolves to the codes its processes ended with.
 */
export async function openBuilding(database: string) {
  const folder = newFolder()
  // nginx and PgBouncer read it as somebody who is not root.
  chmodSync(folder, 0o755)
  const owner = inDatabase(inject('ownerUrl'), new URL(database).pathname.slice(1))
  const host = await startHost(folder, database, owner)
  await query(`insert into webhook_subscriptions (url, secret, events) values ($1, 'secret', $2)`, [
    host.receiver.url(),
    eventNames,
  ])
  await host.job('admin', '--email', 'owner@example.com', '--name', 'Olu Owner', '--password', password)
  const cookies = {
    admin: await signedIn(host.ask, 'owner@example.com', password),
    manager: '',
    resident: '',
  }
  for (const role of ['manager', 'resident'] as const) {
    const email = `new-${role}@example.com`
    const json = { name: `New ${role}`, email, role, password, active: true }
    await host.ask('/api/admin/users', { method: 'POST', cookie: cookies.admin, json })
    cookies[role] = await signedIn(host.ask, email, password)
  }
  return {
    folder,
    host,
    cookies,
    end: host.end,
  }
}
