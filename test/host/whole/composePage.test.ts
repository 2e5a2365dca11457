import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { restoreTargets } from '../../support/backup/targets.js'
import { certificate } from '../../support/certificate.js'
import { built, checkout } from '../../support/compiled.js'
import { blocksOf, standIns } from '../../support/host/documented.js'
import { startEmailServer } from '../../support/host/parts.js'
import { newFolder } from '../../support/run/folders.js'

const folder = newFolder()
const canRun = process.getuid?.() === 0

beforeAll(async () => {
  await built()
  if (!canRun) return
  mkdirSync(state)
  writeFileSync(path.join(state, 'engine.mjs'), engine)
})

describe.runIf(canRun)('the commands of docs/install/compose.md', () => {
  it('install, back up, restore, upgrade and go back as they are written', async () => {
    const email = await startEmailServer()
    writeFileSync(path.join(folder, 'ca.pem'), certificate.cert)
    writeFileSync(path.join(state, 'smtp'), email.url)
    await onNewDatabase('first')
    const installed = await perform(...install)
    expect(installed).toMatch(/"migrated":\["/)
    expect(installed).toContain('"email":"you@example.com","role":"admin"')
    expect(installed).toContain('{"status":"ready"}')
    expect(email.emails.map(({ to }) => to)).toEqual([['you@example.com']])
    await email.end()

    const [backup = ''] = under('Back up')
    expect(await perform(backup)).toMatch(/-rw-{7} .* caretaker-[\dT-]+Z\.tar\.gz/)
    const [archive = ''] = readdirSync(path.join(folder, 'backups/caretaker'))
    await onNewDatabase('second')
    const [restore = ''] = under('Restore')
    const named = restore.replace(/caretaker-2026[\w-]+\.tar\.gz/, archive)
    expect(JSON.parse(await perform(named))).toMatchObject({ sending: 'paused' })
    expect(existsSync(path.join(site, 'restore.tar.gz'))).toBe(false)

    const [upgrade = '', back = ''] = under('Upgrade')
    rmSync(path.join(state, 'docker.log'))
    await perform(upgrade, back)
    const asked = readFileSync(path.join(state, 'docker.log'), 'utf8').trim().split('\n')
    expect(asked.map((line) => line.replace(/ --build-arg COMMIT=[0-9a-f]{40}/, ''))).toEqual([
      'compose run --rm -T --no-deps web node dist/jobs/backup.js -',
      'tag caretaker caretaker:previous',
      'build -t caretaker .',
      'compose up -d',
      'tag caretaker:previous caretaker',
      'compose up -d',
    ])
    expect(blocks).toHaveLength(install.length + 4)
  })
})

const run = promisify(execFile)
const newTarget = restoreTargets(folder)
const site = path.join(folder, 'srv/caretaker')
const state = path.join(folder, 'state')
const blocks = blocksOf('install/compose.md')
const install = blocks.filter(({ heading }) => heading === '').map(({ text }) => text)
const under = (heading: string) => blocks.filter((block) => block.heading === heading).map(({ text }) => text)

/**
 * What docker does here: programs of the image run in this checkout, with the
 * settings of their service.
 */
const engine = `
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
const state = ${JSON.stringify(state)}
const [word, ...rest] = process.argv.slice(2)
appendFileSync(state + '/docker.log', [word, ...rest].join(' ') + '\\n')
const fail = (words) => { process.stderr.write(words + '\\n'); process.exit(14) }
const need = (...files) => files.forEach((file) => existsSync(file) || fail(file + ': not found'))
const flags = ['--rm', '-it', '-T', '--no-deps', '-d', '--all']
function parse(args) {
  const options = {}
  while (args[0]?.startsWith('-')) {
    const name = args.shift()
    options[name] = flags.includes(name) ? true : args.shift()
  }
  return options
}
function program(options, args, env) {
  const [outside, inside] = (options['-v'] ?? '').split(':')
  // The programs of the image are user 1000, and none of them may read another's file.
  if (outside && statSync(outside).isFile() && statSync(outside).uid !== 1000) fail(outside + ': permission denied')
  const [node, script, ...given] = args
  if (node !== 'node') fail(node + ': not found')
  const here = given.map((arg) => (inside && arg.startsWith(inside) ? outside + arg.slice(inside.length) : arg))
  const asked = script.endsWith('setup.js') && !here.includes('--check')
  const answers = ['--url', 'https://status.example', '--smtp-url', readFileSync(state + '/smtp', 'utf8'),
    '--mail-from', 'Our building <office@status.example>']
  const { status } = spawnSync(process.execPath, [${JSON.stringify(checkout)} + script, ...here, ...(asked ? answers : [])],
    { stdio: 'inherit', env: { PATH: process.env.PATH, ...env } })
  process.exit(status ?? 1)
}
function service(name, options, args) {
  need('compose.yaml', '.env', 'caretaker.env')
  if (!readFileSync('compose.yaml', 'utf8').includes('\\n  ' + name + ':\\n')) fail('no such service: ' + name)
  const { OWNER, ...own } = JSON.parse(readFileSync(state + '/environment', 'utf8'))
  const env = { NODE_ENV: 'production', ...parseEnv(readFileSync('caretaker.env', 'utf8')), ...own }
  if (name === 'release') env.MIGRATION_DATABASE_URL = OWNER
  program(options, args.length > 0 ? args : ['node', 'dist/jobs/migrate.js'], env)
}
if (word === 'build') need(rest.at(-1) + '/Dockerfile')
else if (word === 'run') {
  const options = parse(rest)
  rest.shift() === 'caretaker' || fail('no such image')
  program(options, rest, {})
} else if (word === 'compose') {
  const act = rest.shift()
  const options = parse(rest)
  if (act === 'run') service(rest.shift(), { ...options }, rest)
  if (act === 'up') service('release', {}, [])
  need('compose.yaml', '.env')
} else if (word !== 'tag') fail('unknown: ' + word)
`

/** Runs the commands of a block as they are written, but for the folders. */
async function perform(...texts: string[]): Promise<string> {
  const text = texts
    .join('\n')
    .replaceAll('/srv/caretaker', site)
    .replaceAll('/var/backups', path.join(folder, 'backups'))
  const programs = standIns(path.join(folder, 'programs'), {
    docker: `exec '${process.execPath}' '${state}/engine.mjs' "$@"\n`,
    git: `case $1 in
clone) mkdir -p "$3" && cp '${checkout}compose.yaml' '${checkout}Dockerfile' "$3" && mkdir -p "$3/docs" && cp -r '${checkout}docs/deploy' "$3/docs" ;;
rev-parse) echo 15fedb1a1bfcf76930bf355434e1617566ed98fe ;;
pull) ;;
*) exit 1 ;;
esac\n`,
    curl: `[ "$1" = "https://$(sed -n 's/^DOMAIN=//p' .env | tr -d \\'\\")/readyz" ] && echo '{"status":"ready"}'\n`,
  })
  const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', text], {
    cwd: existsSync(site) ? site : folder,
    env: { PATH: `${programs}:/usr/sbin:/usr/bin:/bin`, HOME: folder },
  })
  return stdout
}

/** Which database the services have from now on. */
async function onNewDatabase(name: string): Promise<void> {
  const { url, ownerUrl } = await newTarget({ empty: true })
  const environment = {
    DATABASE_URL: url,
    OWNER: ownerUrl,
    PUBLIC_URL: 'https://status.example',
    DATA_DIR: path.join(folder, name),
    NODE_EXTRA_CA_CERTS: path.join(folder, 'ca.pem'),
  }
  writeFileSync(path.join(state, 'environment'), JSON.stringify(environment))
}
