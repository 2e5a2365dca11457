import { randomUUID } from 'node:crypto'
import { query } from '../../../../src/platform/db/database.js'
import { scalar } from '../../rows.js'
import { asForm, type Write } from '../writes.js'

/** Forms that do the same again when they are sent again, and why nothing is stored twice by it. */
export const mayRepeat: Record<string, string> = {
  'POST /account/identities': 'each press leads to the provider, which links once',
  'POST /account/second-factor': 'a new secret replaces the one before',
  'POST /account/second-factor/recovery-codes': 'new codes replace those before',
  'POST /admin/contacts/:id/move': 'one step further, as the button says',
  'POST /admin/users/:id/invitation': 'the link of the new email replaces the one before',
  'POST /admin/users/:id/sign-out': 'ends what was begun since',
  'POST /admin/webhooks/:id/secret': 'a new secret replaces the one before',
  'POST /admin/webhooks/:id/test': 'a test is sent each time, and nothing else',
  'POST /follow': 'the same follower is asked again: the first email may be lost',
  'POST /forgot-password': 'the first email may be lost',
  'POST /sign-in': 'a session each time',
  'POST /sign-in/link': 'the first email may be lost',
}

const newestEntry = () => scalar<number>('select coalesce(max(id), 0) as id from audit_entries')

/** What people did since an entry; what followed from it by itself is no second act. */
async function actsSince(entry: number): Promise<string[]> {
  const rows = await query<{ action: string }>(
    `select action from audit_entries where id > $1 and action <> 'asset.status_changed' order by id`,
    [entry],
  )
  return rows.map(({ action }) => action)
}

/** What a form stored twice when it was sent twice, each time from a page fetched anew. */
export async function storedTwice({ use, send }: Write): Promise<string[]> {
  const sendForm = async () => {
    const before = await newestEntry()
    const body = asForm({ ...use.json, formKey: randomUUID() })
    await send({ body, headers: { accept: 'text/html' } })
    return actsSince(before)
  }
  const first = await sendForm()
  const second = await sendForm()
  return second.filter((act) => first.includes(act))
}
