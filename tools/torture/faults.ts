import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { keys } from '../../test/support/keys.js'
import { multipart } from '../../test/support/pictures.js'
import type { Random } from '../../test/support/run/random.js'
import { endless } from '../../test/support/webhooks/receiver.js'
import { asOwnerOf } from './asOwner.js'
import { committed } from './postgres.js'
import type { Place, Site } from './site.js'

/**
 * What a fault has to work with. `seconds`: how long it lasts. `wrong`: records something that must
 * not happen meanwhile.
 */
export type Blow = {
  site: Site
  random: Random
  seconds: number
  wrong: (what: string) => void
  picture: Buffer
}

/**
 * A fault, made and mended. `kills`: processes it ends with SIGKILL. `cannot`: why it is left out
 * on this machine.
 */
export type Fault = {
  name: string
  kills?: number
  cannot?: (site: Site) => string | null
  strike: (blow: Blow) => Promise<void>
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

async function killed(place: Place): Promise<void> {
  await place.process.end('SIGKILL')
  place.process = await place.start()
}

/** Everything that breaks: processes, the database, the disk, the outside, a stop, the clock. */
export const faults: Fault[] = [
  {
    name: 'web killed',
    kills: 1,
    strike: ({ site, random }) => killed(random.pick(site.webs)!),
  },
  {
    name: 'worker killed',
    kills: 1,
    strike: ({ site, random }) => killed(random.pick(site.workers)!),
  },
  {
    name: 'PostgreSQL killed',
    kills: 1,
    strike: async ({ site: { postgres }, random }) => {
      await postgres.signal('SIGKILL', { all: random.number() < 0.5 })
      await postgres.start()
    },
  },
  {
    name: 'PgBouncer killed',
    kills: 1,
    cannot: ({ pooler }) => (pooler.part ? null : 'PgBouncer is not installed'),
    strike: async ({ site: { pooler } }) => {
      await pooler.part!.end('SIGKILL')
      await pooler.start()
    },
  },
  {
    name: 'web and database killed',
    kills: 2,
    strike: async ({ site: { webs, postgres }, random }) => {
      const web = random.pick(webs)!
      await Promise.all([web.process.end('SIGKILL'), postgres.signal('SIGKILL', { all: true })])
      await postgres.start()
      web.process = await web.start()
    },
  },
  {
    name: 'PostgreSQL stopped',
    strike: async ({ site: { postgres }, seconds }) => {
      await postgres.signal('SIGINT')
      while (!(await postgres.isGone())) await pause(0.05)
      await pause(seconds)
      await postgres.start()
    },
  },
  {
    name: 'PostgreSQL frozen',
    strike: async ({ site: { postgres }, seconds }) => {
      await postgres.signal('SIGSTOP', { all: true })
      await pause(seconds * 2)
      await postgres.signal('SIGCONT', { all: true })
    },
  },
  {
    name: 'connections of the database ended',
    strike: ({ site: { postgres }, random, seconds }) =>
      asOwnerOf(postgres.url, async (query) => {
        for (const until = Date.now() + seconds * 1_000; Date.now() < until; await pause(0.2)) {
          const rows = await query<{ pid: number }>(
            `select pid from pg_stat_activity where usename = current_user and pid <> pg_backend_pid() order by pid`,
          )
          const victim = random.pick(rows)
          if (victim) await query('select pg_terminate_backend($1)', [victim.pid])
        }
      }),
  },
  {
    name: 'answer of COMMIT cut',
    strike: async ({ site: { database }, random, seconds }) => {
      database.cutAnswers((answer) => answer.includes(committed) && random.number() < 0.3)
      await pause(seconds)
      database.cutAnswers(null)
    },
  },
  {
    name: 'any answer of the database cut',
    strike: async ({ site: { database }, random, seconds }) => {
      database.cutAnswers(() => random.number() < 0.02)
      await pause(seconds)
      database.cutAnswers(null)
    },
  },
  {
    name: 'disk of photos full',
    cannot: ({ disk }) => (disk ? null : 'this user may not mount a volume'),
    strike: async (blow) => {
      blow.site.disk!.fill()
      await withoutDisk(blow, 'full')
      blow.site.disk!.free()
    },
  },
  {
    name: 'disk of photos read-only',
    cannot: ({ disk }) => (disk ? null : 'this user may not mount a volume'),
    strike: async (blow) => {
      await blow.site.disk!.readOnly(true)
      await withoutDisk(blow, 'read-only')
      await blow.site.disk!.readOnly(false)
    },
  },
  {
    name: 'email server refuses',
    strike: async ({ site: { emailProxy }, seconds }) => {
      await emailProxy.refuse()
      await pause(seconds)
      await emailProxy.mend()
    },
  },
  {
    name: 'email server hangs',
    strike: async ({ site: { emailProxy }, seconds }) => {
      emailProxy.hang()
      await pause(seconds)
      emailProxy.cut()
      await emailProxy.mend()
    },
  },
  {
    name: 'receivers refuse, fail, hang and drip',
    strike: async ({ site, random, seconds }) => {
      const { receiver, refuser } = site
      await refuser.refuse()
      await moveSecond(site, receiver.url(`/${random.pick([...endless, 'reset', 'reset-in-body', '500'])}`))
      await pause(seconds)
      await moveSecond(site, receiver.url('/ok/second'))
      await refuser.mend()
    },
  },
  {
    name: 'slow clients',
    strike: async ({ site: { origins }, seconds, wrong }) => {
      const sockets = origins.flatMap((origin) =>
        Array.from({ length: 40 }, (_, i) => slow(new URL(origin), i)),
      )
      await pause(seconds)
      await status(origins[0]!).catch((error: Error) =>
        wrong(`the status is not answered beside slow clients: ${error.message}`),
      )
      for (const socket of sockets) socket.destroy()
    },
  },
  {
    name: 'web stopped with uploads and an export under way',
    strike: async ({ site, random, picture, wrong }) => {
      const web = random.pick(site.webs)!
      const origin = site.origins[site.webs.indexOf(web)]!
      const headers = { cookie: site.cookies.manager! }
      const under = [
        ...Array.from({ length: 4 }, () => upload(origin, headers.cookie, picture)),
        fetch(`${origin}/api/export/incidents.csv`, { headers }).then((answer) => answer.text()),
      ]
      await pause(0.3)
      await stopped(web, wrong)
      for (const each of await Promise.allSettled(under))
        if (each.status === 'rejected' && !neverTaken(each.reason))
          wrong(
            `a request under way at SIGTERM broke: ${String((each.reason as Error).cause ?? each.reason)}`,
          )
    },
  },
  {
    name: 'worker stopped with deliveries under way',
    strike: ({ site, random, wrong }) => stopped(random.pick(site.workers)!, wrong),
  },
  {
    name: 'clocks of the processes stepped',
    strike: async ({ site: { webs, workers }, random, seconds }) => {
      const chosen = [random.pick(webs)!, random.pick(workers)!]
      for (let step = 0; step < 3; step++) {
        for (const { process } of chosen) process.child.kill('SIGUSR2')
        await pause(seconds / 3)
      }
    },
  },
]

/** A stop by the platform: it ends by itself with 0, and comes back. */
async function stopped(place: Place, wrong: Blow['wrong']): Promise<void> {
  const code = await place.process.end('SIGTERM')
  if (code !== 0) wrong(`${place.name} ended with ${code} at SIGTERM`)
  place.process = await place.start()
}

/** A connection that was not accepted any more has not broken anything. */
const neverTaken = (error: unknown) => (error as { cause?: { code?: string } }).cause?.code === 'ECONNREFUSED'

async function upload(origin: string, cookie: string, picture: Buffer): Promise<number> {
  const form = multipart({ assetId: '1', title: 'Upload', severity: 'low' }, [
    { bytes: picture },
    { bytes: picture },
  ])
  return (await fetch(`${origin}/api/incidents`, { method: 'POST', headers: { cookie }, body: form })).status
}

const mobile = { authorization: `Bearer ${keys.MOBILE_API_KEY}` }

async function status(origin: string): Promise<void> {
  const answer = await fetch(`${origin}/api/status`, { headers: mobile, signal: AbortSignal.timeout(10_000) })
  if (answer.status !== 200) throw new Error(`${answer.status}`)
}

/**
 * Without a disk for photos only photos are refused, and by a word about them; all else goes on.
 */
async function withoutDisk(
  { site: { origins, cookies }, seconds, wrong, picture }: Blow,
  how: string,
): Promise<void> {
  for (const origin of origins) {
    const withPhotos = await upload(origin, cookies.manager!, picture)
    if (![503, 507].includes(withPhotos))
      wrong(`a report with photos is answered ${withPhotos} with a ${how} disk`)
    await status(origin).catch((error: Error) =>
      wrong(`the status is not answered with a ${how} disk: ${error.message}`),
    )
  }
  await pause(seconds)
}

async function moveSecond({ postgres }: Site, url: string): Promise<void> {
  await asOwnerOf(postgres.url, (query) =>
    query(
      'update webhook_subscriptions set url = $1 where id = (select min(id) + 1 from webhook_subscriptions)',
      [url],
    ),
  )
}

/** A client that begins a request and sends a byte of it now and then. */
function slow({ hostname, port }: URL, i: number): Socket {
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const head = 'POST /api/incidents HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n'
  const upload = `${head}Content-Length: 900000\r\n\r\n--b\r\n`
  const text = i % 2 ? head : upload + randomBytes(1_000).toString('hex')
  let sent = i % 2 ? 0 : upload.length
  void once(socket, 'connect').then(
    () => {
      socket.write(text.slice(0, sent))
      const timer = setInterval(() => socket.write(text[sent++] ?? 'x'), 250)
      socket.on('close', () => clearInterval(timer))
    },
    () => {},
  )
  return socket
}
