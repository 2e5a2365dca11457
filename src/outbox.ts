import { log } from './log.js'

/**
 * Sends one kind of what changes left in the database. `drain` sends everything that is due now and resolves when that
 * is done, also when it failed: what may be tried again is due later. Several calls at once are one's own to sort out.
 * After `stop`, at once and for good, it begins nothing more: a long drain ends with what is under way.
 */
export type Sender = { name: string; drain: () => Promise<void>; stop?: () => void }

/** Compares and announces the live status of these assets (decision 3.5). */
export type Announce = (assetIds: ReadonlySet<number>) => Promise<void>

type Outbox = {
  senders: Sender[]
  announce: Announce
  timer: NodeJS.Timeout | null
  busy: Set<Promise<void>>
}

/** What a dead process left is found by the others within this time, in ms. */
const lookEvery = 5_000

let outbox: Outbox | null = null

/**
 * Starts sending in this process: at once after each of its own commits, and every few seconds what others left behind.
 * `watch: false` is for the command line: only what the process commits itself, until `settled`.
 */
export function startOutbox(senders: Sender[], announce: Announce, { watch = true } = {}): void {
  const timer = watch ? setInterval(() => wake(new Set()), lookEvery) : null
  timer?.unref()
  outbox = { senders, announce, timer, busy: new Set() }
}

/** A change was committed: what it left can go, and these assets may look different. Returns at once; never throws. */
export function wake(assetIds: ReadonlySet<number>): void {
  const { senders = [], announce } = outbox ?? {}
  if (announce && assetIds.size > 0) inBackground('announce', () => announce(assetIds))
  for (const { name, drain } of senders) inBackground(name, drain)
}

/** Resolves when nothing that was begun is under way any more: before a process ends, or a test looks. */
export async function idle(): Promise<void> {
  while (outbox && outbox.busy.size > 0) await Promise.all(outbox.busy)
}

/** Begins nothing more and waits for what is under way. */
export async function stopOutbox(): Promise<void> {
  if (!outbox) return
  if (outbox.timer) clearInterval(outbox.timer)
  for (const sender of outbox.senders) sender.stop?.()
  outbox.senders = []
  await idle()
  outbox = null
}

function inBackground(name: string, work: () => Promise<void>): void {
  const { busy } = outbox!
  const task = work()
    .catch((error: unknown) => log.error({ error, name }, 'outbox'))
    .finally(() => busy.delete(task))
  busy.add(task)
}
