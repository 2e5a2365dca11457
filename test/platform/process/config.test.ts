import { readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { nearMisses } from '../../../src/platform/process/config/nearMisses.js'
import { ConfigurationError, readConfig, variables } from '../../../src/platform/process/config.js'
import { newKeyPair } from '../../../src/platform/process/webPushKeys.js'
import { newFolder } from '../../support/run/folders.js'

describe('configuration', () => {
  const dataDir = newFolder()

  it('names every wrong variable at once', () => {
    const problems = problemsOf({
      ...deployed,
      PORT: 'x',
      SLA_HOURS_LOW: '-1',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: 'yes',
    })
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'LOG_LEVEL',
      'PORT',
      'SLA_HOURS_LOW',
      'TRUST_PROXY',
    ])
  })

  it('wants a session secret with a database of its own', () => {
    expect(problemsOf({ DATABASE_URL: 'postgres://localhost/x' })).toEqual([
      'SESSION_SECRET: required with DATABASE_URL',
    ])
  })

  const { publicKey, privateKey } = newKeyPair()
  const webPush = {
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
    VAPID_SUBJECT: 'office@building.example',
  }
  const other = newKeyPair()
  const pushFaults: [string, Record<string, string>, string[]][] = [
    [
      'half',
      { VAPID_PUBLIC_KEY: publicKey, VAPID_SUBJECT: webPush.VAPID_SUBJECT },
      ['VAPID_PRIVATE_KEY: required'],
    ],
    ['the other half', { ...webPush, VAPID_PUBLIC_KEY: ' ' }, ['VAPID_PUBLIC_KEY: required']],
    [
      'a subject alone',
      { VAPID_SUBJECT: webPush.VAPID_SUBJECT },
      ['VAPID_PUBLIC_KEY: required', 'VAPID_PRIVATE_KEY: required'],
    ],
    ['no subject', { ...webPush, VAPID_SUBJECT: '' }, ['VAPID_SUBJECT: required']],
    [
      'no subject but an address without https',
      { ...webPush, VAPID_SUBJECT: '', PUBLIC_URL: 'http://building.example' },
      ['VAPID_SUBJECT: required'],
    ],
    [
      'a subject of another kind',
      { ...webPush, VAPID_SUBJECT: 'http://building.example' },
      ['VAPID_SUBJECT ('],
    ],
    [
      'keys that were mixed up',
      { ...webPush, VAPID_PUBLIC_KEY: privateKey, VAPID_PRIVATE_KEY: publicKey },
      ['VAPID_PUBLIC_KEY: not a key', 'VAPID_PRIVATE_KEY: not a key'],
    ],
    [
      'a key that is cut off',
      { ...webPush, VAPID_PUBLIC_KEY: publicKey.slice(1) },
      ['VAPID_PUBLIC_KEY: not a key'],
    ],
    [
      'a key that is zero',
      { ...webPush, VAPID_PRIVATE_KEY: 'A'.repeat(43) },
      ['VAPID_PRIVATE_KEY: not a key'],
    ],
    [
      'the key of another pair',
      { ...webPush, VAPID_PRIVATE_KEY: other.privateKey },
      ['VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY'],
    ],
    ['no worker to show it', { ...webPush, SERVICE_WORKER: 'off' }, ['SERVICE_WORKER: must be on']],
  ]
  it.each(pushFaults)('of web push with %s stops the start and says no key', (_what, env, begins) => {
    const problems = problemsOf({ ...deployed, ...env })
    expect(problems.map((problem, i) => problem.startsWith(begins[i] ?? '?'))).toEqual(begins.map(() => true))
    for (const key of [publicKey, privateKey, other.privateKey]) expect(problems.join()).not.toContain(key)
  })

  it('of web push is a pair of keys and whom to write to: the address itself, where it has https', () => {
    expect(readConfig(deployed).webPush).toBeNull()
    expect(readConfig({ ...deployed, ...webPush }).webPush).toEqual({
      publicKey,
      privateKey,
      subject: 'mailto:office@building.example',
    })
    expect(readConfig({ ...inProduction, ...webPush, VAPID_SUBJECT: '' }).webPush).toMatchObject({
      subject: 'https://building.example',
    })
  })

  const provider = {
    OIDC_ISSUER: 'https://id.example/realm',
    OIDC_CLIENT_ID: 'caretaker',
    OIDC_CLIENT_SECRET: 'a-secret',
  }

  it.each<[string, Record<string, string>]>([
    ...Object.keys(provider).map((left): [string, Record<string, string>] => [
      left,
      { [left]: 'https://x.example' },
    ]),
    ['OIDC_NAME', { OIDC_NAME: 'House' }],
    ['OIDC_LINK_BY_EMAIL', { OIDC_LINK_BY_EMAIL: 'true' }],
    ['OIDC_ROLE_CLAIM', { OIDC_ROLE_CLAIM: 'roles' }],
    ['OIDC_ONLY', { OIDC_ONLY: 'true' }],
  ])('names what single sign-on still needs with %s alone', (given, env) => {
    const missing = Object.keys(provider).filter((name) => name !== given)
    expect(problemsOf({ ...deployed, ...env })).toEqual(
      missing.map((name) => `${name}: required with ${given}`),
    )
  })

  it('takes no password of a person over plain HTTP in production', () => {
    const plain = { ...provider, OIDC_ISSUER: 'http://id.example' }
    expect(problemsOf({ ...inProduction, ...plain })).toEqual(['OIDC_ISSUER: an https address in production'])
    expect(problemsOf({ ...inProduction, ...plain, ALLOW_INSECURE_HTTP: 'true' })).toEqual([])
    expect(problemsOf({ ...inProduction, ...provider, OIDC_ISSUER: 'id.example' })).toHaveLength(1)
  })

  it('has single sign-on when all of it is there, and none by a "false"', () => {
    expect(readConfig({ ...deployed, OIDC_ONLY: 'false', OIDC_LINK_BY_EMAIL: '' }).singleSignOn).toBeNull()
    expect(readConfig({ ...deployed, ...provider }).singleSignOn).toEqual({
      issuer: provider.OIDC_ISSUER,
      clientId: 'caretaker',
      clientSecret: 'a-secret',
      name: 'id.example',
      linkByEmail: false,
      roleClaim: null,
      only: false,
    })
  })

  it('refuses short and equal secrets in production, by name and never by value', () => {
    const same = 'the-same-secret-twice'
    const problems = problemsOf({
      ...inProduction,
      SESSION_SECRET: 'thirty-one-characters-and-a-bit',
      MOBILE_API_KEY: same,
      CRON_SECRET: same,
      INBOUND_EMAIL_SECRET: 'short',
    })
    expect(problems).toEqual([
      'SESSION_SECRET: at least 32 characters in production',
      'MOBILE_API_KEY and CRON_SECRET: must differ',
      'INBOUND_EMAIL_SECRET: at least 16 characters in production',
    ])
  })

  it.each([{}, { PUBLIC_URL: ' ' }, { PUBLIC_URL: 'http://building.example' }])(
    'wants https in production, unless that is said to be known: %o',
    (given) => {
      const bare = { ...inProduction, PUBLIC_URL: '', ...given }
      const refusal = [
        'PUBLIC_URL: an https address in production, or ALLOW_INSECURE_HTTP=true on a closed network',
      ]
      expect(problemsOf(bare)).toEqual(refusal)
      expect(problemsOf({ ...bare, DATABASE_URL: '', DATA_DIR: dataDir })).toEqual(refusal)
      expect(problemsOf({ ...bare, ALLOW_INSECURE_HTTP: 'false' })).toEqual(refusal)
      expect(readConfig({ ...bare, ALLOW_INSECURE_HTTP: 'true' })).toMatchObject({
        production: true,
        https: false,
      })
      expect(problemsOf({ ...bare, NODE_ENV: '' })).toEqual([])
    },
  )

  it('runs in production with https and long secrets', () => {
    expect(readConfig(inProduction)).toMatchObject({ https: true, publicUrl: 'https://building.example' })
  })

  it('wants the database itself beside the address its tables are owned at', () => {
    expect(problemsOf({ MIGRATION_DATABASE_URL: 'postgres://owner@localhost/x', DATA_DIR: dataDir })).toEqual(
      ['DATABASE_URL: required with MIGRATION_DATABASE_URL'],
    )
    expect(problemsOf({ ...deployed, MIGRATION_DATABASE_URL: 'localhost' })[0]).toMatch(
      /^MIGRATION_DATABASE_URL .*must start with postgres/,
    )
  })

  it('asks the driver for the check it makes, in the one word that it takes without a word', () => {
    const address = 'postgres://db.example/x?application_name=a&sslmode='
    for (const word of ['prefer', 'require', 'verify-ca', 'verify-full'])
      expect(readConfig({ ...deployed, DATABASE_URL: address + word }).databaseUrl).toBe(
        `${address}verify-full`,
      )
    for (const other of ['no-verify', 'disable', 'require&uselibpqcompat=true'])
      expect(readConfig({ ...deployed, DATABASE_URL: address + other }).databaseUrl).toBe(address + other)
  })

  it('names the file of a certificate that is not there', () => {
    const url = `postgres://db.example/x?sslmode=require&sslrootcert=${dataDir}/none.pem`
    expect(problemsOf({ ...deployed, DATABASE_URL: url, MIGRATION_DATABASE_URL: url })).toEqual([
      'DATABASE_URL: the file of sslrootcert is not there',
      'MIGRATION_DATABASE_URL: the file of sslrootcert is not there',
    ])
  })

  it('names what is wrong by itself together with what another variable makes wrong', () => {
    const problems = problemsOf({ NODE_ENV: 'production', DATABASE_URL: 'postgres://x/y', PORT: 'x' })
    expect(problems.map((problem) => problem.split(/[ :]/)[0])).toEqual([
      'PORT',
      'SESSION_SECRET',
      'PUBLIC_URL',
    ])
  })

  it('keeps a door closed whose secret is unset, empty or blank', () => {
    for (const value of [undefined, '', '   ']) {
      const env = value === undefined ? deployed : { ...deployed, MOBILE_API_KEY: value }
      expect(readConfig(env).mobileApiKey).toBeNull()
    }
  })

  it('accepts decimals and zero as acknowledgement targets', () => {
    const { slaTargets } = readConfig({ ...deployed, SLA_HOURS_CRITICAL: '0.5', SLA_HOURS_LOW: '0' })
    expect(slaTargets).toEqual({ low: 0, medium: 72, high: 24, critical: 0.5 })
  })

  it('generates missing secrets once in the embedded default, readable by the owner only', () => {
    const first = readConfig({ DATA_DIR: dataDir, CRON_SECRET: '  ' })
    const second = readConfig({ DATA_DIR: dataDir })
    expect(first.cronSecret).toMatch(/^[\w-]{32}$/)
    expect(second).toEqual(first)
    expect(statSync(first.keysFile!).mode & 0o777).toBe(0o600)
    expect(readConfig({ DATA_DIR: dataDir, MOBILE_API_KEY: 'mine' }).mobileApiKey).toBe('mine')
  })

  it('takes an object store whole or not at all, and says what is missing by name', () => {
    const whole = {
      PHOTO_STORE: 's3',
      S3_BUCKET: 'photos',
      S3_REGION: 'eu-west-1',
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'b',
    }
    const problemsOf = (given: Record<string, string>) => {
      try {
        readConfig({ ...deployed, ...given })
        return []
      } catch (error) {
        return (error as ConfigurationError).problems.map((problem) => problem.split(/[: ]/)[0])
      }
    }
    expect(problemsOf(whole)).toEqual([])
    expect(readConfig({ ...deployed, ...whole }).s3).toMatchObject({
      bucket: 'photos',
      forcePathStyle: false,
    })
    for (const name of Object.keys(whole)) expect(problemsOf({ ...whole, [name]: ' ' })).toEqual([name])
    expect(problemsOf({ S3_BUCKET: 'photos' }).sort()).toEqual(
      Object.keys(whole)
        .filter((name) => name !== 'S3_BUCKET')
        .sort(),
    )
    expect(problemsOf({ ...whole, PHOTO_STORE: 'local' })).toEqual([])
    expect(problemsOf({ PHOTO_STORE: 'local', S3_ENDPOINT: 'http://x' })).toContain('S3_BUCKET')
    expect(problemsOf({ ...whole, PHOTO_STORE: 'local,s3' })).toEqual(['PHOTO_STORE'])
    expect(problemsOf({ ...whole, S3_KMS_KEY_ID: 'k' })).toEqual(['S3_SERVER_SIDE_ENCRYPTION'])
    for (const name of ['S3_BUCKET', 'S3_REGION'])
      expect(problemsOf({ ...whole, [name]: 'not a name' })).toEqual([name])
    const other = readConfig({ ...deployed, ...whole, S3_REGION: '', S3_ENDPOINT: 'http://127.0.0.1:9000' })
    expect(other.s3).toMatchObject({ region: 'us-east-1', forcePathStyle: true })
  })

  it('names what is almost a setting, and nothing else', () => {
    const typed = [
      'SMTP_ULR',
      'PUBLIC_UR',
      'MAIL_FORM',
      'TRUST_PROXYS',
      'S3_BUKET',
      'HOSTNAME',
      'PATH',
      'HOSTS',
      'SMTP_URL',
    ]
    expect(nearMisses(typed).map(({ variable, meant }) => `${variable} ${meant}`)).toEqual([
      'SMTP_ULR SMTP_URL',
      'PUBLIC_UR PUBLIC_URL',
      'MAIL_FORM MAIL_FROM',
      'TRUST_PROXYS TRUST_PROXY',
      'S3_BUKET S3_BUCKET',
    ])
  })

  describe('in docs/configuration.md', () => {
    const text = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')
    const rows = [...text.matchAll(/^\| `([A-Z0-9_]+)` \| (.*?) \| (.*) \|$/gm)].map(([, name, usual]) => ({
      name: name!,
      usual: usual!,
    }))

    it('is every variable, once, and no other', () => {
      // Read by the C library.
      const expected = [...Object.keys(variables), 'MALLOC_ARENA_MAX', 'NODE_OPTIONS']
      expect(rows.map(({ name }) => name).sort()).toEqual(expected.sort())
    })

    it('has the default it has', () => {
      const wrong = rows.flatMap(({ name, usual }) => {
        const { schema } = variables[name as keyof typeof variables] ?? {}
        const value = schema?.safeParse(undefined).data
        const written = /^`([^`]*)`$/.exec(usual)?.[1]
        return value === undefined || written === undefined || written === String(value)
          ? []
          : [`${name} ${value}`]
      })
      expect(wrong).toEqual([])
      expect(rows.filter(({ usual }) => usual.startsWith('`')).length).toBeGreaterThan(20)
    })

    it('begins with seven that are enough for production', () => {
      const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(text)!
      const settings = parseEnv(block)
      expect(Object.keys(settings)).toHaveLength(7)
      expect(readConfig({ NODE_ENV: 'production', ...settings })).toMatchObject({
        https: true,
        trustProxy: true,
      })
    })
  })
})

const deployed = { DATABASE_URL: 'postgres://localhost/x', SESSION_SECRET: 'a-session-secret-of-length' }

const inProduction = {
  DATABASE_URL: 'postgres://localhost/x',
  SESSION_SECRET: 'a-session-secret-that-nobody-guesses',
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://building.example',
}

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
  return []
}
