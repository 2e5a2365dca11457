import './commandLine.js'

import { makeAdmin, resetSecondFactorOf, unlinkPersonOf } from '../src/accounts/people/makeAdmin.js'
import { newKeyPair } from '../src/platform/process/webPushKeys.js'
import { Conflict } from '../src/vocabulary/conflict.js'
import { nameProblem } from '../src/vocabulary/people/personName.js'
import { NotFound, ValidationFailed } from '../src/vocabulary/validation.js'
import { argumentsOf } from './commandLine.js'
import { runAsProcess } from './run.js'

const passwordAdvice = `Choose another password of 12 to 200 characters. Don’t use a common password, only digits,
repeated characters, keys in a row, or words from your name, email address or building.
Try three random words.`

/**
 * `npm run admin -- --email … [--name …] [--password …]` makes the first admin (decision 5.3);
 * `--reset-second-factor` after loss of app and codes (7.12); `--unlink` ends links to a provider
 * (7.20); `--push-keys` prints keys (4.10).
 */
await runAsProcess(async () => {
  const { values } = argumentsOf('admin')
  if (values['push-keys']) {
    const { publicKey, privateKey } = newKeyPair()
    return { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }
  }
  const email = values.email?.trim() ?? ''
  const known = (error: unknown) => {
    throw error instanceof NotFound ? new Error(`There is no account with the address ${email}.`) : error
  }
  const reset = values['reset-second-factor'] ? await resetSecondFactorOf(email).catch(known) : null
  const unlinked = values.unlink ? await unlinkPersonOf(email).catch(known) : null
  if (reset !== null || unlinked !== null)
    return {
      id: reset ?? unlinked,
      email,
      ...(reset === null ? {} : { secondFactor: false }),
      ...(unlinked === null ? {} : { linked: false }),
    }
  const name = values.name?.trim() || email
  if (nameProblem(name, ''))
    throw new Error('Enter a person’s name without hidden characters: --name "Ada Admin"')
  const { id, password } = await makeAdmin({
    email,
    name,
    password: values.password,
  }).catch((error: unknown) => {
    if (error instanceof Conflict)
      throw new Error(`${email} is the account of the mobile app, and of no person.`)
    throw error instanceof ValidationFailed ? new Error(passwordAdvice) : error
  })
  return { id, email, role: 'admin', ...(password === null ? {} : { password }) }
})
