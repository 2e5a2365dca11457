import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { statusP99 } from './load.js'
import { residentMegabytes } from './memory.js'
import { startServer } from './processes.js'
import { quantile } from './ratios.js'
import { samples } from './samples.js'
import { sized } from './size.js'
import { verdict } from './verdict.js'
import { benchDatabase, benchKey, fill, fillBuilding, fillPeople } from './world.js'

const perMinute = 1_000
const minutes = Number(process.env.BENCH_MINUTES ?? sized({ usual: 10, tiny: 0.05 }))
const slice = sized({ usual: 4_000, tiny: 300 })
/** Milliseconds after which web and worker are at rest. */
const restAfterMs = sized({ usual: 20_000, tiny: 100 })
/** Slices before the emails, and milliseconds between two slices beside them. */
const quietSlices = sized({ usual: 5, tiny: 1 })
const betweenSlices = sized({ usual: 2_000, tiny: 100 })
const secret = 'bench-inbound-secret'

/**
 * A thousand emails a minute, each from an address of its own: half are new reports of strangers,
 * half replies to one incident. Measures the memory that web and worker need above rest, how much
 * slower the status is, and the size of the incident's page. First, how fast the samples of the
 * corpus are read.
 */
export async function emails(): Promise<boolean> {
  const areSamplesFast = await samples()
  const world = await benchDatabase()
  // Web and worker as the files of docs/deploy start them.
  const deployed = {
    UV_THREADPOOL_SIZE: '8',
    MALLOC_ARENA_MAX: '2',
    NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=512',
  }
  const env = { ...world.env, ...deployed, INBOUND_EMAIL_SECRET: secret }
  try {
    await fillBuilding(100)
    await fillPeople()
    await fill(
      `insert into incidents (title, severity, status, source, asset_id)
       values ('The lift is stuck', 'high', 'open', 'web', 3)`,
    )
    const web = await startServer('./servers/caretaker.js', env)
    const worker = spawn(
      process.execPath,
      [fileURLToPath(new URL('../../jobs/worker.js', import.meta.url))],
      {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    const pids = [web.pid, worker.pid!]
    await statusP99(web.port, slice)
    await sleep(restAfterMs)
    const rest = pids.map(residentMegabytes)
    const quiet = quantile(await slices(web.port, quietSlices), 0.5)

    let isOver = false
    const sending = send(web.port, () => isOver)
    const [slowdowns, growth]: [number[], number[]] = [[], [0, 0]]
    for (const until = Date.now() + minutes * 60_000; Date.now() < until; ) {
      slowdowns.push((await statusP99(web.port, slice)) / quiet)
      for (const [i, pid] of pids.entries())
        growth[i] = Math.max(growth[i]!, residentMegabytes(pid) - rest[i]!)
      await sleep(betweenSlices)
    }
    isOver = true
    const answers = await sending
    process.stdout.write(`        emails and their answers: ${JSON.stringify(answers)}\n`)
    const sizes = await Promise.all(['/incidents/1', '/api/incidents/1'].map((path) => size(web.port, path)))
    await web.stop()
    worker.kill('SIGTERM')
    await once(worker, 'exit')
    return [
      areSamplesFast,
      verdict('MB above rest, web', [growth[0]!], { atMost: 60 }),
      verdict('MB above rest, worker', [growth[1]!], { atMost: 60 }),
      verdict('p99 of GET /api/status meanwhile against its quiet p99', slowdowns, { atMost: 2 }),
      verdict('KB of the incident, as page and as JSON', sizes, { atMost: 500 }, 1),
    ].every(Boolean)
  } finally {
    await world.stop()
  }
}

async function slices(port: number, times: number): Promise<number[]> {
  const latencies: number[] = []
  for (let i = 0; i < times; i++) latencies.push(await statusP99(port, slice))
  return latencies
}

/** Sends at an even pace until it is over; returns how often each answer came. */
async function send(port: number, isOver: () => boolean): Promise<Record<string, number>> {
  const answers: Record<string, number> = {}
  const began = Date.now()
  const waiting = new Set<Promise<void>>()
  for (let n = 0; !isOver(); n++) {
    await sleep(Math.max(0, began + (n * 60_000) / perMinute - Date.now()))
    const sent = sendOne(port, n).then((answer) => {
      answers[answer] = (answers[answer] ?? 0) + 1
      waiting.delete(sent)
    })
    waiting.add(sent)
  }
  await Promise.all(waiting)
  return answers
}

async function sendOne(port: number, n: number): Promise<string> {
  const reply = n % 2 === 0 ? { subject: 'Re: [INC-1] The lift is stuck' } : { subject: `Smell of gas ${n}` }
  const answer = await fetch(`http://127.0.0.1:${port}/api/inbound-email`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      from: `Someone <s${n}@d${n % 997}.example>`,
      messageId: `<${n}@d.example>`,
      ...reply,
      text: `I write for the ${n}th time. ${'It has not got any better. '.repeat(40)}`,
    }),
  })
  const body = (await answer.json()) as { action?: string; reason?: string }
  return `${answer.status} ${body.action ?? ''} ${body.reason ?? ''}`.trim()
}

async function size(port: number, path: string): Promise<number> {
  const accept = path.startsWith('/api') ? 'application/json' : 'text/html'
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { accept, authorization: `Bearer ${benchKey}` },
  })
  return (await answer.arrayBuffer()).byteLength / 1024
}
