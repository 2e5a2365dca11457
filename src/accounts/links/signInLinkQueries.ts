import { query } from '../../platform/db/database.js'
import type { CurrentUser } from '../../platform/http/session/user.js'
import { current } from '../../platform/http/session/user.js'

/** Minutes a mailed link signs in, from the moment its mail is written (decision 7.15). */
export const linkMinutes = 15

const unused = `l.used_at is null and l.mailed_at > now() - interval '${linkMinutes} minutes'`

/** SQL: whether the link with alias `l` of user `u` still signs in. */
export const linkAlive = `${unused} and u.active`

/** SQL: whether anybody may make an account, and nobody has one with this address. */
export const isNewSql = (address: string) => `exists (select from properties where sign_up = 'anybody')
  and not exists (select from users where lower(email) = lower(${address}))`

/** SQL: whether an account can still be made behind the link with alias `l`. */
export const signUpAlive = `${unused} and ${isNewSql('l.address')}`

/**
 * A link that signs in by mail. `isHere`: it was asked for in this browser; `isAlive`: it still
 * signs in.
 */
export type SignInLink = {
  user: CurrentUser
  next: string | null
  typed: string | null
  isHere: boolean
  isAlive: boolean
}

/**
 * The link with this id; null when there is none. `browser`: the hash of the secret of the browser
 * that opens it.
 */
export async function signInLink(id: string, browser: Buffer | null): Promise<SignInLink | null> {
  const [row] = await query<CurrentUser & Omit<SignInLink, 'user'>>(
    `select ${current}, l.next, l.typed, coalesce(l.browser_hash = $2, false) as "isHere", coalesce(${linkAlive}, false) as "isAlive"
     from sign_in_links l join users u on u.id = l.user_id where l.id = $1`,
    [id, browser],
  )
  if (!row) return null
  const { next, typed, isHere, isAlive, ...user } = row
  return { user, next, typed, isHere, isAlive }
}

/** A link behind which somebody without an account makes one; as SignInLink. */
export type SignUpLink = { address: string } & Omit<SignInLink, 'user'>

/** As `signInLink`, for somebody without an account. */
export async function signUpLink(id: string, browser: Buffer | null): Promise<SignUpLink | null> {
  const [row] = await query<SignUpLink>(
    `select l.address, l.next, l.typed, coalesce(l.browser_hash = $2, false) as "isHere",
       coalesce(${signUpAlive}, false) as "isAlive"
     from sign_in_links l where l.id = $1 and l.address is not null`,
    [id, browser],
  )
  return row ?? null
}

/**
 * The link's time begins while its mail is written, and not anew when the mail is tried again.
 * Returns when it ends; null when it is gone.
 */
export async function beginLink(id: string): Promise<Date | null> {
  const [row] = await query<{ until: Date }>(
    `update sign_in_links set mailed_at = coalesce(mailed_at, now()) where id = $1
     returning mailed_at + make_interval(mins => $2) as until`,
    [id, linkMinutes],
  )
  return row?.until ?? null
}
