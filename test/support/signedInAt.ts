import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { cookieOf } from './house/asking.js'

/** The cookies of the demo people, signed in at a process by their passwords. */
export async function signedInAt(
  origin: string,
  people = ['resident', 'manager', 'admin'],
): Promise<Record<string, string>> {
  return Object.fromEntries(await Promise.all(people.map(async (who) => [who, await signInAt(origin, who)])))
}

async function signInAt(origin: string, who: string): Promise<string> {
  const answer = await fetch(`${origin}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${who}@example.com`, password: demoPassword }),
  })
  if (answer.status !== 200) throw new Error(`sign-in as ${who}: ${answer.status} ${await answer.text()}`)
  return cookieOf(answer)
}
