import { z } from 'zod'
import { defaultSlaTargets } from '../../../vocabulary/severity.js'

const blankIsUnset = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? undefined : value
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsUnset, schema.optional())
const text = optional(z.string().trim())
const flag = (fallback: boolean) =>
  z
    .preprocess(blankIsUnset, z.enum(['true', 'false']).default(fallback ? 'true' : 'false'))
    .transform((v) => v === 'true')
const whole = (least: number, most: number, fallback: number) =>
  z.preprocess(blankIsUnset, z.coerce.number().int().min(least).max(most).default(fallback))
const count = (fallback: number) => whole(0, 1e9, fallback)
/** Whether something is done, unless it is `off`. */
const onUnlessOff = z.preprocess(blankIsUnset, z.enum(['on', 'off']).default('on'))
const hours = (fallback: number) =>
  z.preprocess(blankIsUnset, z.coerce.number().min(0).max(1e6).default(fallback))
/** A part of the store's host name. */
const hostPart = optional(
  z
    .string()
    .trim()
    .regex(/^[a-z\d][a-z\d.-]*$/i, 'letters, digits, dots and hyphens only, as the store names it'),
)
const smtpUrl = optional(z.string().regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://'))
const withMailto = (address: string) => (/^[^\s@:/]+@[^\s@/]+$/.test(address) ? `mailto:${address}` : address)
/** Whom to write to: a URI; a bare email address gets `mailto:`. */
const contactUri = (pattern: RegExp, error: string) =>
  optional(
    z
      .string()
      .trim()
      .transform(withMailto)
      .refine((uri) => pattern.test(uri), { error }),
  )
/**
 * These words all check the certificate and the name on it: the driver says at length on standard
 * error that it takes all of them for the last.
 */
const inOneWord = (url: string) =>
  url.includes('uselibpqcompat')
    ? url
    : url.replace(/([?&]sslmode=)(prefer|require|verify-ca)\b/, '$1verify-full')
const databaseUrl = optional(
  z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .transform(inOneWord),
)
/** Such as `https://residents.example:8443`, and nothing that could end a header. */
const isWebOrigin = (text: string) =>
  /^https?:\/\/(\[[\da-f:]+\]|[a-z\d.-]+)(:\d+)?$/.test(text) &&
  URL.canParse(text) &&
  new URL(text).origin === text
const webOrigins = optional(
  z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .refine((origins) => origins.every(isWebOrigin), {
      error: 'only origins such as https://residents.example, without a path, separated by commas',
    }),
)
const webUrl = optional(z.url({ protocol: /^https?$/ }))

/** Every environment variable: its text in messages and its allowed values (decision 5.8). */
export const variables = {
  NODE_ENV: {
    text: '`production` refuses demo data, weak secrets and plain HTTP',
    schema: optional(z.enum(['development', 'test', 'production'])),
  },
  LOG_LEVEL: {
    text: 'trace, debug, info, warn, error, fatal or silent',
    schema: optional(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])),
  },
  PORT: { text: 'port the web process listens on', schema: whole(0, 65_535, 3000) },
  HOST: {
    text: 'address it binds to; unset: this computer only, with DATABASE_URL all addresses',
    schema: text,
  },
  LISTEN_FDS: { text: 'set by systemd: how many sockets it has opened for the process', schema: count(0) },
  LISTEN_PID: { text: 'set by systemd: the process they are for', schema: optional(z.coerce.number().int()) },
  PUBLIC_URL: {
    text: 'address people type; links, codes, cookies and the origin check follow it; https in production',
    schema: webUrl,
  },
  ALLOW_INSECURE_HTTP: {
    text: '`true` lets production run without https, for a closed network',
    schema: flag(false),
  },
  DATA_DIR: {
    text: 'folder for the private database, photos, keys and emails',
    schema: z.preprocess(blankIsUnset, z.string().default('data')),
  },
  DATABASE_URL: {
    text: 'PostgreSQL 14 or newer; unset: a private server under DATA_DIR with a demo building',
    schema: databaseUrl,
  },
  DATABASE_POOL: {
    text: 'connections to the database that a process may have, 2 to 100; one more is for the status view',
    schema: whole(2, 100, 12),
  },
  MIGRATION_DATABASE_URL: {
    text: 'the same database as the role that owns its tables; only `npm run migrate` uses it',
    schema: databaseUrl,
  },
  BUILDINGS_DATABASE_URL: {
    text: 'a PostgreSQL server for many buildings, as a role that may create databases and roles; only `npm run buildings` uses it',
    schema: databaseUrl,
  },
  BUILDINGS_DIR: {
    text: 'folder of the settings and files of many buildings; `buildings` in DATA_DIR',
    schema: text,
  },
  SESSION_SECRET: {
    text: 'signs the session cookie and locks away second factors: another one ends both; required with DATABASE_URL, else generated',
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
    text: 'failed sign-ins in 15 minutes per account and network, and per browser that the account knows; ten times as many per network, and per account in an hour; half as many links by email an hour; 0 is no limit',
    schema: count(10),
  },
  THROTTLE_REPORTS: { text: 'reports per person in 10 minutes; 0 is no limit', schema: count(300) },
  THROTTLE_WRITES: { text: 'other writes per person in 10 minutes; 0 is no limit', schema: count(1000) },
  THROTTLE_FOLLOWS: {
    text: 'links to follow emailed for one network in an hour; ten times as many may wait; 0 is no limit',
    schema: count(30),
  },
  SMTP_URL: {
    text: 'mail server, smtp:// or smtps://; unset: emails are written to OUTBOX_DIR',
    schema: smtpUrl,
  },
  MAIL_FROM: { text: 'sender of our emails', schema: text },
  INBOUND_ADDRESS: {
    text: 'address whose email comes to /api/inbound-email; replies go there',
    schema: text,
  },
  INBOUND_AUTHSERV_ID: {
    text: 'name of the mail server whose Authentication-Results headers are believed; unset: none are',
    schema: text,
  },
  OUTBOX_DIR: { text: 'folder for emails without a mail server; `outbox` in DATA_DIR', schema: text },
  PUSH_ENABLED: { text: '`true` sends push notifications', schema: flag(false) },
  FCM_PROJECT_ID: { text: 'Firebase project of the mobile app', schema: text },
  FCM_CLIENT_EMAIL: { text: 'service account that may send to it', schema: text },
  FCM_PRIVATE_KEY: { text: 'its private key (PEM; \\n for line breaks)', schema: text },
  FCM_URL: { text: 'address of the messaging service', schema: webUrl },
  FCM_TOKEN_URL: { text: 'address of the token service', schema: webUrl },
  VAPID_PUBLIC_KEY: { text: 'public key of push messages to browsers; unset: none are sent', schema: text },
  VAPID_PRIVATE_KEY: { text: 'its private key', schema: text },
  VAPID_SUBJECT: {
    text: 'email or web address for the services that deliver them; unset: PUBLIC_URL',
    schema: contactUri(
      /^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s]+)$/,
      'must be an email address or start with https:// or mailto:',
    ),
  },
  AI_API_KEY: { text: 'key of an OpenAI-compatible service for triage suggestions', schema: text },
  AI_BASE_URL: { text: 'its address', schema: webUrl },
  AI_MODEL: { text: 'the model to ask', schema: text },
  OIDC_ISSUER: { text: 'issuer of an OpenID Connect provider people may sign in with', schema: webUrl },
  OIDC_CLIENT_ID: { text: 'what it knows this service as', schema: text },
  OIDC_CLIENT_SECRET: { text: 'the secret it gave to this service', schema: text },
  OIDC_NAME: { text: 'what the sign-in page calls it; its host name', schema: text },
  OIDC_LINK_BY_EMAIL: {
    text: '`true` links the account that has an address the provider has verified',
    schema: flag(false),
  },
  OIDC_ROLE_CLAIM: {
    text: 'claim that names the role, which every sign-in then sets; dots lead into objects',
    schema: text,
  },
  OIDC_ONLY: { text: '`true` closes sign-in by password to staff', schema: flag(false) },
  WEBHOOK_ALLOWED_NETWORKS: {
    text: 'private networks webhooks may go to: CIDRs, comma-separated',
    schema: text,
  },
  PHOTO_STORE: {
    text: '`local` or `s3`: where photos are kept; unset: local, in DATA_DIR',
    schema: z.preprocess(blankIsUnset, z.enum(['local', 's3']).default('local')),
  },
  S3_BUCKET: { text: 'bucket of the photos, which no one else may read', schema: hostPart },
  S3_ENDPOINT: { text: "address of a store that is not Amazon's", schema: webUrl },
  S3_REGION: { text: 'region of the bucket; required without S3_ENDPOINT', schema: hostPart },
  S3_ACCESS_KEY_ID: { text: 'key that may list, read, write and delete there', schema: text },
  S3_SECRET_ACCESS_KEY: { text: 'its secret', schema: text },
  S3_FORCE_PATH_STYLE: {
    text: '`true` puts the bucket into the path, `false` into the host name; unset: `true` with S3_ENDPOINT',
    schema: optional(z.enum(['true', 'false'])),
  },
  S3_SERVER_SIDE_ENCRYPTION: {
    text: '`AES256` or `aws:kms`; unset: as the bucket says',
    schema: optional(z.enum(['AES256', 'aws:kms'])),
  },
  S3_KMS_KEY_ID: { text: 'key of aws:kms; unset: the one of the account', schema: text },
  METRICS_TOKEN: {
    text: 'bearer token of monitors, for /metrics and the details of /readyz; unset: no /metrics',
    schema: text,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    text: 'address of an OpenTelemetry collector, for traces; unset: none',
    schema: webUrl,
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { text: 'the same for traces alone, with its path', schema: webUrl },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    text: '`http/protobuf`, `http/json` or `grpc`: how traces are sent',
    schema: optional(z.enum(['http/protobuf', 'http/json', 'grpc'])),
  },
  OTEL_TRACES_EXPORTER: {
    text: '`otlp` or `none`: whether traces are sent',
    schema: optional(z.enum(['otlp', 'none'])),
  },
  OTEL_SERVICE_NAME: { text: 'what traces call this service; `caretaker`', schema: text },
  OTEL_SDK_DISABLED: { text: '`true` sends no traces', schema: flag(false) },
  SECURITY_CONTACT: {
    text: 'email or web address for reports of weaknesses; unset: no /.well-known/security.txt',
    schema: contactUri(
      /^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s]+|tel:\+[\d-]+)$/,
      'must be an email address or start with https://, mailto: or tel:',
    ),
  },
  DRAIN_SECONDS: {
    text: 'seconds that /readyz says failed after SIGTERM before the web stops listening',
    schema: z.preprocess(blankIsUnset, z.coerce.number().min(0).max(600).default(0)),
  },
  WORKER_PORT: {
    text: 'port where the worker answers /healthz, /readyz and /metrics; unset: none',
    schema: optional(z.coerce.number().int().min(0).max(65_535)),
  },
  ACCESS_LOG: { text: '`on` or `off`: one log line for each request', schema: onUnlessOff },
  EMBED_ORIGINS: {
    text: 'origins of the websites that may show /embed in a frame, separated by commas; unset: no /embed',
    schema: webOrigins,
  },
  SERVICE_WORKER: {
    text: '`on` or `off`: whether browsers keep the last known status for when there is no connection',
    schema: onUnlessOff,
  },
  SCHEDULER: {
    text: '`on` or `off`: whether this process runs the schedule',
    schema: optional(z.enum(['on', 'off'])),
  },
  UV_THREADPOOL_SIZE: {
    text: 'threads for photos, passwords, files and the names of hosts',
    schema: whole(1, 1024, 8),
  },
} as const satisfies Record<string, { text: string; schema: z.ZodType }>

export const environment = z.object(
  Object.fromEntries(Object.entries(variables).map(([name, { schema }]) => [name, schema])) as {
    [Name in keyof typeof variables]: (typeof variables)[Name]['schema']
  },
)
export type Values = z.output<typeof environment>

/** The text of a variable without blanks at its ends; '' for one that is not set. */
export type ReadVariable = (name: string) => string
