import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { defaultSlaTargets } from './domain/severity.js'

/** The checkout's folder: the nearest one above this file that holds package.json, compiled or not. */
export const rootDir = nearestPackage(path.dirname(fileURLToPath(import.meta.url)))

const blankIsUnset = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? undefined : value
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsUnset, schema.optional())
const text = optional(z.string().trim())
const flag = (fallback: boolean) =>
  z
    .preprocess(blankIsUnset, z.enum(['true', 'false']).default(fallback ? 'true' : 'false'))
    .transform((v) => v === 'true')
const count = (fallback: number) =>
  z.preprocess(blankIsUnset, z.coerce.number().int().min(0).max(1e9).default(fallback))
const hours = (fallback: number) =>
  z.preprocess(blankIsUnset, z.coerce.number().min(0).max(1e6).default(fallback))
const smtpUrl = optional(z.string().regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://'))
const webUrl = optional(z.url({ protocol: /^https?$/ }))

/** Every environment variable: its meaning for the README's table, and the values it may have (decision 5.8). */
export const variables = {
  NODE_ENV: {
    text: '`production` refuses demo data and weak secrets',
    schema: optional(z.enum(['development', 'test', 'production'])),
  },
  LOG_LEVEL: {
    text: 'trace, debug, info, warn, error, fatal or silent',
    schema: optional(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])),
  },
  PORT: {
    text: 'port the web process listens on',
    schema: z.preprocess(blankIsUnset, z.coerce.number().int().min(0).max(65_535).default(3000)),
  },
  HOST: { text: 'address it binds to; all of them when unset', schema: text },
  PUBLIC_URL: {
    text: 'address people type; links in mails, cookies and the origin check follow it',
    schema: webUrl,
  },
  DATA_DIR: {
    text: 'folder for the private database, photos, keys and mails',
    schema: z.preprocess(blankIsUnset, z.string().default('data')),
  },
  DATABASE_URL: {
    text: 'PostgreSQL 14 or newer; unset: a private server under DATA_DIR with a demo building',
    schema: optional(z.string().regex(/^postgres(ql)?:\/\//, 'must start with postgres://')),
  },
  SESSION_SECRET: {
    text: 'signs the session cookie; required with DATABASE_URL, else generated',
    schema: text,
  },
  MOBILE_API_KEY: { text: 'bearer key of the mobile app', schema: text },
  CRON_SECRET: { text: 'bearer secret of schedulers, for /api/cron only', schema: text },
  INBOUND_EMAIL_SECRET: {
    text: 'bearer secret of the mail provider, for /api/inbound-email only',
    schema: text,
  },
  SLA_HOURS_LOW: { text: 'hours to acknowledge a low incident', schema: hours(defaultSlaTargets.low) },
  SLA_HOURS_MEDIUM: {
    text: 'hours to acknowledge a medium incident',
    schema: hours(defaultSlaTargets.medium),
  },
  SLA_HOURS_HIGH: { text: 'hours to acknowledge a high incident', schema: hours(defaultSlaTargets.high) },
  SLA_HOURS_CRITICAL: {
    text: 'hours to acknowledge a critical incident',
    schema: hours(defaultSlaTargets.critical),
  },
  TRUST_PROXY: { text: '`true` behind one proxy that sets X-Forwarded-For and -Proto', schema: flag(false) },
  THROTTLE_SIGN_IN: {
    text: 'failed sign-ins per account and address in 15 minutes; 0 is no limit',
    schema: count(10),
  },
  THROTTLE_REPORTS: { text: 'reports per person in 10 minutes; 0 is no limit', schema: count(300) },
  THROTTLE_WRITES: { text: 'other writes per person in 10 minutes; 0 is no limit', schema: count(1000) },
  SMTP_URL: {
    text: 'mail server, smtp:// or smtps://; unset: mails are written to OUTBOX_DIR',
    schema: smtpUrl,
  },
  MAIL_FROM: { text: 'sender of our mails', schema: text },
  INBOUND_ADDRESS: { text: 'address whose mail comes to /api/inbound-email; replies go there', schema: text },
  OUTBOX_DIR: { text: 'folder for mails without a mail server; `outbox` in DATA_DIR', schema: text },
  PUSH_ENABLED: { text: '`true` sends push notifications', schema: flag(false) },
  FCM_PROJECT_ID: { text: 'Firebase project of the mobile app', schema: text },
  FCM_CLIENT_EMAIL: { text: 'service account that may send to it', schema: text },
  FCM_PRIVATE_KEY: { text: 'its private key (PEM; \\n for line breaks)', schema: text },
  FCM_URL: { text: 'address of the messaging service', schema: webUrl },
  FCM_TOKEN_URL: { text: 'address of the token service', schema: webUrl },
  AI_API_KEY: { text: 'key of an OpenAI-compatible service for triage suggestions', schema: text },
  AI_BASE_URL: { text: 'its address', schema: webUrl },
  AI_MODEL: { text: 'the model to ask', schema: text },
  WEBHOOK_ALLOWED_NETWORKS: {
    text: 'private networks webhooks may go to: CIDRs, comma-separated',
    schema: text,
  },
  SCHEDULER: {
    text: '`on` or `off`: whether this process runs the schedule',
    schema: optional(z.enum(['on', 'off'])),
  },
} as const satisfies Record<string, { text: string; schema: z.ZodType }>

const environment = z.object(
  Object.fromEntries(Object.entries(variables).map(([name, { schema }]) => [name, schema])) as {
    [Name in keyof typeof variables]: (typeof variables)[Name]['schema']
  },
)

const secretNames = ['SESSION_SECRET', 'MOBILE_API_KEY', 'CRON_SECRET', 'INBOUND_EMAIL_SECRET'] as const
type SecretName = (typeof secretNames)[number]
type Secrets = Partial<Record<SecretName, string | undefined>>

/** Thrown with one line for each wrong variable; names, never values. */
export class ConfigurationError extends Error {
  constructor(readonly problems: string[]) {
    super(`Configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigurationError'
  }
}

/** What the process runs with. Paths are absolute; secrets are null where that door is closed (decision 1.4). */
export type Config = ReturnType<typeof readConfig>

/**
 * Reads and checks a whole environment; throws ConfigurationError naming every wrong variable at once.
 * In the embedded default, missing secrets are generated once and kept in the data folder (decision 1.4).
 */
export function readConfig(env: Record<string, string | undefined>) {
  const parsed = environment.safeParse(env)
  const problems = [...(parsed.error?.issues.map(describeIssue) ?? []), ...secretProblems(env)]
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(problems)
  const values = parsed.data
  const production = values.NODE_ENV === 'production'
  const embedded = values.DATABASE_URL === undefined
  const dataDir = path.resolve(rootDir, values.DATA_DIR)
  const secrets: Secrets = embedded ? withGeneratedKeys(values, path.join(dataDir, 'keys.json')) : values
  const publicUrl = values.PUBLIC_URL ? new URL(values.PUBLIC_URL) : null
  return {
    production,
    embedded,
    dataDir,
    keysFile: embedded ? path.join(dataDir, 'keys.json') : null,
    logLevel: values.LOG_LEVEL ?? (embedded ? 'warn' : 'info'),
    port: values.PORT,
    host: values.HOST ?? null,
    /** Without a trailing slash; null: unset, and links follow localhost. */
    publicUrl: publicUrl ? publicUrl.origin + publicUrl.pathname.replace(/\/+$/, '') : null,
    https: publicUrl?.protocol === 'https:',
    databaseUrl: values.DATABASE_URL ?? null,
    sessionSecret: secrets.SESSION_SECRET ?? '',
    mobileApiKey: secrets.MOBILE_API_KEY ?? null,
    cronSecret: secrets.CRON_SECRET ?? null,
    inboundEmailSecret: secrets.INBOUND_EMAIL_SECRET ?? null,
    slaTargets: {
      low: values.SLA_HOURS_LOW,
      medium: values.SLA_HOURS_MEDIUM,
      high: values.SLA_HOURS_HIGH,
      critical: values.SLA_HOURS_CRITICAL,
    },
    trustProxy: values.TRUST_PROXY,
    throttles: {
      signIn: values.THROTTLE_SIGN_IN,
      reports: values.THROTTLE_REPORTS,
      writes: values.THROTTLE_WRITES,
    },
    mail: {
      smtpUrl: values.SMTP_URL ?? null,
      from: values.MAIL_FROM ?? 'Caretaker <caretaker@localhost>',
      inboundAddress: values.INBOUND_ADDRESS ?? null,
      outboxDir: path.resolve(rootDir, values.OUTBOX_DIR ?? path.join(dataDir, 'outbox')),
    },
    push: {
      enabled: values.PUSH_ENABLED,
      projectId: values.FCM_PROJECT_ID ?? null,
      clientEmail: values.FCM_CLIENT_EMAIL ?? null,
      privateKey: values.FCM_PRIVATE_KEY?.replaceAll('\\n', '\n') ?? null,
      url: values.FCM_URL ?? 'https://fcm.googleapis.com',
      tokenUrl: values.FCM_TOKEN_URL ?? 'https://oauth2.googleapis.com/token',
    },
    ai: {
      apiKey: values.AI_API_KEY ?? null,
      baseUrl: values.AI_BASE_URL ?? 'https://api.openai.com/v1',
      model: values.AI_MODEL ?? 'gpt-4o-mini',
    },
    webhookAllowedNetworks: (values.WEBHOOK_ALLOWED_NETWORKS ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean),
    scheduler: values.SCHEDULER ?? null,
    photoDir: path.join(dataDir, 'photos'),
    uploadDir: path.join(dataDir, 'uploads'),
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const name = String(issue.path[0]) as keyof typeof variables
  return `${name} (${variables[name].text}): ${issue.message.toLowerCase()}`
}

/** Two equal secrets would open each other's doors; short ones can be guessed. Names only (decision 1.4). */
function secretProblems(env: Record<string, string | undefined>): string[] {
  const given = secretNames.filter((name) => env[name]?.trim())
  const problems =
    env.DATABASE_URL?.trim() && !given.includes('SESSION_SECRET')
      ? ['SESSION_SECRET: required with DATABASE_URL']
      : []
  if (env.NODE_ENV !== 'production') return problems
  for (const [i, name] of given.entries()) {
    if (env[name]!.trim().length < 16) problems.push(`${name}: at least 16 characters in production`)
    for (const other of given.slice(i + 1)) {
      if (env[name]!.trim() === env[other]!.trim()) problems.push(`${name} and ${other}: must differ`)
    }
  }
  return problems
}

function withGeneratedKeys(values: Secrets, file: string): Secrets {
  const generated = generatedKeys(file)
  return Object.fromEntries(secretNames.map((name) => [name, values[name] ?? generated[name]]))
}

/** A link appears whole or not at all, so two starts at once agree and a kill in between leaves no half file. */
function generatedKeys(file: string): Secrets {
  if (!existsSync(file)) {
    const keys = Object.fromEntries(secretNames.map((name) => [name, randomBytes(24).toString('base64url')]))
    const draft = `${file}.${process.pid}`
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 })
    try {
      linkSync(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

function nearestPackage(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : nearestPackage(path.dirname(folder))
}

/** Stops the process when a variable is wrong: half a configuration is worse than none. */
function configOrExit(): Config {
  try {
    // biome-ignore lint/style/noProcessEnv: the one place that reads the environment
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(78)
  }
}

export const config = configOrExit()
