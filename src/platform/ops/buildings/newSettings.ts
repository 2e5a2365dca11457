import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { type Building, identifiersOf } from './building.js'

/** The first port given to a building; each next one gets the lowest that none has. */
const firstPort = 4001

/**
 * What a building between others is told: a pool of 3, because a server of 100 connections is shared, and the schedule
 * in its web process, so that it needs no worker.
 */
const usual = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  TRUST_PROXY: 'true',
  SCHEDULER: 'on',
  DATABASE_POOL: '3',
}

const secrets = ['SESSION_SECRET', 'MOBILE_API_KEY', 'CRON_SECRET', 'INBOUND_EMAIL_SECRET', 'METRICS_TOKEN']

/** Makes the settings of a new building, with secrets nobody has seen. `serverUrl`: of the server it shares. */
export function newSettings(
  { name, address, folder, serverUrl }: { name: string; address: string; folder: string; serverUrl: string },
  others: readonly Building[],
): Building {
  const { database, serving, owner } = identifiersOf(name)
  const as = (username: string) =>
    Object.assign(new URL(serverUrl), { username, password: secret(), pathname: `/${database}`, hash: '' })
      .href
  return {
    name,
    settings: {
      DATABASE_URL: as(serving),
      PUBLIC_URL: address,
      ...(address.startsWith('http:') ? { ALLOW_INSECURE_HTTP: 'true' } : {}),
      PORT: String(freePort(others)),
      DATA_DIR: path.join(folder, name),
      ...usual,
      ...Object.fromEntries(secrets.map((each) => [each, secret()])),
    },
    ownerSettings: { MIGRATION_DATABASE_URL: as(owner) },
  }
}

/** 32 characters that need no quoting anywhere. */
const secret = () => randomBytes(24).toString('base64url')

function freePort(others: readonly Building[]): number {
  const taken = new Set(others.map(({ settings }) => Number(settings.PORT)))
  let port = firstPort
  while (taken.has(port)) port += 1
  return port
}
