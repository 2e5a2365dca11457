import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig, variables } from '../../src/platform/process/config.js'
import { certificate } from '../support/certificate.js'
import { checkout, readCheckout } from '../support/compiled.js'
import { stepsOf } from '../support/host/plainFolder.js'
import { nginx } from '../support/host/programs.js'
import { newFolder } from '../support/run/folders.js'

const folder = newFolder()

describe('the files for a deployment', () => {
  it('are each named in a page that says how to use it', () => {
    const pages = readdirSync(path.join(checkout, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => readCheckout(path.join('docs', file)))
      .join('\n')
    expect(files.filter((file) => !pages.includes(path.basename(file)))).toEqual([])
  })

  it('make settings that are read by someone, and that docs/configuration.md explains', () => {
    const page = readCheckout('docs/configuration.md')
    for (const [file, made] of Object.entries(settings))
      for (const name of made.map((each) => each.split('=')[0]!)) {
        expect([file, name, Object.hasOwn(variables, name) || ofOthers.includes(name)]).toEqual([
          file,
          name,
          true,
        ])
        expect([name, page.includes(`\`${name}\``) || page.includes(`\`${name}=`)]).toEqual([name, true])
      }
  })

  it('bound what the allocator and Node.js keep, and start the same threads', () => {
    const node = 'NODE_OPTIONS=--max-semi-space-size=4 --max-old-space-size=512'
    const small = ['UV_THREADPOOL_SIZE=8', 'MALLOC_ARENA_MAX=2', node]
    for (const made of Object.values(settings)) expect(made).toEqual(expect.arrayContaining(small))
  })

  it('start in production with what a platform gives and asks for', () => {
    const given = Object.entries(app.env).map(([name, { value }], i) => [
      name,
      value ?? `a-generated-secret-of-length-${i}-0123456789`,
    ])
    const env = {
      ...Object.fromEntries(given),
      PUBLIC_URL: 'https://building.example',
      SMTP_URL: 'smtps://building:secret@mail.example',
      DATABASE_URL: 'postgres://localhost/building',
      DATA_DIR: folder,
    }
    expect(readConfig(env)).toMatchObject({ production: true, https: true, trustProxy: true })
  })
})

it('the proxy lets through the largest body that is taken in', () => {
  const [, factors] = /emailBytes = ([\d *]+)/.exec(readCheckout('src/inbound/routes.ts'))!
  const bytes = factors!.split('*').reduce((product, each) => product * Number(each), 1)
  expect(bytes).toBeGreaterThan(60e6)
  const [, megabytes] = /client_max_body_size (\d+)m;/.exec(readCheckout('docs/deploy/nginx.conf'))!
  expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(bytes)
})

describe('a process that restarts', () => {
  const [, farewell] = /farewellTime = ([\d_]+)/.exec(readCheckout('src/platform/http/server/listen.ts'))!

  it('waits longer for a last request on a kept connection than the proxy keeps it', () => {
    const [, seconds] = /\n {4}keepalive_timeout (\d+)s;/.exec(readCheckout('docs/deploy/nginx.conf'))!
    expect(Number(seconds) * 2_000).toBeLessThan(Number(farewell!.replaceAll('_', '')))
  })

  it('has its port in a socket unit of the same name, which it asks for', () => {
    const [socket, ...others] = files.filter((file) => file.endsWith('.socket'))
    expect([socket, others]).toEqual(['caretaker-web@.socket', []])
    expect(readCheckout(`docs/deploy/${socket}`)).toContain('\nListenStream=127.0.0.1:%i\n')
    expect(readCheckout('docs/deploy/caretaker-web@.service')).toContain(
      '\nRequires=caretaker-web@%i.socket\n',
    )
  })
})

describe('the proxy of many buildings', () => {
  it('lets through what the proxy of one does', () => {
    const limits = (file: string) =>
      [
        ...readCheckout(`docs/deploy/${file}`).matchAll(
          /^ +(client_\w+|limit_conn|proxy_\w+_timeout) .*;$/gm,
        ),
      ].map(([line]) => line)
    expect(limits('nginx-buildings.conf')).toEqual(limits('nginx.conf'))
  })

  it.runIf(nginx)('is what nginx understands, with the map as it is written', () => {
    const file = (name: string) => path.join(folder, name)
    writeFileSync(file('hosts.map'), '# Written by npm run buildings.\nlime.example 127.0.0.1:4001;\n')
    writeFileSync(file('fullchain.pem'), certificate.cert)
    writeFileSync(file('privkey.pem'), certificate.key)
    const site = readCheckout('docs/deploy/nginx-buildings.conf')
      .replaceAll('/etc/ssl/buildings.example', folder)
      .replaceAll('/var/lib/caretaker/buildings', folder)
      .replaceAll(/^ *listen \[::\].*$/gm, '')
      .replaceAll(/listen (\d+)/g, `listen unix:${file('$1.sock')}`)
    writeFileSync(file('nginx.conf'), `pid ${file('pid')}; error_log stderr; events {} http { ${site} }`)
    const said = execFileSync('sh', [
      '-c',
      '"$1" -t -e stderr -c "$2" 2>&1 || true',
      'sh',
      nginx!,
      file('nginx.conf'),
    ])
    expect(said.toString()).toContain('test is successful')
  })
})

describe('the Dockerfile', () => {
  it('copies what is there, or what an earlier stage made', () => {
    const copied = dockerfile.filter(({ word, rest }) => word === 'COPY' && !rest.startsWith('--from'))
    const named = copied.flatMap(({ rest }) => rest.split(' ').slice(0, -1))
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((file) => !existsSync(path.join(checkout, file)))).toEqual([])
  })

  it('runs as somebody who is not root, whose folder it makes', () => {
    expect(dockerfile.filter(({ word }) => word === 'USER')).toEqual([{ word: 'USER', rest: 'node' }])
    const made = /install -d -o (\w+) .* (\S+)$/.exec(
      dockerfile.find(({ rest }) => rest.startsWith('install'))!.rest,
    )!
    expect(made.slice(1)).toEqual(['node', '/var/lib/caretaker'])
  })
})

describe('the compose file', () => {
  const compose = readCheckout('compose.yaml')

  it('mounts files that are there, and starts what the Procfile starts', () => {
    const mounted = [...compose.matchAll(/- (\.\/[^:]+):/g)].map(([, file]) => file!)
    expect(mounted).toHaveLength(2)
    expect(mounted.filter((file) => !existsSync(path.join(checkout, file)))).toEqual([])
    for (const [, command] of compose.matchAll(/command: \[(.+)\]/g))
      expect(readCheckout('Procfile')).toContain(`: ${command!.replace(', ', ' ')}\n`)
  })

  it('tells the processes that serve nothing of the role that owns the tables', () => {
    const [shared = '', ...services] = compose.split(/\n(?= {2}\w+:\n)/)
    const knowing = services.filter((service) => /OWNER|env_file: \[?\.env/.test(service))
    expect(knowing.map((service) => /\w+/.exec(service)![0])).toEqual(['db', 'release'])
    expect(shared).not.toContain('OWNER')
  })

  it('lets the same largest body through as nginx', () => {
    const [, bytes] = /max_size (\d+)/.exec(readCheckout('docs/deploy/compose/Caddyfile'))!
    const [, megabytes] = /client_max_body_size (\d+)m;/.exec(readCheckout('docs/deploy/nginx.conf'))!
    expect(Number(bytes)).toBe(Number(megabytes) * 1024 * 1024)
  })
})

const systemd = existsSync('/usr/bin/systemd-analyze')

describe('the units', () => {
  it('start what the Procfile starts, and give it longer to stop than it takes', () => {
    const serving = units.filter((unit) => !unit.includes('backup'))
    const started = serving.map(
      (unit) => /^ExecStart=\/usr\/bin\/(.*)$/m.exec(readCheckout(`docs/deploy/${unit}`))![1],
    )
    for (const command of started) expect(readCheckout('Procfile')).toContain(`: ${command}\n`)
    const drain = Number(
      /drainTime = ([\d_]+)/
        .exec(readCheckout('src/platform/http/server/listen.ts'))![1]!
        .replaceAll('_', ''),
    )
    for (const unit of units)
      expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(readCheckout(`docs/deploy/${unit}`))![1])).toBeGreaterThan(
        drain / 1000,
      )
  })

  it('bind nothing to the outside, and refuse a call without ending the process', () => {
    for (const unit of units) {
      expect(settings[unit]).toContain('HOST=127.0.0.1')
      expect(readCheckout(`docs/deploy/${unit}`)).toContain('\nSystemCallErrorNumber=EPERM\n')
    }
  })

  it.runIf(systemd)('are what systemd understands', () => {
    const copies = [...units, 'caretaker-web@.socket', 'caretaker-backup.timer'].map((unit) => {
      const copy = path.join(folder, unit.replace('@', '@3001'))
      writeFileSync(copy, readCheckout(`docs/deploy/${unit}`).replace('/usr/bin/node', process.execPath))
      return copy
    })
    // What it has to say stands on the error output, where it ends with 0, too.
    const said = execFileSync('sh', ['-c', 'systemd-analyze verify "$@" 2>&1', 'sh', ...copies]).toString()
    expect(said).toBe('')
  })
})

const deploy = path.join(checkout, 'docs/deploy')
const files = readdirSync(deploy, { recursive: true, encoding: 'utf8' }).filter((file) => file !== 'compose')
const units = files.filter((file) => file.endsWith('.service'))
const app = JSON.parse(readCheckout('app.json')) as {
  env: Record<string, { value?: string; required?: boolean }>
}
const dockerfile = stepsOf(readCheckout('Dockerfile'))

/** The words of a line, where quotes hold one together. */
const words = (line: string) =>
  (line.match(/(?:"[^"]*"|[^\s"])+/g) ?? []).map((word) => word.replaceAll('"', ''))

/** The settings each file makes, as NAME=value. */
const settings: Record<string, string[]> = {
  'app.json': Object.entries(app.env).map(([name, { value = '' }]) => `${name}=${value}`),
  Dockerfile: dockerfile.filter(({ word }) => word === 'ENV').flatMap(({ rest }) => words(rest)),
  ...Object.fromEntries(
    units.map((unit) => [
      unit,
      [...readCheckout(`docs/deploy/${unit}`).matchAll(/^Environment=(.*)$/gm)].flatMap(([, rest]) =>
        words(rest!),
      ),
    ]),
  ),
}

/** Read by the C library, by Node.js, and by the driver of the database. */
const ofOthers = ['MALLOC_ARENA_MAX', 'NODE_OPTIONS', 'PGSSLMODE']
