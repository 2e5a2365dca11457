import { describe, expect, it } from 'vitest'
import { sourcesIn } from './sources.js'

const sources = sourcesIn(['src', 'jobs', 'migrations'])

/** A room is a folder under src, a top-level file of src, or a top-level folder. */
function roomOf(file: string): string {
  const [top, next] = file.split('/')
  if (top !== 'src') return top!
  return next!.replace(/\.ts$/, '')
}

/** Who may import whom; a room may always import itself. What is not listed may import nothing of ours. */
const mayImport: Record<string, string[]> = {
  domain: [],
  text: [],
  databaseErrors: [],
  inbound: ['adapters', 'domain'],
  log: ['config', 'databaseErrors', 'domain'],
  config: ['domain'],
  version: ['config'],
  database: ['databaseErrors', 'log', 'tracing', 'domain', 'version'],
  embeddedPostgres: [],
  backup: ['adapters', 'migrate', 'version'],
  buildings: ['adapters', 'database', 'migrate', 'models'],
  migrate: ['migrations', 'database'],
  migrations: [],
  schema: ['database'],
  models: ['database', 'domain'],
  presenters: ['models', 'domain'],
  adapters: ['config', 'domain', 'log'],
  outbox: ['adapters', 'process', 'tracing', 'database', 'domain', 'log', 'models'],
  effects: ['config', 'models', 'presenters', 'domain', 'text'],
  mails: ['config', 'database', 'models', 'presenters', 'domain', 'text', 'web'],
  change: ['tracing', 'database', 'databaseErrors', 'models', 'domain', 'effects', 'outbox', 'log'],
  actions: [
    'tracing',
    'change',
    'database',
    'databaseErrors',
    'inbound',
    'models',
    'domain',
    'adapters',
    'outbox',
  ],
  web: ['config', 'process', 'tracing', 'databaseErrors', 'log', 'domain', 'text', 'models'],
  routes: [
    'web',
    'pages',
    'actions',
    'change',
    'config',
    'database',
    'inbound',
    'metrics',
    'migrate',
    'models',
    'version',
    'presenters',
    'domain',
    'text',
  ],
  pages: [
    'web',
    'actions',
    'databaseErrors',
    'adapters',
    'config',
    'process',
    'models',
    'presenters',
    'domain',
    'text',
  ],
  senders: ['actions', 'adapters', 'config', 'domain', 'mails', 'models', 'outbox'],
  schedule: ['actions', 'process', 'log'],
  demo: ['actions', 'change', 'config', 'database', 'models', 'domain', 'adapters'],
  welcome: ['config', 'domain'],
  listen: ['config'],
  process: ['config', 'log', 'version'],
  tracing: ['config', 'log', 'version'],
  metrics: ['adapters', 'process', 'database', 'models', 'version'],
  warnings: ['actions', 'config', 'database', 'log', 'migrate', 'models'],
  app: ['config', 'log', 'domain', 'web', 'pages', 'routes', 'actions', 'models'],
  server: [
    'tracing',
    'app',
    'metrics',
    'config',
    'version',
    'domain',
    'log',
    'database',
    'migrate',
    'embeddedPostgres',
    'routes',
    'demo',
    'welcome',
    'warnings',
    'listen',
    'process',
    'outbox',
    'actions',
    'adapters',
    'schedule',
    'senders',
  ],
  jobs: [
    'tracing',
    'app',
    'listen',
    'metrics',
    'schedule',
    'process',
    'version',
    'senders',
    'actions',
    'adapters',
    'outbox',
    'mails',
    'database',
    'config',
    'domain',
    'log',
    'migrate',
    'models',
    'embeddedPostgres',
    'backup',
    'buildings',
    'demo',
    'schema',
    'warnings',
    'process',
  ],
}

/** The tables web may read: who is asking, and how often. */
const modelsOfWeb = [
  'src/models/accounts/user.ts',
  'src/models/accounts/session.ts',
  'src/models/system/throttle.ts',
]

/** Acts of many changes, or on what has no history: bookkeeping, files, and questions to somebody else. */
const actsWithoutChange = [
  'src/actions/accounts/newPassword.ts',
  'src/actions/incidents/manyIncidents.ts',
  'src/actions/incidents/suggestTriage.ts',
  'src/actions/mail/mailPhotos.ts',
  'src/actions/maintenance/tellPlannedWork.ts',
  'src/actions/system/copyPhotos.ts',
  'src/actions/system/idempotently.ts',
  'src/actions/system/photoStore.ts',
  'src/actions/system/runRecorded.ts',
  'src/actions/system/tidy.ts',
]

/** Files in one folder. */
const most = 25

describe('the rooms', () => {
  it('are entered only by those who may', () => {
    const trespasses = sources.flatMap(({ path, imports }) => {
      const from = roomOf(path)
      return imports
        .filter((target) => roomOf(target) !== from && !mayImport[from]?.includes(roomOf(target)))
        .map((target) => `${path} → ${target}`)
    })
    expect(trespasses).toEqual([])
  })

  it('let web read only sessions, users and throttles', () => {
    const others = sources
      .filter(({ path }) => roomOf(path) === 'web')
      .flatMap(({ path, imports }) =>
        imports
          .filter((target) => roomOf(target) === 'models' && !modelsOfWeb.includes(target))
          .map((target) => `${path} → ${target}`),
      )
    expect(others).toEqual([])
  })

  it('have no import in a circle', () => {
    const edges = new Map(sources.map(({ path, imports }) => [path, imports]))
    const done = new Set<string>()
    const circle = (file: string, trail: string[]): string[] | null => {
      if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
      if (done.has(file)) return null
      for (const target of edges.get(file) ?? []) {
        const found = circle(target, [...trail, file])
        if (found) return found
      }
      done.add(file)
      return null
    }
    expect([...edges.keys()].map((file) => circle(file, [])).find(Boolean) ?? null).toBeNull()
  })

  it('hold no file of more than 400 lines', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 401).map(({ path }) => path)
    expect(long).toEqual([])
  })

  it('hold in actions only what opens a change or works in one', () => {
    const without = sources
      .filter(({ path }) => path.startsWith('src/actions/'))
      .filter(({ text }) => !/\bchange(InOneStatement)?[(<]|: Change\b|\bImporter\b|RecordKind\b/.test(text))
      .map(({ path }) => path)
    expect(without).toEqual(actsWithoutChange)
  })

  it('hold in routes only what is a route', () => {
    const without = sources
      .filter(({ path }) => /^src\/routes\/\w+\//.test(path))
      .filter(({ text }) => !/\b(route|resourceRoutes|passwordLinkRoutes)\(/.test(text))
      .map(({ path }) => path)
    expect(without).toEqual([])
  })

  it('hold in domain nothing of how things are sent or stored', () => {
    const formats = /\b(mime|multipart|content-type|user-?agent|sqlstate|select .* from)\b/i
    const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    expect(
      sources
        .filter(({ path, text }) => path.startsWith('src/domain/') && formats.test(code(text)))
        .map(({ path }) => path),
    ).toEqual([])
  })

  it('list no more files in a folder than one sees at a look', () => {
    const folders = new Map<string, number>()
    for (const { path } of [...sourcesIn(['src', 'jobs', 'test']), ...sourcesIn(['views'], '.eta')]) {
      const folder = path.slice(0, path.lastIndexOf('/'))
      folders.set(folder, (folders.get(folder) ?? 0) + 1)
    }
    expect([...folders].filter(([, files]) => files > most)).toEqual([])
  })

  it('have no default export and no room for leftovers', () => {
    expect(sources.filter(({ text }) => /^export default /m.test(text)).map(({ path }) => path)).toEqual([])
    expect(
      sources
        .filter(({ path }) => /\/(utils?|helpers?|services?|common|lib)(\/|\.ts)/.test(path))
        .map(({ path }) => path),
    ).toEqual([])
  })
})

/** What only one place may do, by the words that do it. */
const only: [string, RegExp, (file: string) => boolean][] = [
  ['config reads the environment', /process\.env/, (file) => file === 'src/config.ts'],
  [
    'change opens a transaction that writes',
    /'begin;|"begin;|`begin;/,
    (file) => ['src/change.ts', 'src/migrate/alone.ts'].includes(file),
  ],
  [
    'one place signs people in, which asks for their code where they have one',
    /\bsignIn\(ctx/,
    (file) => ['src/pages/accounts/signingIn.ts', 'src/web/session/sessions.ts'].includes(file),
  ],
  [
    'respond picks a representation',
    /\bnegotiate\(/,
    (file) =>
      [
        'src/web/answer/respond.ts',
        'src/web/answer/negotiate.ts',
        'src/web/answer/lastResort.ts',
        'src/pages/status/statusFastPath.ts',
      ].includes(file),
  ],
  [
    'respond names an HX- header',
    /'HX-/i,
    (file) => ['src/web/answer/respond.ts', 'src/pages/status/statusFastPath.ts'].includes(file),
  ],
  [
    'csrf asks what name a request came by: its sender chooses it, so no address is made of it',
    /ctx\.(req\.|request\.)?(host|hostname|origin|href|URL|protocol|secure|subdomains)\b|\{[^}]*\b(host|hostname|origin|href|protocol)\b[^}]*\} = (ctx|req)\b|headers(\.|\[')([Hh]ost|forwarded|x-forwarded-(host|proto))\b|\(['"]([Hh]ost|[Ff]orwarded|[Xx]-[Ff]orwarded-([Hh]ost|[Pp]roto))['"]\)/,
    (file) => file === 'src/web/session/csrf.ts',
  ],
  [
    'passwords compares a given password with a stored one, where the demo’s is refused in production',
    /from '@node-rs\/argon2'/,
    (file) => file === 'src/adapters/accounts/passwords.ts',
  ],
  [
    'respond leads somewhere else',
    /['"`]?\b(Location|HX-(Redirect|Location|Push-Url|Replace-Url))['"`]?\s*[,:\]]|\.redirect\(|['"`]Refresh['"`]/,
    // The second says what headers there are, and sends none.
    (file) => ['src/web/answer/respond.ts', 'src/web/description/headers.ts'].includes(file),
  ],
  [
    'adapters open sockets and files',
    /from 'node:(fs|fs\/promises|net|http|https|tls|dgram|child_process)'/,
    (file) =>
      /^src\/(adapters|embeddedPostgres)\//.test(file) ||
      [
        'src/config.ts',
        'src/config/secrets.ts',
        'src/version.ts',
        'src/server.ts',
        'src/listen.ts',
        'src/web/answer/static.ts',
        'src/web/request/body.ts',
        'src/web/request/idempotency.ts',
        'src/web/request/largeBody.ts',
        'src/web/request/receivedFiles.ts',
        'jobs/schema.ts',
      ].includes(file),
  ],
]

describe('only', () => {
  it.each(only)('%s', (_what, words, allowed) => {
    const withoutTypes = (text: string) => text.replace(/^import type .*$/gm, '')
    expect(
      sources
        .filter(({ path, text }) => words.test(withoutTypes(text)) && !allowed(path))
        .map(({ path }) => path),
    ).toEqual([])
  })
})
