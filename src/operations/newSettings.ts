import { randomBytes } from 'node:crypto'

// Must not import the configuration: this runs before there is one.

/** What `npm run setup` asks for. `more`: further variables, which are not looked at here. */
export type SetupAnswers = {
  /** The address people type. */
  url: string
  smtpUrl: string
  sender: string
  /** `host:port` of PostgreSQL. */
  server: string
  database: string
  /** PostgreSQL runs in compose.yaml, which knows the addresses itself. */
  compose: boolean
  more: Record<string, string>
}

type SetupSettings = Record<string, string>
/**
 * Files by name, with what each says. `sql`: makes the roles; null where compose.yaml makes them.
 */
type NewSettings = { files: Record<string, { note: string; settings: SetupSettings }>; sql: string | null }

/** Letters, digits, `-` and `_`: no address, shell or file needs to quote it. */
const secret = (bytes: number) => randomBytes(bytes).toString('base64url')

/** One line for each wrong answer. */
export function problemsOf({ url, smtpUrl, sender, server }: SetupAnswers): string[] {
  const address = URL.canParse(url) ? new URL(url) : null
  const problems: string[] = []
  if (address?.protocol !== 'https:' || address.pathname !== '/')
    problems.push('--url: the address people type, such as https://status.example')
  if (!/^smtps?:\/\/[^\s/]+/.test(smtpUrl))
    problems.push('--smtp-url: your mail server, such as smtps://user:password@mail.example')
  if (!/^([^<>@]*<)?[^\s<>@]+@[^\s<>@]+>?$/.test(sender))
    problems.push('--mail-from: the sender, such as "Our building <office@status.example>"')
  if (!/^(\[[\da-f:]+\]|[\w.-]+)(:\d+)?$/i.test(server))
    problems.push('--server: the host of PostgreSQL, such as 127.0.0.1:5432')
  return problems
}

/** Fresh secrets and the settings of a new building. */
export function newSettings(answers: SetupAnswers): NewSettings {
  const passwords = { serving: secret(24), owner: secret(24) }
  return answers.compose ? composeSettings(answers, passwords) : serverSettings(answers, passwords)
}

/** Of the two roles of the database. */
type Passwords = { serving: string; owner: string }

const noteOfSettings =
  'What the processes of Caretaker read. Every variable of docs/configuration.md may be added.'

/** What is the same for both kinds of setup, `more` last. */
function commonSettings({ smtpUrl, sender, more }: SetupAnswers): SetupSettings {
  return {
    SESSION_SECRET: secret(32),
    METRICS_TOKEN: secret(24),
    SMTP_URL: smtpUrl,
    MAIL_FROM: sender,
    ...more,
  }
}

/** For compose.yaml, which makes the roles itself. */
function composeSettings(answers: SetupAnswers, passwords: Passwords): NewSettings {
  return {
    files: {
      '.env': {
        note: 'Read by compose.yaml alone: the host name and the passwords of the database.',
        settings: {
          DOMAIN: new URL(answers.url).host,
          POSTGRES_PASSWORD: secret(24),
          OWNER_PASSWORD: passwords.owner,
          SERVING_PASSWORD: passwords.serving,
        },
      },
      'caretaker.env': { note: noteOfSettings, settings: commonSettings(answers) },
    },
    sql: null,
  }
}

/** For a server with a PostgreSQL of its own, whose roles `sql` makes. */
function serverSettings(answers: SetupAnswers, passwords: Passwords): NewSettings {
  const { url, server, database } = answers
  const address = (role: string, password: string) => `postgres://${role}:${password}@${server}/${database}`
  return {
    files: {
      'caretaker.env': {
        note: noteOfSettings,
        settings: {
          DATABASE_URL: address('caretaker', passwords.serving),
          PUBLIC_URL: new URL(url).origin,
          TRUST_PROXY: 'true',
          ...commonSettings(answers),
        },
      },
      'caretaker.owner.env': {
        note: 'For the release step and restores alone: the role that owns the tables.',
        settings: { MIGRATION_DATABASE_URL: address('caretaker_owner', passwords.owner) },
      },
    },
    sql: rolesSql(database, passwords),
  }
}

/**
 * SQL: run once by a superuser. The serving role owns nothing, so it cannot change the audit log.
 */
function rolesSql(database: string, { serving, owner }: Passwords): string {
  return [
    `create role caretaker_owner login password '${owner}';`,
    `create role caretaker login password '${serving}';`,
    `create database ${database} owner caretaker_owner;`,
    `revoke connect on database ${database} from public;`,
    `grant connect on database ${database} to caretaker;`,
    '',
  ].join('\n')
}
