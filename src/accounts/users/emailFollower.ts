import type { Change } from '../../platform/db/change.js'

/**
 * The person with this email address and without an account, in the folding of the database; made
 * when new. `wrote`: they wrote to us, so they may be answered (decision 7.4). `hasClicked`: they
 * have pressed a button in our emails.
 */
export async function emailFollowerAt(
  c: Change,
  { address, locale, wrote = false }: { address: string; locale: string; wrote?: boolean },
): Promise<{ id: number; hasClicked: boolean }> {
  const [row] = await c.query<{ id: number; hasClicked: boolean }>(
    `insert into email_followers as m (address, locale, wrote_at, created_at)
     values ($1, $2, case when $3::boolean then $4::timestamptz end, $4)
     on conflict (lower(address)) do update set wrote_at = coalesce(m.wrote_at, excluded.wrote_at)
     returning id, clicked_at is not null as has_clicked`,
    [address, locale, wrote, c.now],
  )
  return row!
}
