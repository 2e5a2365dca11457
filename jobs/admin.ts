import { parseArgs } from 'node:util'
import { makeAdmin } from '../src/actions/makeAdmin.js'
import { runJob } from './run.js'

/** `npm run admin -- --email … [--name …] [--password …]`: the first admin of a new deployment (decision 5.3). */
await runJob(async () => {
  const { values } = parseArgs({
    options: { email: { type: 'string' }, name: { type: 'string' }, password: { type: 'string' } },
  })
  const email = values.email?.trim() ?? ''
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw new Error('Say whose account it is: npm run admin -- --email you@example.com')
  if (values.password !== undefined && values.password.length < 12)
    throw new Error('A password has at least 12 characters.')
  const { id, password } = await makeAdmin({
    email,
    name: values.name?.trim() || email,
    password: values.password,
  })
  return { id, email, role: 'admin', ...(password === null ? {} : { password }) }
})
