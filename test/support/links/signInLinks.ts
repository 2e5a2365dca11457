import { query } from '../../../src/platform/db/database.js'
import { startLinkTime } from '../../../src/platform/links/emailLinks.js'
import { cookieOf } from '../house/asking.js'
import type { House } from '../house/house.js'

/** A link to sign in by email, its code, and the cookie of the browser that asked for it. */
export async function mailedSignIn(
  house: House,
  email = 'resident@example.com',
): Promise<{ ids: string[]; cookie: string; code: string }> {
  const asked = await house.submit('guest', '/sign-in/link', { email })
  if (asked.status !== 303) throw new Error(`${email} was refused a link: ${asked.status}`)
  const [queued] = await query<{ event: string; name: string }>(
    `select event, payload ->> 'link' as name from outbox where event in ('account.sign_in', 'account.sign_up')
     order by id desc limit 1`,
  )
  const link = await startLinkTime(queued!.event === 'account.sign_in' ? 'sign_in' : 'sign_up', queued!.name)
  return { ids: [link!.token], cookie: cookieOf(asked), code: link!.code! }
}

/** The same for somebody without an account, in a building where anybody may make one. */
export async function mailedSignUp(house: House, email: string) {
  await query(`update properties set sign_up = 'anybody'`)
  return mailedSignIn(house, email)
}
