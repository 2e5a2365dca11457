import { execFile, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { envText } from '../../../src/operations/envFile.js'
import { query } from '../../../src/platform/db/database.js'
import { config } from '../../../src/platform/process/config.js'
import { built, checkout, readCheckout } from '../../support/compiled.js'
import { inDatabase, useDatabase } from '../../support/database.js'
import { blocksOf, blockWith, standIns } from '../../support/host/documented.js'
import { startServiceManager } from '../../support/host/serviceManager.js'
import { keys } from '../../support/keys.js'
import { multipart, picture } from '../../support/pictures.js'

const database = useDatabase()
const canRun =
  process.getuid?.() === 0 &&
  ['/usr/bin/setpriv', '/usr/bin/curl', '/usr/bin/git'].every((file) => existsSync(file))

/**
 * A machine of its own, with releases side by side (decision 9.24): on a disk, because packages are
 * linked there instead of downloaded.
 */
let machine = ''

let services: Awaited<ReturnType<typeof startServiceManager>>
let programs = ''

describe.runIf(canRun)('docs/operate/upgrade.md', { timeout: 900_000 }, () => {
  beforeAll(async () => {
    const dist = await built()
    machine = realpathSync(mkdtempSync('/var/tmp/caretaker-releases-'))
    for (const folder of [
      '/etc/systemd/system',
      '/usr/local/bin',
      '/var/lib/caretaker',
      '/var/backups/caretaker',
    ])
      mkdirSync(at(folder), { recursive: true })
    cpSync(config.photoDir, at('/var/lib/caretaker/photos'), { recursive: true })
    mkdirSync(path.join(machine, 'origin'))
    execFileSync('sh', [
      '-c',
      'cd "$1" && git ls-files -z | tar --null --ignore-failed-read -T - -cf - | tar -xf - -C "$2"',
      'sh',
      checkout,
      path.join(machine, 'origin'),
    ])
    git('init', '-q', '-b', 'main')
    git('add', '-A')
    git('commit', '-qm', 'The first')
    git('tag', 'v1.0.0')

    // An installation as it was before there were releases: a built checkout,
    // and units that run in it.
    const old = at('/opt/caretaker')
    execFileSync('git', ['clone', '-q', path.join(machine, 'origin'), old])
    const link = `cp -al '${checkout}node_modules' node_modules 2>/dev/null || cp -a '${checkout}node_modules' node_modules`
    execFileSync('sh', ['-c', link], { cwd: old })
    cpSync(dist, path.join(old, 'dist'), { recursive: true })
    for (const unit of readdirSync(path.join(checkout, 'docs/deploy')).filter((file) =>
      /\.(service|socket|timer)$/.test(file),
    )) {
      const text = readCheckout(path.join('docs/deploy', unit))
      writeFileSync(
        at(`/etc/systemd/system/${unit}`),
        text.replaceAll('/opt/caretaker/current', '/opt/caretaker'),
      )
    }

    const name = new URL(database()).pathname.slice(1)
    const settings = { ...keys, DATABASE_URL: database(), DATA_DIR: at('/var/lib/caretaker') }
    const open = { ALLOW_INSECURE_HTTP: 'true', THROTTLE_REPORTS: '0', THROTTLE_WRITES: '0' }
    const address = { PUBLIC_URL: 'http://127.0.0.1', MAIL_FROM: 'Building <office@building.example>' }
    writeFileSync(at('/etc/caretaker.env'), envText('test', { ...settings, ...open, ...address }))
    const owner = inDatabase(inject('ownerUrl'), name)
    writeFileSync(at('/etc/caretaker.owner.env'), envText('test', { MIGRATION_DATABASE_URL: owner }))
    services = await startServiceManager(at('/etc/systemd/system'), placed, { LOG_LEVEL: 'info' })
    programs = standIns(path.join(machine, 'programs'), {
      systemctl: services.systemctl,
      journalctl: `cat '${path.join(machine, 'journal')}'\n`,
      // What npm does to a folder: its packages are removed, then come one after another; the
      // compiler goes in the end. A process that loads from it now finds nothing, so that is when a
      // cold one gets its first POSTs. Types are the business of `npm run check`.
      npm: `case "$*" in
ci) rm -rf node_modules
  ${services.mark('removed')}  ${link} ;;
'run build') exec '${process.execPath}' jobs/build.mjs --noCheck ;;
'prune --omit=dev') rm -rf node_modules/typescript node_modules/@typescript ;;
*) exit 1 ;;
esac\n`,
    })
    writeFileSync(path.join(machine, 'journal'), '')
    // The command as the old installation has it.
    const command = readCheckout('docs/deploy/caretaker')
    writeFileSync(
      at('/usr/local/bin/caretaker'),
      placed(command.replace('/opt/caretaker/current', '/opt/caretaker')),
      { mode: 0o755 },
    )
    for (const unit of units) await services.start(unit)
  }, 600_000)
  afterAll(async () => {
    const codes = await services?.end()
    if (machine) rmSync(machine, { recursive: true, force: true })
    expect(codes).toEqual([0, 0, 0])
  })

  it('has these commands', () => {
    expect(main).toHaveLength(6)
    expect(under('Roll back')).toHaveLength(1)
    expect(under('Delete old releases')).toHaveLength(1)
    expect(under('From a checkout in `/opt/caretaker`')).toHaveLength(3)
  })

  it('moves a checkout to releases, and no request fails', async () => {
    release('1.1.0')
    const traffic = await startTraffic()
    services.onMark(traffic.warm)
    await traffic.more(20)
    const [clone = '', takeOver = '', remove = ''] = under('From a checkout in `/opt/caretaker`')
    const [backup = '', build = '', migrate = '', link = '', restart = ''] = main
    const printed = await perform(clone, backup, build, migrate, link, takeOver, restart)
    expect(printed).toContain('{"migrated":["9999110_later"]}')
    await traffic.more(20)
    expect(await versions()).toEqual(Array(2).fill('1.1.0, migrations ok'))
    await perform(remove)
    await traffic.more(20)
    await traffic.end()
    expect(traffic.failures).toEqual([])
    expect(traffic.reports()).toBeGreaterThan(20)
    expect(readdirSync(at('/opt/caretaker')).sort()).toEqual(['current', 'releases', 'source'])
    expect(readdirSync(at('/var/backups/caretaker'))).toHaveLength(1)
    expect(services.folders()).toEqual(Array(3).fill(at('/opt/caretaker/releases/v1.1.0')))
  })

  it('upgrades, rolls back and deletes a release, and no request fails', async () => {
    release('1.2.0')
    // It has had POSTs in the test above.
    await services.restart(second)
    const traffic = await startTraffic()
    services.onMark(traffic.warm)
    await traffic.more(20)
    const [backup = '', build = '', migrate = '', link = '', restart = '', look = ''] = main
    await perform(backup, build, migrate, link)
    // The link is followed when a process starts, and not before.
    expect(readlinkSync(at('/opt/caretaker/current'))).toBe('releases/v1.2.0')
    expect(services.folders()).toEqual(Array(3).fill(at('/opt/caretaker/releases/v1.1.0')))
    expect(await versions()).toEqual(Array(2).fill('1.1.0, migrations ok'))
    // The process of the new version is cold as well when it is rolled back.
    traffic.cool()
    await perform(restart)
    await traffic.more(20)
    expect(await versions()).toEqual(Array(2).fill('1.2.0, migrations ok'))
    writeFileSync(path.join(machine, 'journal'), `${services.outputs()}{"level":"warn","msg":"for grep"}\n`)
    const looked = await perform(look)
    expect(looked).toContain('"version":"1.2.0')
    expect(looked.match(/"level":"(error|fatal)".*/g)).toBeNull()

    const back = blockWith(upgrade, 'ls -1t')
      .replace('v1.0.0', 'v1.1.0')
      .replace('systemctl', `${services.mark('linked')}systemctl`)
    expect((await perform(back)).split('\n').slice(0, 2).sort()).toEqual(['v1.1.0', 'v1.2.0'])
    await traffic.more(20)
    expect(await versions()).toEqual(Array(2).fill('1.1.0, migrations ok'))
    expect(services.folders()).toEqual(Array(3).fill(at('/opt/caretaker/releases/v1.1.0')))

    const [remove = ''] = under('Delete old releases')
    expect(await perform(remove.replace('v1.0.0', 'v1.1.0'))).toBe('v1.1.0 is in use.\n')
    await perform(remove.replace('v1.0.0', 'v1.2.0'))
    expect(readdirSync(at('/opt/caretaker/releases'))).toEqual(['v1.1.0'])
    await traffic.more(20)
    await traffic.end()
    expect(traffic.failures).toEqual([])
    expect(traffic.reports()).toBeGreaterThan(20)
    expect(services.codes).toEqual(Array(10).fill(0))
    const counted = await query<{
      n: number
    }>(`select count(*)::integer as n from incidents where title = 'With a photo'
      and exists (select from photos where incident_id = incidents.id)`)
    expect(counted[0]!.n).toBeGreaterThan(5)
  })
})

const run = promisify(execFile)

const paths = [
  '/opt/caretaker',
  '/etc/systemd/system',
  '/usr/local/bin',
  '/var/lib/caretaker',
  '/var/backups',
  '/etc/caretaker',
]

/** Where a path of an operator's machine is here. */
const placed = (text: string) =>
  paths.reduce((moved, each) => moved.replaceAll(new RegExp(`(?<![\\w.])${each}`, 'g'), machine + each), text)

const at = (file: string) => placed(file)
const upgrade = blocksOf('operate/upgrade.md')
const main = upgrade.filter(({ heading }) => heading === '').map(({ text }) => text)

const under = (heading: string) =>
  upgrade.filter((block) => block.heading === heading).map(({ text }) => text)

const second = 'caretaker-web@3002'
const units = ['caretaker-web@3001', second, 'caretaker-worker']

/**
 * Runs commands of a page one after another, as in one terminal; a command that fails ends them.
 */
async function perform(...blocks: string[]): Promise<string> {
  const text = placed(blocks.join('\n')).replaceAll(
    '127.0.0.1:3001',
    `127.0.0.1:${services.portOf('caretaker-web@3001')}`,
  )
  const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', text], {
    cwd: machine,
    env: {
      PATH: `${programs}:${at('/usr/local/bin')}:${path.dirname(process.execPath)}:/usr/sbin:/usr/bin:/bin`,
      HOME: machine,
      CARETAKER_SETTINGS: path.join(machine, 'etc'),
      CARETAKER_USER: 'root',
      METRICS_TOKEN: keys.METRICS_TOKEN,
    },
  })
  return stdout
}

const git = (...args: string[]) =>
  execFileSync('git', [
    '-C',
    path.join(machine, 'origin'),
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@example.com',
    ...args,
  ])

/** Commits and tags a version whose database has one table more. */
function release(version: string): void {
  const origin = path.join(machine, 'origin')
  for (const file of ['package.json', 'package-lock.json']) {
    const text = readFileSync(path.join(origin, file), 'utf8')
    writeFileSync(
      path.join(origin, file),
      text.replaceAll(/^( {2,6}"version": )"1\.\d\.0",$/gm, (line, start, offset) =>
        offset < 200 ? `${start}"${version}",` : line,
      ),
    )
  }
  const table = `later_${version.replaceAll('.', '_')}`
  appendFileSync(
    path.join(origin, 'migrations/index.ts'),
    `;(migrations as Migration[]).push({ name: '9999${version.replaceAll('.', '')}_later', down: async () => {},
      up: async (knex) => { await knex.raw('create table ${table} (id integer)') } })\n`,
  )
  git('commit', '-qam', version)
  git('tag', `v${version}`)
}

type Asked = { method: string; address: string; headers: Record<string, string>; body?: Buffer }

/** Asks on a connection of its own; the status, or why there was no answer. */
function ask(
  port: number,
  { method, address, headers, body }: Asked,
): Promise<{ status: number | string; text: string }> {
  return new Promise((resolve) => {
    const asking = request(
      { host: '127.0.0.1', port, method, path: address, headers, agent: false },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('error', (error) => resolve({ status: error.message, text: '' }))
        answer.on('end', () =>
          resolve({ status: answer.statusCode!, text: Buffer.concat(chunks).toString() }),
        )
      },
    )
    asking.on('error', (error) => resolve({ status: error.message, text: '' }))
    asking.end(body)
  })
}

const phone = { authorization: `Bearer ${keys.MOBILE_API_KEY}`, accept: 'application/json' }

/**
 * Reads and reports at both webs until it is ended. The second gets no POST before `warm` and after
 * `cool`: what a process loads at its first POST is what an upgrade may have taken from it.
 */
async function startTraffic() {
  const failures: string[] = []
  let [answered, reports, posted, isOver, isCold] = [0, 0, 0, false, true]
  const form = new Response(
    multipart({ assetId: '1', title: 'With a photo', severity: 'low' }, [{ bytes: await picture() }]),
  )
  const type = form.headers.get('content-type')!
  const photo = Buffer.from(await form.arrayBuffer())
  const posts: Asked[] = [
    {
      method: 'POST',
      address: '/api/incidents',
      headers: { ...phone, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ assetId: 1, title: 'Under way', severity: 'low' })),
    },
    { method: 'POST', address: '/api/incidents', headers: { ...phone, 'content-type': type }, body: photo },
    {
      method: 'POST',
      address: '/sign-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      body: Buffer.from('email=nobody%40example.com&password=a+quiet+rainy+day'),
    },
  ]
  const reads = ['/', '/incidents', '/api/status', '/calendar.ics', '/feed.xml'].map((address) => ({
    method: 'GET',
    address,
    headers: { accept: '*/*' },
  }))
  const work = async (unit: string, mayPost: () => boolean) => {
    for (let n = 0; !isOver; n++) {
      const asked =
        n % 2 === 1 && mayPost() ? posts[((n - 1) / 2) % posts.length]! : reads[(n >> 1) % reads.length]!
      const { status, text } = await ask(services.portOf(unit), asked)
      if (unit === second && asked.method === 'POST') posted += 1
      const isFine =
        asked.address === '/api/incidents' ? status === 201 : typeof status === 'number' && status < 500
      if (!isFine) failures.push(`${unit} ${asked.method} ${asked.address}: ${status} ${text.slice(0, 200)}`)
      else answered += 1
      if (status === 201) reports += 1
    }
  }
  const working = [work('caretaker-web@3001', () => true), work(second, () => !isCold)]
  return {
    failures,
    reports: () => reports,
    /** Resolves once the second has answered each kind of POST. */
    warm: async () => {
      const before = posted
      isCold = false
      await expect.poll(() => posted - before, { timeout: 120_000 }).toBeGreaterThan(posts.length)
    },
    /** What it has asked already may still be under way. */
    cool: () => (isCold = true),
    more: async (count: number) => {
      const before = answered
      await expect.poll(() => answered - before, { timeout: 120_000 }).toBeGreaterThan(count)
    },
    end: async () => {
      isOver = true
      await Promise.all(working)
    },
  }
}

/** The version both webs say they are. */
async function versions(): Promise<string[]> {
  const ports = units.slice(0, 2).map(services.portOf)
  const headers = { authorization: `Bearer ${keys.METRICS_TOKEN}` }
  const answers = await Promise.all(
    ports.map((port) => ask(port, { method: 'GET', address: '/readyz', headers })),
  )
  return answers.map(({ text }) => {
    const { version, checks } = JSON.parse(text)
    return `${version.split('+')[0]}, migrations ${checks.migrations}`
  })
}
