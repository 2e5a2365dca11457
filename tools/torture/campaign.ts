import { utimesSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { keys } from '../../test/support/keys.js'
import type { Random } from '../../test/support/run/random.js'
import { asOwnerOf } from './asOwner.js'
import { violations } from './checker.js'
import { filesIn } from './checks/photos.js'
import { arrivedEmail } from './checks/sent.js'
import { type Shown, shownAt } from './checks/status.js'
import { type Fault, faults } from './faults.js'
import { History, type Operation, readHistory } from './history.js'
import type { Place, Site } from './site.js'
import { write } from './workload.js'

export type Campaign = {
  site: Site
  random: Random
  /**
   * Strikes until there were so many kills; at least each fault once, and no longer than `seconds`.
   */
  kills: number
  seconds: number
  /** How long a fault lasts that lasts, in seconds. */
  each: number
  clients: number
  /** Milliseconds a client rests between two writes. */
  rest: number
  pictures: readonly Buffer[]
  say: (line: string) => void
}

/** A fault that struck: how long it took, and how long until every web took writes again. */
export type Struck = { name: string; ms: number; backMs: number }
export type Result = {
  struck: Struck[]
  left: string[]
  kills: number
  operations: Operation[]
  delivered: number
  emails: number
  wrong: string[]
}

/** A web that takes no write so many ms after a fault is mended is not back. */
const backWithin = 60_000
/** Webhooks that wait go out within so many ms when all is well. */
const sentWithin = 120_000

/** The faults in the order they strike: all of them, shuffled, again and again. */
export function* order(random: Random): Generator<Fault> {
  for (;;) {
    const left = [...faults]
    while (left.length > 0) yield left.splice(Math.floor(random.number() * left.length), 1)[0]!
  }
}

/**
 * Lets clients write while one fault after the other strikes; then lets all become well, and checks
 * what is left.
 */
export async function torture(campaign: Campaign): Promise<Result> {
  const { site, random, pictures, clients, rest, say } = campaign
  const history = new History(path.join(site.dataDir, 'history.jsonl'))
  const { origins, cookies } = site
  let isOver = false
  const writing = write({ history, random, origins, cookies, pictures, rest, isOver: () => isOver }, clients)
  const wrong: string[] = []
  const result = await strike(campaign, history, wrong).finally(() => {
    isOver = true
  })
  await writing
  say('the faults are over: everything is sent, stopped, tidied and checked')
  const statusPages = await settle(site, wrong)
  await tidied(site)
  for (const { output } of site.started)
    wrong.push(
      ...output()
        .split('\n')
        .filter((line) => line.includes('"unhandled rejection"')),
    )
  const operations = readHistory(history.file)
  const { received } = site.receiver
  const emails = site.email.emails.flatMap(({ text, to }) => to.map((address) => arrivedEmail(text, address)))
  const found = await asOwnerOf(site.postgres.url, (query) =>
    violations({
      query,
      operations,
      photoDir: path.join(site.dataDir, 'photos'),
      received,
      emails,
      shown: statusPages,
    }),
  )
  return {
    ...result,
    operations,
    delivered: received.length,
    emails: emails.length,
    wrong: [...wrong, ...found],
  }
}

async function strike(
  { site, random, kills: killsWanted, seconds, each, pictures, say }: Campaign,
  history: History,
  wrong: string[],
): Promise<Pick<Result, 'struck' | 'left' | 'kills'>> {
  const until = Date.now() + seconds * 1_000
  const struck: Struck[] = []
  const left = new Set<string>()
  let kills = 0
  const once = new Set(faults.map(({ name }) => name))
  for (const { name, kills: ended = 0, cannot, strike } of order(random)) {
    if (Date.now() > until || (kills >= killsWanted && once.size === 0)) break
    once.delete(name)
    const why = cannot?.(site)
    if (why) {
      left.add(`${name}: ${why}`)
      continue
    }
    history.fault(name)
    const began = Date.now()
    const note = (what: string) => void wrong.push(`${name}: ${what}`)
    await strike({ site, random, seconds: each, wrong: note, picture: pictures[0]! })
    const mended = Date.now()
    await revived([...site.webs, ...site.workers], note)
    await Promise.all(site.origins.map((origin) => back(origin).catch(() => note(`${origin} is not back`))))
    kills += ended
    struck.push({ name, ms: mended - began, backMs: Date.now() - mended })
    say(`${name}, ${mended - began} ms; writes again after ${Date.now() - mended} ms`)
  }
  for (const name of once) left.add(`${name}: the time was over`)
  return { struck, left: [...left], kills }
}

/** No process ends by itself, whatever else does. */
async function revived(places: readonly Place[], note: (what: string) => void): Promise<void> {
  for (const place of places) {
    const { child, output } = place.process
    if (child.exitCode === null && child.signalCode === null) continue
    note(
      `${place.name} ended by itself with ${child.exitCode ?? child.signalCode}: ${output().slice(-2_000)}`,
    )
    place.process = await place.start()
  }
}

/** Resolves when this web takes writes. Rejects when it does not for long. */
async function back(origin: string): Promise<void> {
  const until = Date.now() + backWithin
  for (;;) {
    const taken = await post(origin, '/api/incidents', keys.MOBILE_API_KEY, probe).catch(() => 0)
    if (taken === 201) return
    if (Date.now() > until) throw new Error(`${origin}: ${taken}`)
    await pause(50)
  }
}

const probe = { assetId: 1, title: 'Is it back?', severity: 'low' }

async function post(origin: string, address: string, key: string, json: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const init = { method: 'POST', headers, body: JSON.stringify(json), signal: AbortSignal.timeout(10_000) }
  const answer = await fetch(origin + address, init)
  await answer.arrayBuffer()
  return answer.status
}

/**
 * Stops the workers, lets the webs send and announce what is left, asks what they show, and stops
 * them.
 */
async function settle({ workers, webs, origins, postgres }: Site, wrong: string[]): Promise<Shown[]> {
  const stop = async (places: readonly Place[]) => {
    for (const { name, process } of places) {
      const code = await process.end()
      if (code !== 0) wrong.push(`${name} ended with ${code} at SIGTERM`)
    }
  }
  await stop(workers)
  const swept = await post(origins[0]!, '/api/cron/sweep', keys.CRON_SECRET, {})
  if (swept !== 200) wrong.push(`the last sweep is answered ${swept}`)
  const waiting = `select (select count(*) from events)
    + (select count(*) from webhook_deliveries where claimed_at is null) as n`
  await asOwnerOf(postgres.url, async (query) => {
    for (const until = Date.now() + sentWithin; ; await pause(200)) {
      const [row] = await query<{ n: number }>(waiting)
      if (row!.n === 0) return
      if (Date.now() > until) return void wrong.push(`${row!.n} webhooks still wait`)
    }
  })
  const statusPages = await Promise.all(
    origins.map((origin) => shownAt(origin, { authorization: `Bearer ${keys.MOBILE_API_KEY}` })),
  )
  await stop(webs)
  return statusPages
}

/** What killed processes left in the store is old enough to be tidied away. */
async function tidied(site: Site): Promise<void> {
  const photos = path.join(site.dataDir, 'photos')
  const longAgo = Date.now() / 1_000 - 3 * 86_400
  for (const file of filesIn(photos)) utimesSync(path.join(photos, file), longAgo, longAgo)
  await site.job('tidy')
}
