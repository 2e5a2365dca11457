import { afterAll, beforeAll, vi } from 'vitest'
import { seedDemo } from '../../../src/demo/seed.js'
import { migrate } from '../../../src/platform/db/migrations/migrate.js'
import { config } from '../../../src/platform/process/config.js'
import { publicKeyOf } from '../../../src/platform/process/webPushKeys.js'
import { asOwner, useDatabase } from '../database.js'

/**
 * A Wednesday in November, 10:55 in London: the moment at which everything in the golden files
 * happens.
 */
export const fixedNow = new Date('2026-11-18T10:55:00Z')

const clocks = ['now', 'clock_timestamp', 'statement_timestamp', 'transaction_timestamp']

/**
 * PostgreSQL looks for functions in pg_catalog first, unless the search path names it later.
 * Created before the tables, these are what columns take their defaults from, too.
 */
const stopClock = (database: string) =>
  [
    ...clocks.map(
      (name) =>
        `create function public.${name}() returns timestamptz language sql stable
         return timestamptz '${fixedNow.toISOString()}'`,
    ),
    `alter database ${database} set search_path = public, pg_catalog`,
  ].join(';')

/**
 * The demo building, made at `fixedNow` and looked at then: neither the process nor the database
 * sees time pass.
 */
export function useFixedBuilding(): () => string {
  const url = useDatabase({ empty: true })
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: fixedNow })
    await asOwner(stopClock(new URL(url()).pathname.slice(1)), url())
    await migrate()
    await seedDemo()
  })
  afterAll(() => void vi.useRealTimers())
  return url
}

/**
 * Settings a building has that is open to all, with a fixed key for browsers. Push itself is on
 * before modules load.
 */
export function configureAsLive(): void {
  const privateKey = Buffer.alloc(32, 7).toString('base64url')
  config.publicUrl = 'https://building.example'
  config.email.from = 'Larkspur Court <office@building.example>'
  config.email.inboundAddress = 'reports@building.example'
  config.webPush = {
    publicKey: publicKeyOf(privateKey)!,
    privateKey,
    subject: 'mailto:office@building.example',
  }
}
