import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { config } from '../../src/platform/process/config.js'
import { texts } from '../../src/text/index.js'
import { auditActions } from '../../src/vocabulary/auditActions.js'
import { useHouse } from '../support/house/house.js'
import { unusedProvider } from '../support/oidc/unusedProvider.js'
import { configureWebPush } from '../support/push/subscription.js'
import { scalarsOf } from '../support/routes/assertions/fields.js'
import { behindProxy } from '../support/routes/assertions/foreignHost.js'
import { writeEndpoints } from '../support/routes/endpoints.js'
import { accountExamples } from '../support/routes/examples/accounts.js'
import { incidentExamples } from '../support/routes/examples/incidents.js'
import { recordExamples } from '../support/routes/examples/records.js'
import { setupsOf } from '../support/routes/examples/setups.js'
import { keyOf } from '../support/routes/writes.js'
import { creates, walkWrites } from '../support/routes/writeWalk.js'

behindProxy()
const house = useHouse()
configureWebPush()
beforeAll(() => void Object.assign(config, { singleSignOn: unusedProvider }))
afterAll(() => void Object.assign(config, { singleSignOn: null }))

const setups = setupsOf(house)
const examples = { ...recordExamples(setups), ...accountExamples(setups) }

describe('writes to records and accounts', () => walkWrites(house, examples))

describe('every write', () => {
  it('has an example, in one of the tables of examples', () => {
    const known = Object.keys({ ...examples, ...incidentExamples(setups) })
    const routes = writeEndpoints.map(keyOf)
    expect(routes.filter((route) => !known.includes(route))).toEqual([])
    expect(known.filter((route) => !routes.includes(route))).toEqual([])
  })

  it('has its fields that take one value found by what their schemas read', () => {
    const { route } = writeEndpoints.find(({ path }) => path === '/api/incidents/:id/updates')!
    const names = scalarsOf(route!.body, 'json', {}).map(([name]) => name)
    expect(names.sort()).toEqual(
      [
        'newStatus',
        'closingReason',
        'statusReason',
        'expectedBackAt',
        'onStatusPage',
        'assigneeId',
        'contactId',
        'assignee',
        'dueOn',
        'body',
        'otherReason',
        'version',
        'namedAnyway',
      ].sort(),
    )
  })

  it('looks for the same words sent before, in every form that creates', () => {
    const forms = writeEndpoints.filter(
      ({ method, path, route }) => method === 'POST' && route && !path.startsWith('/api/'),
    )
    expect(forms.filter(creates).length).toBeGreaterThan(10)
    expect(forms.filter(({ route }) => route!.answers.has(201) && !route!.idempotent).map(keyOf)).toEqual([])
  })

  it('has an address for programs, but for those that only pages need', () => {
    expect(writeEndpoints.filter(({ path }) => path.startsWith('/api/')).length).toBeGreaterThan(80)
  })

  it('is known by a name and in words in the audit log', () => {
    expect(Object.keys(texts.en.audit.acts).sort()).toEqual([...auditActions].sort())
  })
})
