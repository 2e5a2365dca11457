import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import type { Description } from '../../src/platform/http/description/document.js'
import { fields } from '../../src/text/en/fields.js'
import { useApp, type Who } from '../support/app.js'
import { made, valuesOf } from '../support/fuzz/values.js'
import { operationsOf } from '../support/routes/operations.js'
import { perRun } from '../support/suite/extent.js'

const app = useApp()
const seed = 7

/** The key in the catalogue of each text that says what is wrong with a field. */
const keyOf = new Map(Object.entries(fields).map(([key, text]) => [text as string, key]))

/** What no schema can say: what there is now, how fields fit together, and what is a secret. */
const beyondSchemas = new Set<string>([])

let description: Description
beforeAll(async () => {
  description = await app.json('guest', '/api/openapi.json')
})

describe('a body that is valid by the description', () => {
  it.each(['admin', 'mobile'] satisfies Who[])(
    'is refused to %s only for what no schema can say',
    async (who) => {
      const { good } = valuesOf(description.components.schemas, 0)
      const faults = new Set<string>()
      for (const { method, path, operation } of operationsOf(description)) {
        const schema = operation.requestBody?.content['application/json']?.schema
        if (!schema) continue
        await query('delete from throttles')
        for (const drawn of fc.sample(good(schema), { seed, numRuns: perRun({ quick: 6, whole: 40 }) })) {
          const json = JSON.parse(JSON.stringify(drawn).replaceAll(JSON.stringify(made), '1'))
          const address = path.replaceAll(/\{\w+\}/g, '3')
          const answer = await app.ask(who, address, { method: method.toUpperCase(), json })
          if (answer.status !== 422 && answer.status !== 400) continue
          const { errors = {}, code } = (await answer.json()) as {
            errors?: Record<string, string[]>
            code: string
          }
          for (const [field, texts] of Object.entries(errors))
            for (const text of texts)
              if (!beyondSchemas.has(keyOf.get(text) ?? text))
                faults.add(
                  `${method} ${path} ${field}: ${keyOf.get(text) ?? text} ${JSON.stringify(json[field])?.slice(0, 80)}`,
                )
          if (Object.keys(errors).length === 0) faults.add(`${method} ${path}: ${code}`)
        }
      }
      expect([...faults]).toEqual([])
    },
  )
})
