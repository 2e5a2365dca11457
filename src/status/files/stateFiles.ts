import {
  type CachedResponse,
  cacheResponse,
  respondCached,
  sendUnconfirmed,
} from '../../platform/http/answer/cachedResponse.js'
import type { Context } from '../../platform/http/context.js'
import { once } from '../../platform/http/memoized.js'
import {
  isAnonymousRead,
  securityHeaders,
  shownOnOtherSites,
} from '../../platform/http/protection/securityHeaders.js'
import { varyingData } from '../../platform/http/representation.js'
import { databaseAway } from '../../platform/process/databaseErrors.js'
import type { BuildingState } from '../present/status.js'
import {
  current,
  type Kept,
  knownFor,
  knownWhileAway,
  type StateFile,
  statusCounters,
} from '../stateCache.js'

/** How a file is made of the building's state. */
type FileKind = {
  /** Its address. */
  path: string
  type: string
  /**
   * Reads what the file needs besides the state. What it resolves to writes the file; with an age
   * in minutes, it says that this could not be checked.
   */
  load: (state: BuildingState) => Promise<StateFile['write']> | StateFile['write']
  /** It needs nothing else: it can be made of the last known state as well. */
  isOfStateAlone?: boolean
}

/** A file as it was last current, and the same file with its age. */
type LastFile = {
  file: StateFile
  state: BuildingState
  at: number
  unconfirmed: { minutes: number; answer: CachedResponse } | null
}

/** The files that were asked for last, by their addresses. */
const lastFiles = new Map<string, LastFile>()
const mostLastFiles = 100
const minute = 60_000

/** Responds with a file of the building's state, made once for each of its states. */
export async function respondWithFile(ctx: Context, kind: FileKind): Promise<void> {
  const view = await current().catch(async (error: unknown) => {
    const known = kind.isOfStateAlone ? knownWhileAway(error) : null
    if (known && lastFiles.get(kind.path)?.state !== known.view.state)
      remember(kind.path, await fileOf(kind, known.view), known.view.state, known.age)
    throw error
  })
  const file = await fileOf(kind, view)
  remember(kind.path, file, view.state, 0)
  await respondCached(file.answer, ctx)
  ctx.set(shownOnOtherSites)
}

function fileOf({ path, type, load }: FileKind, { state, files }: Kept): Promise<StateFile> {
  return once(files, path, async () => {
    const write = await load(state)
    return { type, write, answer: cacheResponse(write(null), { type, vary: varyingData }) }
  })
}

/** `age` in ms. */
function remember(path: string, file: StateFile, state: BuildingState, age: number): void {
  lastFiles.delete(path)
  lastFiles.set(path, { file, state, at: performance.now() - age, unconfirmed: null })
  if (lastFiles.size > mostLastFiles) lastFiles.delete(lastFiles.keys().next().value!)
}

/**
 * While the database is away, answers with the file as it was last current, which says how old it
 * is. False, having done nothing, for other requests and errors, and when nothing is known.
 */
export function fileWhileAway(error: unknown, ctx: Context): boolean {
  if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || !databaseAway(error)) return false
  const last = lastFiles.get(ctx.path)
  if (!last) return false
  const known = knownWhileAway(error)
  const age = known?.view.state === last.state ? known.age : performance.now() - last.at
  if (age >= knownFor) return false
  statusCounters.cache.stale += 1
  const minutes = Math.floor(age / minute)
  if (last.unconfirmed?.minutes !== minutes)
    last.unconfirmed = { minutes, answer: unconfirmedAnswer(last.file, minutes) }
  sendUnconfirmed(last.unconfirmed.answer, ctx.req, ctx.res, {
    anySite: isAnonymousRead(ctx.req),
    security: { ...securityHeaders, ...shownOnOtherSites },
  })
  ctx.respond = false
  return true
}

const unconfirmedAnswer = ({ type, write }: StateFile, minutes: number) =>
  cacheResponse(write(minutes), { type, vary: varyingData })
