import './help.js'

import { parseArgs } from 'node:util'
import { makeAdmin, resetSecondFactorOf, unlinkPersonOf } from '../src/accounts/people/makeAdmin.js'
import { type KeyPair, newKeyPair } from '../src/platform/push/pushKeys.js'
import { isMailAddress } from '../src/vocabulary/email/emailAddress.js'
import { nameProblem } from '../src/vocabulary/people/personName.js'
import { NotFound, ValidationFailed } from '../src/vocabulary/validation.js'
import { runAsProcess } from './run.js'

const passwordAdvice = `Choose another password: 12 to 200 characters, none of those that are tried first, no digits alone,
nothing repeated, no keys in a row, and not made of the name, the address or words of the house.
A few words that do not belong together are best.`

/** As they are set. */
const variablesOf = ({ publicKey, privateKey }: KeyPair) => ({
  VAPID_PUBLIC_KEY: publicKey,
  VAPID_PRIVATE_KEY: privateKey,
})

/**
 * `npm run admin -- --email … [--name …] [--password …]` makes the first admin (decision 5.3); `--reset-second-factor`
 * after loss of app and codes (7.12); `--unlink` ends links to a provider (7.20); `--push-keys` prints keys (4.10).
 */
await runAsProcess(async () => {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      password: { type: 'string' },
      'reset-second-factor': { type: 'boolean' },
      unlink: { type: 'boolean' },
      'push-keys': { type: 'boolean' },
    },
  })
  if (values['push-keys']) return variablesOf(newKeyPair())
  const email = values.email?.trim() ?? ''
  if (!isMailAddress(email))
    throw new Error('Say whose account it is: npm run admin -- --email you@example.com')
  const known = (error: unknown) => {
    throw error instanceof NotFound ? new Error(`Nobody has an account with the address ${email}.`) : error
  }
  if (values['reset-second-factor'] || values.unlink) {
    const removed = [
      ...(values['reset-second-factor'] ? [await resetSecondFactorOf(email).catch(known)] : []),
      ...(values.unlink ? [await unlinkPersonOf(email).catch(known)] : []),
    ]
    return {
      id: removed[0],
      email,
      ...(values['reset-second-factor'] ? { secondFactor: false } : {}),
      ...(values.unlink ? { linked: false } : {}),
    }
  }
  const name = values.name?.trim() || email
  if (nameProblem(name, ''))
    throw new Error(
      'Give a name that is a person’s, without characters that cannot be seen: --name "Ada Admin"',
    )
  const { id, password } = await makeAdmin({
    email,
    name,
    password: values.password,
  }).catch((error: unknown) => {
    throw error instanceof ValidationFailed ? new Error(passwordAdvice) : error
  })
  return { id, email, role: 'admin', ...(password === null ? {} : { password }) }
})
