import { type Change, change } from '../../platform/db/change.js'
import { commitWithoutFlush } from '../../platform/db/commitWithoutFlush.js'
import { query } from '../../platform/db/database.js'
import { hour } from '../../platform/http/protection/actCounters.js'
import { type EmailLink, mintLink, redeemLink } from '../../platform/links/emailLinks.js'
import { isCodeOf } from '../../platform/links/linkCodes.js'
import type { LinkData } from '../../vocabulary/email/linkPurposes.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { redeemSignIn } from './signInLink.js'

/** Codes that may be tried on one email; after that only its link still works (decision 9.29). */
const mostTries = 3

/**
 * Who types a code: the browser, and the address it asked for an email to. `userId`: of the account
 * at that address; null without one.
 */
export type CodeAttempt = { browser: Buffer; address: string; userId: number | null }

/** What a right code opens: the account, and where its link would have led, or a page. */
export type CodeOpens = { link: LinkData['sign_in'] } | { signUpPage: string }

type CodedLink = {
  purpose: 'sign_in' | 'sign_up'
  tokenHash: Buffer
  codeHash: Buffer
  userId: number | null
  emailFollowerId: number | null
  data: LinkData['sign_in']
}

/**
 * Uses up the link whose email has this code, among those to this address that this browser asked
 * for. Null for a wrong code, which counts for each of them. The same statements run without an
 * account, so that neither answer nor time tells which (decision 1.1).
 */
export async function useEmailCode(
  actor: Actor,
  attempt: CodeAttempt,
  code: string,
): Promise<CodeOpens | null> {
  const { browser, address, userId } = attempt
  return change(actor, async (c) => {
    await commitWithoutFlush(c)
    // Counted in the same statement, because guesses may be parallel.
    const tried = await c.query<CodedLink>(
      `update email_links set code_tries = code_tries + 1
       where purpose in ('sign_in', 'sign_up') and data ->> 'browser' = $1
         and (user_id = $2
           or email_follower_id = (select id from email_followers where lower(address) = lower($3)))
         and code_hash is not null and code_tries < $4 and used_at is null and expires_at > now()
       returning purpose, token_hash, code_hash, user_id, email_follower_id, data`,
      [browser.toString('base64url'), userId, address, mostTries],
    )
    const link = tried.find(({ tokenHash, codeHash }) => isCodeOf(tokenHash, codeHash, code))
    const opens = link && (await redeem(c, link, attempt))
    if (opens) c.audit('user.sign_in_code_used', userId)
    else if (tried.length > 0) c.audit('user.sign_in_code_refused', userId)
    else c.noop()
    return opens ?? null
  })
}

/** Null when the account is closed, or the address may make none any more. */
async function redeem(c: Change, link: CodedLink, { address }: CodeAttempt): Promise<CodeOpens | null> {
  const { purpose, tokenHash, userId, emailFollowerId, data } = link
  const usable = { tokenHash, data, isOver: false, isUsed: false }
  if (userId !== null) {
    const signIn: EmailLink<'sign_in'> = { ...usable, purpose: 'sign_in', userId }
    return (await redeemSignIn(c, signIn, userId)) ? { link: data } : null
  }
  const who = { emailFollowerId: emailFollowerId! }
  const isNew = await c.query('select where can_sign_up($1)', [address])
  if (isNew.length === 0 || !(await redeemLink(c, { ...usable, ...who, purpose }))) return null
  // Only the email knows the address of its link: the page gets another of its own.
  const { href } = await mintLink({ purpose: 'sign_up', who, data }, c.query)
  return { signUpPage: new URL(href).pathname }
}

/** Seconds within which the second press of a button arrives. */
const secondPress = 30

/**
 * Where the newest email led that this browser asked for and that has signed this user in; null
 * when there is none. `code`: only the email with this one, and only if it was used just now, as
 * when a button is pressed twice.
 */
export async function usedEmail(
  browser: Buffer,
  userId: number,
  code?: string,
): Promise<LinkData['sign_in'] | null> {
  const links = await query<Pick<CodedLink, 'tokenHash' | 'data'> & { codeHash: Buffer | null }>(
    `select token_hash, code_hash, data from email_links
     where purpose = 'sign_in' and data ->> 'browser' = $1 and user_id = $2
       and used_at > now() - make_interval(secs => $3) and expires_at > now()
     order by used_at desc`,
    [browser.toString('base64url'), userId, code === undefined ? hour : secondPress],
  )
  const isMeant = (link: (typeof links)[number]) =>
    code === undefined || isCodeOf(link.tokenHash, link.codeHash, code)
  return links.find(isMeant)?.data ?? null
}
