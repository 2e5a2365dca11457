import { setTimeout as sleep } from 'node:timers/promises'
import { noteDatabaseFailure } from '../db/availability.js'
import { registerAfterCommit } from '../db/change.js'
import { extensionPoint } from '../process/extensionPoint.js'
import { log } from '../process/log.js'
import { detached } from '../process/tracing.js'

/**
 * Sends one kind of outbox row. `drain` sends everything due now and resolves also when it failed.
 * May be called concurrently; the sender serialises itself. `stop`: starts nothing more, for good.
 */
export type Sender = { name: string; drain: () => Promise<void>; stop?: () => void }

/**
 * What else follows a commit, beside the sending: `assetIds` as `AfterCommit` of `change` has them,
 * never empty.
 */
type FollowUp = (assetIds: ReadonlySet<number>, requestId?: string) => Promise<unknown>

/** Makes messages and deliveries of the stored events, in any number of processes at once. */
type FanOut = (stopped: () => boolean) => Promise<void>

/** The fan-out, which a feature registers. */
export const fanOutHook = extensionPoint<FanOut>('fan-out of events')

type Outbox = {
  senders: Sender[]
  followUp: FollowUp
  fanOut: FanOut
  timer: NodeJS.Timeout | null
  /** The work under way, for `idle`. */
  busy: Set<Promise<void>>
  /** Whether there was a commit since the last poll began. */
  pollRequested: boolean
  isPolling: boolean
  /** When the next poll may begin at the earliest, by the clock of `performance.now`. */
  nextPollAt: number
  isStopped: boolean
}

/** Milliseconds until rows left by a dead process are found by another process. */
const pollInterval = 5_000

/**
 * After a poll, rest for four times as long as it took, at most 200 ms: many commits must not cause
 * many polls.
 */
const restFactor = 4
const longestRest = 200

let outbox: Outbox | null = null

/**
 * Sends after each commit of this process, and every few seconds the rows others left. `watch:
 * false`, for the command line: only this process's own commits, until `idle` resolves. Throws when
 * nothing is registered that hands on events.
 */
export function startOutbox(senders: Sender[], followUp: FollowUp, { watch = true } = {}): void {
  const timer = watch ? setInterval(wake, pollInterval) : null
  timer?.unref()
  outbox = {
    senders,
    followUp,
    fanOut: fanOutHook.registered(),
    timer,
    busy: new Set(),
    pollRequested: false,
    isPolling: false,
    nextPollAt: -Infinity,
    isStopped: false,
  }
  registerAfterCommit((assetIds, requestId) => {
    if (!outbox) return
    if (assetIds.size > 0) inBackground('announce', () => followUp(assetIds, requestId))
    wake()
  })
}

/** Starts sending what is due, in the background. Never throws. */
export function wake(): void {
  if (!outbox) return
  outbox.pollRequested = true
  if (outbox.isPolling) return
  outbox.isPolling = true
  inBackground('events', poll)
}

/**
 * Makes messages of the events that wait, and lets every sender send what is due. All commits
 * during one poll share the next one.
 */
async function poll(): Promise<void> {
  const state = outbox!
  while (state.pollRequested) {
    await sleep(Math.max(0, state.nextPollAt - performance.now()))
    state.pollRequested = false
    const startedAt = performance.now()
    await state.fanOut(() => state.isStopped).catch((error: unknown) => noteFailure('events', error))
    for (const { name, drain } of state.senders) inBackground(name, drain)
    const duration = performance.now() - startedAt
    state.nextPollAt = performance.now() + Math.min(restFactor * duration, longestRest)
  }
  state.isPolling = false
}

/** Resolves when nothing started here is running any more. */
export async function idle(): Promise<void> {
  while (outbox && outbox.busy.size > 0) await Promise.all(outbox.busy)
}

/** Starts nothing more and waits for running work. */
export async function stopOutbox(): Promise<void> {
  if (!outbox) return
  if (outbox.timer) clearInterval(outbox.timer)
  outbox.isStopped = true
  for (const sender of outbox.senders) sender.stop?.()
  outbox.senders = []
  await idle()
  outbox = null
}

function inBackground(name: string, work: () => Promise<unknown>): void {
  const { busy } = outbox!
  // Detached from the request that woke it, as it also sends what other requests have left.
  const task = detached(work)
    .then(
      () => {},
      (error: unknown) => noteFailure(name, error),
    )
    .finally(() => busy.delete(task))
  busy.add(task)
}

function noteFailure(name: string, error: unknown): void {
  if (!noteDatabaseFailure(error)) log.error({ error, name }, 'outbox')
}
