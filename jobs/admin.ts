import { parseArgs } from 'node:util'
import { makeAdmin } from '../src/actions/makeAdmin.js'
import { nameProblem } from '../src/domain/personName.js'
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
  const name = values.name?.trim() || email
  if (nameProblem(name, ''))
    throw new Error(
      'Give a name that is a person’s, without characters that cannot be seen: --name "Ada Admin"',
    )
  const { id, password } = await makeAdmin({
    email,
    name,
    password: values.password,
  })
  return { id, email, role: 'admin', ...(password === null ? {} : { password }) }
})
