import { createHmac, randomUUID } from 'node:crypto'
import { type LinkData, type LinkPurpose, linkPurposes } from '../../vocabulary/email/linkPurposes.js'
import type { Change } from '../db/change.js'
import { type Query, query } from '../db/database.js'
import { config } from '../process/config.js'
import { hashOf } from '../process/hashing.js'
import { codeFrom, hashOfCode } from './linkCodes.js'
import { pageUrl } from './pageUrl.js'

/** Whom a link is for: an account, or a person without one. */
export type Addressee = { userId: number } | { emailFollowerId: number }

/** A stored link. `isOver`: its time is up; `isUsed`: it was used before. */
export type EmailLink<P extends LinkPurpose = LinkPurpose> = Addressee & {
  purpose: P
  tokenHash: Buffer
  data: LinkData[P]
  isOver: boolean
  isUsed: boolean
}

/**
 * A link to make. Its time runs from `from` (default: now), for `minutes` instead of those of its
 * purpose; with `startsWhenEmailIsWritten` from `startLinkTime`. `seed`: two links of one purpose
 * are the same when their seeds are; by default it is drawn at random.
 */
export type NewLink<P extends LinkPurpose> = {
  purpose: P
  who: Addressee
  data: LinkData[P]
  minutes?: number
  from?: Date
  startsWhenEmailIsWritten?: true
  seed?: string
}
type AnyNewLink = { [P in LinkPurpose]: NewLink<P> }[LinkPurpose]

/** A link as its email shows it; `expiresAt` is null for one that works for ever. */
type MadeLink = { token: string; href: string; expiresAt: Date | null }

/** The same, with the code beside it, where its purpose has one. */
type StartedLink = MadeLink & { code: string | null }

/**
 * Makes links, all in one statement, and stores only the hashes of their tokens: neither the
 * database nor SESSION_SECRET alone gives a link away that was drawn at random. A link that is
 * there already stays as it is.
 */
export async function mintLinks(links: readonly AnyNewLink[], run: Query = query): Promise<MadeLink[]> {
  const made = links.map((each) => ({ ...each, token: tokenOf(each), expiresAt: endOf(each) }))
  const rows = made.map(({ token, purpose, who, data, expiresAt, startsWhenEmailIsWritten }) => ({
    hash: hashOf(token).toString('hex'),
    purpose,
    ...who,
    data,
    expiresAt: startsWhenEmailIsWritten ? null : (expiresAt ?? 'infinity'),
  }))
  await run(
    `insert into email_links (token_hash, purpose, user_id, email_follower_id, data, expires_at)
     select distinct on (hash) decode(hash, 'hex'), purpose, "userId", "emailFollowerId", data, "expiresAt"
     from json_to_recordset($1) as l (hash text, purpose text, "userId" integer, "emailFollowerId" integer,
       data jsonb, "expiresAt" timestamptz)
     on conflict (token_hash) do nothing`,
    [JSON.stringify(rows)],
  )
  return made.map(({ token, purpose, expiresAt }) => ({ token, href: hrefOf(purpose, token), expiresAt }))
}

/** Makes one link, as `mintLinks` does. */
export async function mintLink<P extends LinkPurpose>(link: NewLink<P>, run?: Query): Promise<MadeLink> {
  return (await mintLinks([link as AnyNewLink], run))[0]!
}

/**
 * Starts the time of a link made with `startsWhenEmailIsWritten`, while its email is written, and
 * not again when the email is tried again; a code beside it works from then on. Null when the link
 * is gone.
 */
export async function startLinkTime(purpose: LinkPurpose, seed: string): Promise<StartedLink | null> {
  const token = tokenOf({ purpose, seed })
  const tokenHash = hashOf(token)
  const code = linkPurposes[purpose].hasCode ? codeFrom(purpose, seed) : null
  const [row] = await query<{ expiresAt: Date }>(
    `update email_links set expires_at = coalesce(expires_at, $2), code_hash = coalesce(code_hash, $3)
     where token_hash = $1 returning expires_at`,
    [tokenHash, endOf({ purpose }), code && hashOfCode(tokenHash, code)],
  )
  return row ? { token, href: hrefOf(purpose, token), code, ...row } : null
}

/** The link with this token; null when it is forged, of another purpose, or deleted. */
export async function findLink<P extends LinkPurpose>(
  purpose: P,
  token: string,
): Promise<EmailLink<P> | null> {
  const tokenHash = hashOf(token)
  const [row] = await query<{
    userId: number | null
    emailFollowerId: number | null
    data: LinkData[P]
    isOver: boolean
    isUsed: boolean
  }>(
    `select user_id, email_follower_id, data,
       coalesce(expires_at <= now(), true) as is_over, used_at is not null as is_used
     from email_links where token_hash = $1 and purpose = $2`,
    [tokenHash, purpose],
  )
  if (!row) return null
  const { userId, emailFollowerId, ...rest } = row
  return {
    purpose,
    tokenHash,
    ...(userId === null ? { emailFollowerId: emailFollowerId! } : { userId }),
    ...rest,
  }
}

/**
 * Uses a link up: of several presses one succeeds, and with `allowRepeat` every one. `data`: what
 * it keeps from then on. False when it was used before, is over or gone.
 */
export async function redeemLink<P extends LinkPurpose>(
  c: Change,
  { tokenHash }: EmailLink<P>,
  { allowRepeat = false, data }: { allowRepeat?: boolean; data?: LinkData[P] } = {},
): Promise<boolean> {
  const rows = await c.query(
    `update email_links set used_at = coalesce(used_at, $2), data = coalesce($4::jsonb, data)
     where token_hash = $1 and expires_at > now() and (used_at is null or $3) returning 1`,
    [tokenHash, c.now, allowRepeat, data ? JSON.stringify(data) : null],
  )
  return rows.length > 0
}

function tokenOf({ purpose, seed = randomUUID() }: { purpose: LinkPurpose; seed?: string }): string {
  const key = createHmac('sha256', config.sessionSecret).update('email link').digest()
  return createHmac('sha256', key).update(`${purpose}:${seed}`).digest('base64url')
}

const hrefOf = (purpose: LinkPurpose, token: string) => pageUrl(`${linkPurposes[purpose].page}/${token}`)

function endOf({
  purpose,
  minutes = linkPurposes[purpose].minutes ?? undefined,
  from = new Date(),
}: Pick<AnyNewLink, 'purpose' | 'minutes' | 'from'>): Date | null {
  return minutes === undefined ? null : new Date(from.getTime() + minutes * 60_000)
}
