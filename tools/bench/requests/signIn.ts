import { hashPassword } from '../../../src/accounts/users/passwords.js'
import { fill } from '../world.js'

const password = 'bench-people-password'

/** Gives everyone of this role the password that `signIn` uses. */
export async function givePasswords(role: string): Promise<void> {
  await fill('update users set password_hash = $1 where role = $2 and not is_mobile_reporter', [
    await hashPassword(password),
    role,
  ])
}

/** Signs a person in and returns the Cookie header of their browser. */
export async function signIn(port: number, email: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(`the sign-in answered ${answer.status}`)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
