import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import { demoPassword } from '../../vocabulary/people/demo.js'
import { nearMisses } from './config/nearMisses.js'
import { photoStoreProblems, s3Of } from './config/photoStore.js'
import { type Secrets, secretProblems, withGeneratedKeys } from './config/secrets.js'
import { singleSignOnOf, singleSignOnSettingProblems } from './config/singleSignOn.js'
import { environment, type ReadVariable, type Values, variables } from './config/variables.js'
import { webPushOf, webPushProblems } from './config/webPush.js'

export type { S3Settings } from './config/photoStore.js'
export { variables } from './config/variables.js'

/** The repository: the nearest ancestor of this file with a package.json, compiled or not. */
export const rootDir = nearestPackage(path.dirname(fileURLToPath(import.meta.url)))

/** A file of src as it is compiled, by its name without extension, for a thread or a process. */
export const compiledFile = (name: string) => path.join(rootDir, 'dist', 'src', `${name}.js`)

/** The text of a file of the repository; an image without the sources has none. */
export const sourceText = (file: string) => readFileSync(path.join(rootDir, file), 'utf8')

/** Thrown with one line per wrong variable: its name, never its value. */
export class ConfigurationError extends Error {
  constructor(readonly problems: string[]) {
    super(`Configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigurationError'
  }
}

/** The configuration. Paths are absolute; a null secret disables its endpoint (decision 1.4). */
export type Config = ReturnType<typeof readConfig>

/**
 * Reads and checks an environment; throws ConfigurationError naming every wrong variable. In the
 * embedded default, missing secrets are generated once and kept in the data folder (decision 1.4).
 */
export function readConfig(env: Record<string, string | undefined>) {
  const parsed = environment.safeParse(env)
  const readVariable: ReadVariable = (name) => env[name]?.trim() ?? ''
  const problems = [
    ...(parsed.error?.issues.map(describeIssue) ?? []),
    ...secretProblems(readVariable),
    ...addressProblems(readVariable),
    ...photoStoreProblems(readVariable),
    ...singleSignOnSettingProblems(readVariable),
    ...webPushProblems(readVariable),
  ]
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(problems)
  const values = parsed.data
  const production = values.NODE_ENV === 'production'
  const embedded = values.DATABASE_URL === undefined
  const dataDir = path.resolve(rootDir, values.DATA_DIR)
  const secrets: Secrets = embedded ? withGeneratedKeys(values, path.join(dataDir, 'keys.json')) : values
  const publicUrl = values.PUBLIC_URL ? new URL(values.PUBLIC_URL) : null
  const outboxDir = path.resolve(rootDir, values.OUTBOX_DIR ?? path.join(dataDir, 'outbox'))
  return {
    production,
    embedded,
    /** Whether npm has written what it runs to standard output, as it does without --silent. */
    npmHeading: env.npm_lifecycle_event !== undefined && env.npm_config_loglevel !== 'silent',
    dataDir,
    keysFile: embedded ? path.join(dataDir, 'keys.json') : null,
    logLevel: values.LOG_LEVEL ?? (embedded ? 'warn' : 'info'),
    /** With PORT=0 the process that serves sets here which one it got. */
    port: values.PORT,
    host: values.HOST ?? null,
    /** A supervisor hands over its socket. Child processes inherit variables, not the socket. */
    socketHeld: values.LISTEN_FDS > 0 && values.LISTEN_PID === process.pid,
    /** Without a trailing slash; null when unset: links then use localhost. */
    publicUrl: publicUrl ? publicUrl.origin + publicUrl.pathname.replace(/\/+$/, '') : null,
    https: publicUrl?.protocol === 'https:',
    databaseUrl: values.DATABASE_URL ?? null,
    /** Connections of this process, without the freshness check's; a job's thread has its own. */
    databasePool: values.DATABASE_POOL,
    /** The same database, as the role that owns its tables; null: DATABASE_URL's role owns them. */
    migrationDatabaseUrl: values.MIGRATION_DATABASE_URL ?? null,
    /** The server of many buildings, as a role that may create databases, and their folder. */
    buildings: {
      serverUrl: values.BUILDINGS_DATABASE_URL ?? null,
      folder: path.resolve(rootDir, values.BUILDINGS_DIR ?? path.join(dataDir, 'buildings')),
    },
    /** In production no account may use the demo password, because it is public (decision 7.10). */
    refusedPassword: production ? demoPassword : null,
    sessionSecret: secrets.SESSION_SECRET ?? '',
    mobileApiKey: secrets.MOBILE_API_KEY ?? null,
    cronSecret: secrets.CRON_SECRET ?? null,
    inboundEmailSecret: secrets.INBOUND_EMAIL_SECRET ?? null,
    /** Null: no one may read the metrics. */
    metricsToken: values.METRICS_TOKEN ?? null,
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
      follows: values.THROTTLE_FOLLOWS,
    },
    email: {
      smtpUrl: values.SMTP_URL ?? null,
      from: values.MAIL_FROM ?? 'Caretaker <caretaker@localhost>',
      inboundAddress: values.INBOUND_ADDRESS ?? null,
      /** The mail server whose Authentication-Results are trusted; null: none is (decision 7.3). */
      authserv: values.INBOUND_AUTHSERV_ID ?? null,
      outboxDir,
      /** Folder for emails when there is no mail server; null when there is one. */
      folder: values.SMTP_URL ? null : outboxDir,
    },
    /** To the phones of the mobile app. */
    push: {
      enabled: values.PUSH_ENABLED,
      projectId: values.FCM_PROJECT_ID ?? null,
      clientEmail: values.FCM_CLIENT_EMAIL ?? null,
      privateKey: values.FCM_PRIVATE_KEY?.replaceAll('\\n', '\n') ?? null,
      url: values.FCM_URL ?? 'https://fcm.googleapis.com',
      tokenUrl: values.FCM_TOKEN_URL ?? 'https://oauth2.googleapis.com/token',
    },
    /** Null: browsers get no push messages. */
    webPush: webPushOf(values),
    ai: {
      apiKey: values.AI_API_KEY ?? null,
      baseUrl: values.AI_BASE_URL ?? 'https://api.openai.com/v1',
      model: values.AI_MODEL ?? 'gpt-4o-mini',
    },
    /** Null: people sign in by password alone. */
    singleSignOn: singleSignOnOf(values),
    webhookAllowedNetworks: (values.WEBHOOK_ALLOWED_NETWORKS ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean),
    /** Websites that may show the status in a frame; none: there is no such page. */
    embedOrigins: values.EMBED_ORIGINS ?? [],
    securityContact: values.SECURITY_CONTACT ?? null,
    /** Browsers keep the last known status; off, they forget it at their next visit. */
    serviceWorker: values.SERVICE_WORKER === 'on',
    /** Milliseconds from the stop signal to the end of listening. */
    drainMs: values.DRAIN_SECONDS * 1_000,
    /** Where the worker answers monitors; null: nowhere. */
    workerPort: values.WORKER_PORT ?? null,
    tracing: tracingOf(values),
    accessLog: values.ACCESS_LOG === 'on',
    scheduler: values.SCHEDULER ?? null,
    photoStore: values.PHOTO_STORE,
    photoDir: path.join(dataDir, 'photos'),
    s3: s3Of(values),
    uploadDir: path.join(dataDir, 'uploads'),
    threads: values.UV_THREADPOOL_SIZE,
  }
}

/** Null: nothing is traced. The rest of OpenTelemetry's variables is read by its own library. */
function tracingOf(values: Values): { serviceName: string | null } | null {
  const exporter =
    values.OTEL_EXPORTER_OTLP_ENDPOINT ??
    values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ??
    values.OTEL_TRACES_EXPORTER
  if (!exporter || values.OTEL_SDK_DISABLED || values.OTEL_TRACES_EXPORTER === 'none') return null
  return { serviceName: values.OTEL_SERVICE_NAME ?? null }
}

/** Problems of two variables, such as production without https. */
function addressProblems(readVariable: ReadVariable): string[] {
  const closed = readVariable('ALLOW_INSECURE_HTTP') === 'true'
  const problems: string[] = []
  if (readVariable('NODE_ENV') === 'production' && !closed && !/^https:/i.test(readVariable('PUBLIC_URL')))
    problems.push(
      'PUBLIC_URL: an https address in production, or ALLOW_INSECURE_HTTP=true on a closed network',
    )
  if (readVariable('MIGRATION_DATABASE_URL') && !readVariable('DATABASE_URL'))
    problems.push('DATABASE_URL: required with MIGRATION_DATABASE_URL')
  for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL'])
    for (const parameter of missingFiles(readVariable(name)))
      problems.push(`${name}: the file of ${parameter} is not there`)
  return problems
}

/** Parameters of a database's address that name a file the driver would not find. */
function missingFiles(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { searchParams } = new URL(url)
  return ['sslrootcert', 'sslcert', 'sslkey'].filter(
    (name) => searchParams.has(name) && !existsSync(searchParams.get(name)!),
  )
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const name = String(issue.path[0]) as keyof typeof variables
  return `${name} (${variables[name].text}): ${issue.message.toLowerCase()}`
}

function nearestPackage(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : nearestPackage(path.dirname(folder))
}

/** Stops the process when a variable is wrong; it never runs on part of a configuration. */
function configOrExit(): Config {
  try {
    // biome-ignore lint/style/noProcessEnv: the one place that reads the environment
    const env = process.env
    const read = readConfig(env)
    // Node reads it at the first use of the pool; Node 20 has used it by now, to load the modules.
    env.UV_THREADPOOL_SIZE = String(read.threads)
    return read
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(78)
  }
}

export const config = configOrExit()

/** Names in the environment that are almost ours: a misspelt setting would silently do nothing. */
// biome-ignore lint/style/noProcessEnv: as above
export const misspeltVariables = nearMisses(Object.keys(process.env))

/** Settings of one building or of the server of many, which no other building's process gets. */
const perBuilding = ['BUILDINGS_DATABASE_URL', 'BUILDINGS_DIR', 'MIGRATION_DATABASE_URL']

/** The environment of another building's process: this one's, without what names a building. */
export function environmentWith(settings: Record<string, string>): Record<string, string | undefined> {
  // biome-ignore lint/style/noProcessEnv: as above
  const shared = Object.entries(process.env).filter(([name]) => !perBuilding.includes(name))
  return { ...Object.fromEntries(shared), ...settings }
}

/** The public address, without a trailing slash. Never from a request, which may be forged. */
export function publicAddress(): string {
  return config.publicUrl ?? `http://localhost:${config.port}`
}

/** Devices that get pushes: phones with PUSH_ENABLED, browsers with VAPID keys (decision 4.10). */
export function pushedTo(): ('ios' | 'android' | 'browser')[] {
  return [
    ...(config.push.enabled ? (['ios', 'android'] as const) : []),
    ...(config.webPush ? (['browser'] as const) : []),
  ]
}
