import { describe, expect, it } from 'vitest'
import { sourcesIn, withoutComments } from './sources.js'

describe('the rooms', () => {
  it('import only rooms nearer to the ground', () => {
    // What stands in no room, such as a test, is on no floor that anyone may import.
    const mayImport = (path: string, target: string) =>
      order.slice(0, order.indexOf(roomOf(path)) + 1).includes(roomOf(target))
    const trespasses = sources.flatMap(({ path, imports }) =>
      imports.filter((target) => !mayImport(path, target)).map((target) => `${path} → ${target}`),
    )
    expect(trespasses).toEqual([])
  })

  it('have storeys in incidents: pages use acts, acts and emails the model, and never the other way', () => {
    expect(climbsIn('src/incidents', storeys)).toEqual([])
  })

  it('have folders of accounts that import only folders nearer to the ground', () => {
    expect(climbsIn('src/accounts', accountFolders)).toEqual([])
  })

  it('have folders of inbound that import only folders nearer to the ground', () => {
    const isOfStep = (climb: string) => /^src\/inbound\/\w+\.ts /.test(climb)
    expect(climbsIn('src/inbound', inboundFolders).filter((climb) => !isOfStep(climb))).toEqual([])
  })

  it('have parts of platform that import only parts nearer to the ground', () => {
    expect(climbsIn('src/platform', parts)).toEqual([])
  })

  it('have folders of platform/http that import only folders nearer to the ground', () => {
    expect(climbsIn('src/platform/http', httpFolders)).toEqual([])
  })

  it('have acts that are short and know no request and no page', () => {
    const acts = sources.filter(({ path }) => path.startsWith('src/incidents/acts/'))
    // The context of a request, an answer to it, a template, or the address of a page.
    const page = /\bContext\b|\bctx\b|platform\/http\/(route|answer)\/|\bview: '|['"`]\/[a-z]/
    const knowing = acts.filter(({ text }) => page.test(text))
    expect(knowing.map(({ path }) => path)).toEqual([])
    expect(acts.filter(({ text }) => linesOfCode(text) > 200).map(({ path }) => path)).toEqual([])
  })

  it('are all in the list', () => {
    expect(
      [...new Set(sources.map(({ path }) => roomOf(path)))].filter((room) => !order.includes(room)),
    ).toEqual([])
  })

  it('start the private server without the configuration, which is read once it has an address', () => {
    const imports = new Map(sources.map((source) => [source.path, source.imports]))
    const reached = new Set(['src/platform/postgres/embeddedPostgres.ts'])
    // The set grows while it is gone through.
    for (const file of reached) for (const target of imports.get(file) ?? []) reached.add(target)
    expect(reached.size).toBeGreaterThan(5)
    expect([...reached].filter((file) => file === 'src/platform/process/config.ts')).toEqual([])
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

  it('hold in vocabulary nothing of how things are sent or stored', () => {
    const formats = /\b(mime|multipart|content-type|user-?agent|sqlstate|select .* from)\b/i
    expect(
      sources
        .filter(({ path, text }) => path.startsWith('src/vocabulary/') && formats.test(withoutComments(text)))
        .map(({ path }) => path),
    ).toEqual([])
  })

  it('list no more files in a folder than one sees at a look', () => {
    const folders = new Map<string, number>()
    for (const { path } of [
      ...sourcesIn(['src', 'jobs', 'test', 'tools']),
      ...sourcesIn(['views'], '.eta'),
    ]) {
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
  ['config reads the environment', /process\.env/, (file) => file === 'src/platform/process/config.ts'],
  [
    'change opens a transaction that writes',
    /'begin;|"begin;|`begin;/,
    (file) => ['src/platform/db/change.ts', 'src/platform/db/migrations/migrationLock.ts'].includes(file),
  ],
  [
    'one place signs people in, which asks for their code where they have one',
    /\bstartSession\(ctx/,
    (file) =>
      ['src/accounts/signIn/completeSignIn.ts', 'src/platform/http/session/sessionCookie.ts'].includes(file),
  ],
  [
    'representation picks a representation',
    /\bnegotiate\(/,
    (file) =>
      [
        'src/platform/http/representation.ts',
        'src/platform/http/answer/lastResort.ts',
        'src/status/statusFastPath.ts',
      ].includes(file),
  ],
  [
    'redirect names an HX- header',
    /'HX-/i,
    (file) =>
      [
        'src/platform/http/representation.ts',
        'src/platform/http/answer/redirect.ts',
        'src/status/statusFastPath.ts',
      ].includes(file),
  ],
  [
    'csrf asks what name a request came by: its sender chooses it, so no address is made of it',
    /ctx\.(req\.|request\.)?(host|hostname|origin|href|URL|protocol|secure|subdomains)\b|\{[^}]*\b(host|hostname|origin|href|protocol)\b[^}]*\} = (ctx|req)\b|headers(\.|\[')([Hh]ost|forwarded|x-forwarded-(host|proto))\b|\(['"]([Hh]ost|[Ff]orwarded|[Xx]-[Ff]orwarded-([Hh]ost|[Pp]roto))['"]\)/,
    (file) => file === 'src/platform/http/session/csrf.ts',
  ],
  [
    'passwords compares a given password with a stored one, where the demo’s is refused in production',
    /from '@node-rs\/argon2'/,
    (file) => file === 'src/accounts/users/passwords.ts',
  ],
  [
    'redirect leads somewhere else',
    /['"`]?\b(Location|HX-(Redirect|Location|Push-Url|Replace-Url))['"`]?\s*[,:\]]|\.redirect\(|['"`]Refresh['"`]/,
    // The second says what headers there are, and sends none.
    (file) =>
      ['src/platform/http/answer/redirect.ts', 'src/platform/http/description/responses.ts'].includes(file),
  ],
  [
    'platform and operations open sockets and files',
    /from 'node:(fs|fs\/promises|net|http|https|tls|dgram|child_process)'/,
    (file) =>
      file.startsWith('src/platform/') ||
      file.startsWith('src/operations/') ||
      file.startsWith('migrations/') ||
      ['src/server.ts', 'jobs/schema.ts', 'jobs/setup.ts'].includes(file),
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

const sources = sourcesIn(['src', 'jobs', 'migrations'])

/** A room is a folder under src, src itself, or a top-level folder. */
function roomOf(file: string): string {
  const [top, next, ...rest] = file.split('/')
  if (top !== 'src') return top!
  return rest.length > 0 ? next! : 'server'
}

/**
 * The rooms from the ground up: each may import the rooms above it in this list, and nothing below.
 * So features form no circle, and platform knows no feature.
 */
const order = [
  'vocabulary',
  'text',
  'migrations',
  'platform',
  'audit',
  'building',
  'accounts',
  'webhooks',
  'status',
  'notifications',
  'maintenance',
  'incidents',
  'triage',
  'inbound',
  'demo',
  'operations',
  'app',
  'server',
  'jobs',
]

/** The storeys of incidents, from the ground up. */
const storeys = ['model', 'emails', 'acts', 'pages']

/** The folders of accounts, from the ground up. */
const accountFolders = ['users', 'secondFactor', 'singleSignOn', 'signIn', 'account', 'people', 'import']

/**
 * The folders of inbound, from the ground up; '' is what stands in none of them: what they share,
 * and the four steps, which use them all.
 */
const inboundFolders = ['', 'parse', 'files', 'kinds', 'words', 'acts', 'held', 'emails']

/** The parts of platform, from the ground up. */
const parts = ['process', 'postgres', 'net', 'db', 'links', 'outbox', 'photos', 'mail', 'push', 'http']

/** The folders of platform/http, from the ground up; '' is what stands in none of them. */
const httpFolders = [
  '',
  'format',
  'session',
  'protection',
  'request',
  'answer',
  'route',
  'records',
  'description',
  'server',
]

/**
 * The imports between folders of a room that lead up, and its files in folders that `order` lacks.
 * What stands in no folder is in ''.
 */
function climbsIn(room: string, order: readonly string[]): string[] {
  const isIn = (file: string) => file.startsWith(`${room}/`)
  const folderOf = (file: string) => {
    const [first, ...rest] = file.slice(room.length + 1).split('/')
    return rest.length > 0 ? first! : ''
  }
  const files = sources.filter(({ path }) => isIn(path))
  const climbs = files.flatMap(({ path, imports }) =>
    imports
      .filter((target) => isIn(target) && order.indexOf(folderOf(target)) > order.indexOf(folderOf(path)))
      .map((target) => `${path} → ${target}`),
  )
  return [...climbs, ...files.map(({ path }) => path).filter((path) => !order.includes(folderOf(path)))]
}

/** Lines of code without imports, comments and empty lines. */
function linesOfCode(text: string): number {
  const code = text.replace(/^import [\s\S]*? from '.*'$/gm, '').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  return code.split('\n').filter((line) => line.trim() !== '').length
}

/** Files in one folder. */
const most = 25
