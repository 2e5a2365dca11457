import { query } from '../../../src/platform/db/database.js'
import { signInLinkToken } from '../../../src/platform/http/session/signInLinkToken.js'
import { cookieOf, type useApp } from '../app.js'

/** A link to sign in by mail, and the cookie of the browser that asked for it. */
export async function mailedSignIn(
  app: ReturnType<typeof useApp>,
  email = 'resident@example.com',
): Promise<{ ids: string[]; cookie: string }> {
  const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }
  const asked = await app.ask('guest', '/sign-in/link', { form: { email }, headers })
  if (asked.status !== 303) throw new Error(`${email} was refused a link: ${asked.status}`)
  const [link] = await query<{ id: string }>(
    `update sign_in_links set mailed_at = now()
     where id = (select id from sign_in_links order by created_at desc limit 1) returning id`,
  )
  return { ids: [signInLinkToken(link!.id)], cookie: cookieOf(asked) }
}

/** The same for somebody without an account, in a building where anybody may make one. */
export async function mailedSignUp(app: ReturnType<typeof useApp>, email: string) {
  await query(`update properties set sign_up = 'anybody'`)
  return mailedSignIn(app, email)
}
