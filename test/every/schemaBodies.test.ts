import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Description } from '../../src/platform/http/description/document.js'
import { texts } from '../../src/text/index.js'
import { latestId, valuesOf } from '../../tools/fuzz/values.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { forgetCounts } from '../support/house/limits.js'
import { operationsOf } from '../support/routes/operations.js'
import { perRun } from '../support/run/extent.js'

const house = useHouse()
const seed = 7

let description: Description
beforeAll(async () => {
  description = await house.json('guest', '/api/openapi.json')
})

describe('a body that is valid by the description', () => {
  it.each(['admin', 'mobile'] satisfies Who[])(
    'is refused to %s only for what no schema can say',
    // Thousands of requests in a whole run, which is minutes on a busy machine.
    { timeout: 900_000 },
    async (who) => {
      const { good } = valuesOf(description.components.schemas, 0)
      const faults = new Set<string>()
      for (const { method, path, operation } of operationsOf(description)) {
        const schema = operation.requestBody?.content['application/json']?.schema
        if (!schema) continue
        await forgetCounts()
        for (const drawn of fc.sample(good(schema), { seed, numRuns: perRun({ quick: 2, whole: 40 }) })) {
          const json = JSON.parse(JSON.stringify(drawn).replaceAll(JSON.stringify(latestId), '1'))
          const address = path.replaceAll(/\{\w+\}/g, '3')
          const answer = await house.ask(who, address, { method: method.toUpperCase(), json })
          if (answer.status !== 422 && answer.status !== 400) continue
          const { errors = {}, code } = (await answer.json()) as {
            errors?: Record<string, string[]>
            code: string
          }
          for (const [field, texts] of Object.entries(errors))
            for (const text of texts) {
              const key = keyOf.get(text) ?? text
              if (beyondSchemas.has(key) || beyondSchemasAt.has(`${method} ${path} ${key}`)) continue
              faults.add(`${method} ${path} ${field}: ${key} ${JSON.stringify(json[field])?.slice(0, 80)}`)
            }
          if (Object.keys(errors).length === 0) faults.add(`${method} ${path}: ${code}`)
        }
      }
      expect([...faults]).toEqual([])
    },
  )
})

/** The key in the catalogue of each text that says what is wrong with a field. */
const keyOf = new Map(
  Object.values(texts).flatMap(({ fields }) =>
    Object.entries(fields).map(([key, text]): [string, string] => [String(text), key]),
  ),
)

/** What no schema can say: what there is now, how fields fit together, and what is a secret. */
const beyondSchemas = new Set([
  // Ids of nothing, and names that are taken.
  'asset_unknown',
  'asset_name_taken',
  'assignee_unknown',
  'assignee_or_contact_unknown',
  'contact_unknown',
  'email_taken',
  'incident_unknown',
  'email_unknown',
  'name_of_staff',
  'name_reserved',
  'name_taken',
  'number_taken',
  'template_name_taken',
  'tower_unknown',
  'unit_unknown',
  'update_unknown',
  // The state of what is changed.
  'expectedBack_resolved',
  'downtime_needs_asset',
  'closingReason_unresolved',
  'merge_no_survivor',
  'merge_one_place',
  'place_kept',
  'secondFactor_own_first',
  'window_date_unknown',
  'window_over',
  // Times that do not fit together, or the present.
  'downtimeEnd_future',
  'downtimeStart_after_end',
  'ends_before_start',
  'incurredOn_future',
  'monthly_too_long',
  'until_without_repeat',
  'weekly_too_long',
  // Secrets, and what only other systems know.
  'browser_key_wrong',
  'currency_unknown',
  'emailCode_digits',
  'password_house',
  'password_wrong',
  'server_key_wrong',
  'timezone_unknown',
  'url_blocked',
])

/**
 * The same at one address: what a correction makes of the place and the assignee that are stored.
 */
const beyondSchemasAt = new Set([
  'patch /api/incidents/{id} one_assignee_only',
  'patch /api/incidents/{id} place_exactly_one',
  'post /api/incidents/{id}/edit/preview one_assignee_only',
  'post /api/incidents/{id}/edit/preview place_exactly_one',
])
