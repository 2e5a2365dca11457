import type { Role } from './permissions.js'

/** The channel a write came through, as audit entries name it (decision 4.14). */
export type Via = 'web' | 'mobile' | 'cron' | 'email' | 'cli' | 'scheduler'

/** Who acts. System actors have no id. Every action takes one: nobody acts by being ambient. */
export type Actor = {
  type: 'user' | 'system'
  id: number | null
  name: string
  role: Role | null
  via: Via
  requestId?: string
  /** The address they ask from, for the log of defenders; it is not kept with the entry. */
  client?: string
  /** The caller's Idempotency-Key and a digest of what was asked with it (decisions 2.14, 6.13). */
  idempotency?: { key: string; digest: string }
  /** Only the demo's history: the act happened then, and nobody is told of it. */
  past?: Date
  /** The hash of the session that a person acts by: it outlives what ends their other sessions (decision 1.2). */
  sessionHash?: Buffer
  /** When they last gave password and code in that session, by the database's clock (decision 7.12). */
  authenticatedAt?: Date
}

/** Who looks: all that presenters need to know to keep what is not for everybody (decision 2.9). */
export type Viewer = { staff: boolean; userId: number | null }

/** What a guest sees; also what leaves the building by webhook. */
export const publicViewer: Viewer = { staff: false, userId: null }

/** A system actor for machine-authenticated and scheduled work (spec §5 rule 9). */
export function systemActor(via: Via): Actor {
  return { type: 'system', id: null, name: 'System', role: null, via }
}
