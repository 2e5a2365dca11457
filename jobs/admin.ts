// First: it refuses wrong arguments before anything else is loaded.
import './support/commandLine.js'

import { makeAdmin, resetSecondFactorOf, unlinkPersonOf } from '../src/accounts/people/makeAdmin.js'
import { newKeyPair } from '../src/platform/process/webPushKeys.js'
import { Conflict } from '../src/vocabulary/conflict.js'
import { nameProblem } from '../src/vocabulary/people/personName.js'
import { NotFound, ValidationFailed } from '../src/vocabulary/validation.js'
import { argumentsOf } from './support/commandLine.js'
import { runAsProcess } from './support/runJob.js'

const passwordAdvice = `Choose another password of 12 to 200 characters. Don’t use a common password, only digits,
repeated characters, keys in a row, or words from your name, email address or building.
Try three random words.`

type AdminArguments = ReturnType<typeof argumentsOf<'admin'>>['values']

/**
 * `npm run admin -- --email … [--name …] [--password …]` makes the first admin (decision 5.3);
 * `--reset-second-factor` after loss of app and codes (7.12); `--unlink` ends links to a provider
 * (7.20); `--push-keys` prints keys (4.10).
 */
await runAsProcess(async () => {
  const { values } = argumentsOf('admin')
  if (values['push-keys']) return createKeyPair()
  const email = values.email?.trim() ?? ''
  if (values['reset-second-factor'] || values.unlink) return resetOrUnlink(email, values)
  return makeFirstAdmin(email, values)
})

function createKeyPair() {
  const { publicKey, privateKey } = newKeyPair()
  return { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }
}

/** Does one or both, and says what the account no longer has. */
async function resetOrUnlink(email: string, values: AdminArguments) {
  try {
    const result: { id?: number; email: string; secondFactor?: false; linked?: false } = { email }
    if (values['reset-second-factor']) {
      result.id = await resetSecondFactorOf(email)
      result.secondFactor = false
    }
    if (values.unlink) {
      result.id = await unlinkPersonOf(email)
      result.linked = false
    }
    return { id: result.id, ...result }
  } catch (error) {
    throw error instanceof NotFound ? new Error(`There is no account with the address ${email}.`) : error
  }
}

/** Makes the account an admin. The password is printed when it was generated. */
async function makeFirstAdmin(email: string, values: AdminArguments) {
  const name = values.name?.trim() || email
  if (nameProblem(name, ''))
    throw new Error('Enter a person’s name without hidden characters: --name "Ada Admin"')
  try {
    const { id, password } = await makeAdmin({ email, name, password: values.password })
    return { id, email, role: 'admin', ...(password === null ? {} : { password }) }
  } catch (error) {
    if (error instanceof Conflict)
      throw new Error(`${email} is the account of the mobile app, and of no person.`)
    throw error instanceof ValidationFailed ? new Error(passwordAdvice) : error
  }
}
