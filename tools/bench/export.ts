import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { statusP99 } from './load.js'
import { startServer } from './processes.js'
import { ratios } from './ratios.js'
import { givePasswords, signIn } from './requests/signIn.js'
import { sized } from './size.js'
import { verdict } from './verdict.js'
import {
  benchDatabase,
  fill,
  fillBuilding,
  fillImpactsByFields,
  fillIncidents,
  fillPeople,
  fillResidents,
} from './world.js'

const incidents = sized({ usual: 1_000_000, tiny: 1_000 })
const rounds = sized({ usual: 3, tiny: 1 })
/** Milliseconds in which the status is read: before a file is measured, and beside one. */
const warming = sized({ usual: 3_000, tiny: 300 })
const slice = sized({ usual: 4_000, tiny: 300 })
const script = './servers/caretakerWithMemory.js'
const manager = 'manager@bench.example'

/**
 * The rows of the file as the server has them: the same joins and sums, and nothing done to the
 * values.
 */
const plain = `select i.id, i.title, i.description, i.severity, i.status, i.is_downtime, i.asset_id, a.name, i.unit_id,
  t.name || ' · ' || u.number, coalesce(r.name, i.reporter_label, 'By email'), i.sla_breached, i.source, i.created_at,
  i.resolved_at, i.acknowledged_at, i.verified_at, i.acknowledged_at - i.created_at,
  (select sum(ended_at - started_at) from asset_impacts where incident_id = i.id and impact = 'down'),
  (select sum(amount_cents) from repair_costs where incident_id = i.id and voided_at is null), i.merged_into_id
  from incidents i left join assets a on a.id = i.asset_id left join units u on u.id = i.unit_id
  left join towers t on t.id = u.tower_id left join users r on r.id = i.reporter_id
  where i.merged_into_id is null order by i.id desc`

/**
 * The CSV file of 1,000,000 incidents: its speed against plain COPY, its first byte, and what it
 * costs the others.
 */
export async function exportCsv(): Promise<boolean> {
  const world = await benchDatabase()
  try {
    await fillOffice()
    const isSmall = await againstMemory(world.env)
    const server = await startServer(script, world.env)
    const cookie = await signIn(server.port, manager)
    const file = () => download(server.port, cookie)
    const isCalm = await besideReaders(server.port, file)
    const isFast = await againstCopy(world.url, file)
    await server.stop()
    return isSmall && isCalm && isFast
  } finally {
    await world.stop()
  }
}

/** The first file of a process that has answered others before, each time of a new one. */
async function againstMemory(env: Record<string, string>): Promise<boolean> {
  const growth: number[] = []
  for (let round = 0; round < rounds; round++) {
    const server = await startServer(script, env)
    const cookie = await signIn(server.port, manager)
    await statusP99(server.port, warming)
    const before = await memory(server.port)
    const peak = await peakDuring(server.port, download(server.port, cookie))
    growth.push((peak - before) / 2 ** 20)
    await server.stop()
  }
  return verdict('MB the process grew by during the file', growth, { atMost: 32 })
}

/** Readers of the status before and during a file; the first file is not measured. */
async function besideReaders(port: number, file: () => Promise<Download>): Promise<boolean> {
  await Promise.all([file(), statusP99(port, warming)])
  const figures: number[] = []
  for (let round = 0; round < rounds; round++) {
    const quiet = await statusP99(port, slice)
    const underWay = file()
    figures.push((await statusP99(port, slice)) / quiet)
    await underWay
  }
  return verdict('p99 of GET /api/status during the file against its quiet p99', figures, {
    atMost: 3,
  })
}

async function againstCopy(url: string, file: () => Promise<Download>): Promise<boolean> {
  const firsts: number[] = []
  const measure = async () => {
    const { bytes, first, seconds } = await file()
    firsts.push(first)
    return bytes / seconds
  }
  const figures = await ratios(() => copyPlain(url), measure, rounds)
  const isFast = verdict('bytes a second of the file against plain COPY of its rows', figures, {
    atLeast: 0.55,
  })
  return verdict('ms to its first byte', firsts, { atMost: 50 }) && isFast
}

async function memory(port: number): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${port}/bench/memory`)).text())
}

async function peakDuring(port: number, work: Promise<unknown>): Promise<number> {
  let isUnderWay = true
  const done = work.finally(() => {
    isUnderWay = false
  })
  let most = 0
  while (isUnderWay) {
    most = Math.max(most, await memory(port))
    await sleep(50)
  }
  await done
  return most
}

type Download = { bytes: number; first: number; seconds: number }

async function download(port: number, cookie: string): Promise<Download> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const path = '/api/export/incidents.csv'
    get({ host: '127.0.0.1', port, path, headers: { cookie }, agent: false }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`the export answered ${answer.statusCode}`))
      let bytes = 0
      let first = 0
      answer.on('data', (chunk: Buffer) => {
        first ||= performance.now() - began
        bytes += chunk.length
      })
      answer.once('end', () => resolve({ bytes, first, seconds: (performance.now() - began) / 1000 }))
      answer.once('error', reject)
    }).once('error', reject)
  })
}

/** Bytes a second of the same rows as the server sends them when nothing is asked of it. */
async function copyPlain(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let bytes = 0
    const began = performance.now()
    await new Promise<void>((resolve, reject) => {
      const copy = new pg.Query(
        `copy (${plain}) to stdout with (format csv, header)`,
        (error: Error | undefined) => (error ? reject(error) : resolve()),
      )
      const count = ({ chunk }: { chunk: Buffer }) => {
        bytes += chunk.length
      }
      Object.assign(copy, { handleCopyData: count })
      client.query(copy)
    })
    return bytes / ((performance.now() - began) / 1000)
  } finally {
    await client.end()
  }
}

/** Years of a large house: who reported what, and what every tenth repair cost. */
async function fillOffice(): Promise<void> {
  await fillBuilding(100)
  await fillPeople()
  await fillResidents(200)
  await fillIncidents(
    `insert into incidents (title, description, severity, status, source, asset_id, reporter_id, is_downtime,
       created_at, acknowledged_at, resolved_at, verified_at)
     select 'Incident ' || n, repeat('x', 100), (array['low','medium','high','critical'])[1 + n % 4], 'verified', 'web',
       1 + n % 100, r.ids[1 + n % 200], n % 4 = 3, at, at + interval '1 hour', at + interval '5 hours',
       at + interval '6 hours'
     from (select n, now() - ($1 - n) * interval '60 seconds' - interval '6 hours' as at
       from generate_series(1, $1) n) given,
       (select array_agg(id) as ids from users where role = 'resident' and not is_mobile_reporter) r`,
    [incidents],
  )
  await fill(
    `insert into repair_costs (incident_id, amount_cents, incurred_on, created_by)
     select i.id, 100 + i.id % 50000, '2026-01-01', u.id from incidents i, users u
     where i.id % 10 = 0 and u.role = 'manager'`,
  )
  await fillImpactsByFields()
  await givePasswords('manager')
  await fill('vacuum analyze')
}
