import { parseArgs } from 'node:util'
import { makeAdmin, resetSecondFactorOf } from '../src/actions/makeAdmin.js'
import { NotFound } from '../src/domain/invalid.js'
import { runJob } from './run.js'

/**
 * `npm run admin -- --email … [--name …] [--password …]`: the first admin of a new deployment (decision 5.3).
 * `npm run admin -- --email … --reset-second-factor`: for somebody who lost app and recovery codes (decision 7.12).
 */
await runJob(async () => {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      password: { type: 'string' },
      'reset-second-factor': { type: 'boolean' },
    },
  })
  const email = values.email?.trim() ?? ''
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw new Error('Say whose account it is: npm run admin -- --email you@example.com')
  if (values['reset-second-factor']) {
    const id = await resetSecondFactorOf(email).catch((error: unknown) => {
      throw error instanceof NotFound ? new Error(`Nobody has an account with the address ${email}.`) : error
    })
    return { id, email, secondFactor: false }
  }
  if (values.password !== undefined && values.password.length < 12)
    throw new Error('A password has at least 12 characters.')
  const { id, password } = await makeAdmin({
    email,
    name: values.name?.trim() || email,
    password: values.password,
  })
  return { id, email, role: 'admin', ...(password === null ? {} : { password }) }
})
