import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { query } from '../../../../src/platform/db/database.js'
import { config } from '../../../../src/platform/process/config.js'
import { takeMessages } from '../../email/messages.js'

/** A name that is not the building's. */
export const foreignHost = 'evil.example'

/** The ways in which a request can say by which name it came, directly and through a proxy. */
const foreignHeaders = [
  { host: `${foreignHost}:8443`, 'x-original-url': `https://${foreignHost}/` },
  {
    host: `${foreignHost}:8443`,
    forwarded: `host=${foreignHost};proto=https`,
    'x-forwarded-host': foreignHost,
    'x-forwarded-server': foreignHost,
    'x-forwarded-proto': 'https',
    'x-host': foreignHost,
    'x-original-host': foreignHost,
    'x-original-url': `https://${foreignHost}/`,
  },
] as const

let turn = 0

/** One of these ways after the other. */
export const fromForeignHost = (): Record<string, string> => foreignHeaders[turn++ % foreignHeaders.length]!

/** Believes what proxies say, in the application a test file opens afterwards. */
export function behindProxy(): void {
  Object.assign(config, { trustProxy: true })
}

const tables = [
  'outbox',
  'events',
  'webhook_deliveries',
  'audit_entries',
  'sessions',
  'incidents',
  'incident_updates',
]

/**
 * Everything that requests left in the database, the email folder, and the
 * messages that wait, as one text.
 */
export async function leftBehind(): Promise<string> {
  const rows = await query(
    tables.map((table) => `select t::text as text from ${table} t`).join(' union all '),
  )
  await query('update outbox set next_attempt_at = now() where sent_at is null')
  const { emails, pushes } = await takeMessages()
  const folder = config.email.outboxDir
  const files = existsSync(folder) ? readdirSync(folder) : []
  const written = files.map((file) => readFileSync(path.join(folder, file), 'utf8'))
  return JSON.stringify({ rows, emails, pushes, written })
}
