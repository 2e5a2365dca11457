import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../test/support/run/random.js'
import { asRequest, nextWrite, type Wanted } from './acts.js'
import { type History, type Outcome, outcomeFrom } from './history.js'

export type Workload = {
  history: History
  random: Random
  /** Where the web processes are, also while one is away. */
  origins: readonly string[]
  cookies: Record<string, string>
  pictures: readonly Buffer[]
  /** Milliseconds a client rests between two writes. */
  rest: number
  isOver: () => boolean
}

/**
 * A client that has heard nothing for so many ms gives up: longer than the program may take when
 * the database hangs.
 */
const patience = 20_000
/** Times that a write of unknown outcome is sent again under its key. */
const retries = 3

/** Incidents that clients know of, the newest last: what they write next is mostly about these. */
export type Incidents = number[]

/** Clients that write at once, one request each, until it is over. */
export async function write(workload: Workload, clients: number, incidents: Incidents = []): Promise<void> {
  let markers = 0
  const next = () => `Fault ${workload.random.seed}-${markers++}`
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (!workload.isOver()) {
        const { random, pictures } = workload
        await act(workload, nextWrite({ random, incidents, pictures, marker: next() }), incidents)
        await pause(workload.rest)
      }
    }),
  )
}

/** One write, and again under its key while no one can say what became of it. */
export async function act(workload: Workload, write: Wanted, incidents: Incidents): Promise<void> {
  const { history, random } = workload
  const { who, incident, marker, photos } = write
  const key = write.again && random.number() < 0.7 ? marker!.replaceAll(' ', '-') : null
  const op = history.ask({ act: write.act, who, marker, incident, photos: photos.length, key })
  for (let attempt = 0; attempt <= (key ? retries : 0); attempt++) {
    const { outcome, made } = await send(workload, write, op, key)
    if (outcome === 'acknowledged' && write.act === 'report' && made !== null) incidents.push(made)
    // Some clients do not believe the answer they got, and ask again.
    if (outcome === 'refused' || (outcome === 'acknowledged' && random.number() < 0.9)) return
    if (outcome === 'unknown') await pause(100 * (attempt + 1))
  }
}

async function send(
  { history, random, origins, cookies }: Workload,
  write: Wanted,
  op: number,
  key: string | null,
): Promise<{ outcome: Outcome; made: number | null }> {
  history.sent(op)
  const withoutAnswer = { outcome: 'unknown' as const, made: null, requestId: null }
  try {
    const answer = await fetch(random.pick(origins) + write.address, {
      ...asRequest(write, cookies, key),
      signal: AbortSignal.timeout(patience),
    })
    const requestId = answer.headers.get('x-request-id')
    const body = (await answer.json().catch(() => ({}))) as { id?: unknown; code?: unknown }
    const code = typeof body.code === 'string' ? body.code : null
    const outcome = outcomeFrom(answer.status, code)
    const made = outcome === 'acknowledged' && typeof body.id === 'number' ? body.id : null
    history.answered(op, { answered: Date.now(), outcome, status: answer.status, code, requestId, made })
    return { outcome, made }
  } catch (error) {
    const code = String((error as { cause?: { code?: unknown } }).cause?.code ?? (error as Error).name)
    history.answered(op, { ...withoutAnswer, answered: Date.now(), status: null, code })
    return withoutAnswer
  }
}
