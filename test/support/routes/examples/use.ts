import type { Who } from '../../house/asking.js'

/** One use of a write that succeeds. */
export type Use = {
  /** Default: the admin. */
  who?: Who
  /** The session of an account made for this use, which is sent instead of the one of `who`. */
  cookie?: string
  /** What replaces `:id` and the like in the address, in order. */
  ids?: (number | string)[]
  json?: object
  /** The audit entries it leaves, by the account that asked. */
  audit?: string[]
  /** The audit entries it leaves that no account is named in. */
  systemAudit?: string[]
}

/** Sets up one use; every call makes a new one. */
export type Example = () => Use | Promise<Use>

/** Uses by method and address without /api: the page and the API address of a route do the same. */
export type Examples = Record<string, Example>

let count = 0

/** A text no other example has. */
export const unique = (text: string) => `${text} ${++count}`

/** An address no other example has. */
export const uniqueAddress = (name: string) => `${name}${++count}@outside.test`
