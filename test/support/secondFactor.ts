import { load } from 'cheerio'
import { Secret, TOTP } from 'otpauth'
import { query } from '../../src/platform/db/database.js'
import type { House } from './house/house.js'

const ours = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }

/** What an authenticator app shows at this moment for a secret as people type it. */
export function codeNow(typed: string, at = Date.now()): string {
  return TOTP.generate({ secret: Secret.fromBase32(typed.replaceAll(' ', '')), timestamp: at })
}

/** Begins to set up a second factor; returns the secret as its page shows it. */
export async function startSecondFactor(house: House, cookie: string): Promise<string> {
  const headers = { ...ours, cookie }
  const started = await house.ask('guest', '/account/second-factor', { form: {}, headers })
  if (started.status !== 303) throw new Error(`not started: ${started.status}`)
  return (await house.page('guest', '/account/second-factor', { headers }))('.secret').text()
}

/**
 * Turns on a second factor on its pages, as whoever has this cookie. `code` is a right code each
 * time it is asked, also within one half minute: what was used is forgotten before.
 */
export async function secondFactorFor(house: House, cookie: string) {
  const secret = await startSecondFactor(house, cookie)
  const answer = await house.submit({ cookie }, '/account/second-factor/confirmation', {
    code: codeNow(secret),
  })
  if (answer.status !== 200) throw new Error(`not confirmed: ${answer.status}`)
  const page = load(await answer.text())
  const codes = page('.codes code')
    .toArray()
    .map((each) => page(each).text())
  const code = async () => {
    await query('update second_factors set last_step = 0')
    return codeNow(secret)
  }
  return { secret, codes, code }
}

/** Makes the session of this cookie eleven minutes old, and every other one with it. */
export async function letTimePass(): Promise<void> {
  await query(`update sessions set authenticated_at = now() - interval '11 minutes'`)
}

/** As if no one had set up a second factor, and the building required none. */
export async function forgetSecondFactors(): Promise<void> {
  await query('delete from second_factors')
  await query(`update properties set second_factor_required = 'off'`)
}

/** Turns on a second factor that no code can be right for: a test needs only that there is one. */
export async function secondFactorWithoutCodes(userId: number): Promise<void> {
  await query(
    `insert into second_factors (user_id, secret, salt, confirmed_at, created_at)
     values ($1, '', '', now(), now())`,
    [userId],
  )
}

/** The building requires a second factor of staff; to turn that on, an admin would need one. */
export async function requireSecondFactorOfStaff(): Promise<void> {
  await query(`update properties set second_factor_required = 'staff'`)
}
