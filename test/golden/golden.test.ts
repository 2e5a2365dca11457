import { beforeAll, describe, it } from 'vitest'
import { useApp } from '../support/app.js'
import { useFixedBuilding } from '../support/golden/building.js'
import { expectGolden } from '../support/golden/files.js'
import { readableJson } from '../support/golden/json.js'
import { pageTexts } from '../support/golden/pages.js'
import { type Examples, examplesOf } from '../support/pages.js'

const app = useApp(useFixedBuilding())
let examples: Examples
beforeAll(async () => {
  examples = await examplesOf(app)
})

describe('the golden files', () => {
  it('hold the description of the API', async () => {
    const description = await app.json('guest', '/api/openapi.json')
    expectGolden('test/golden/api', new Map([['openapi.json', `${readableJson(description)}\n`]]))
  })

  it('hold every page', async () => {
    expectGolden('test/golden/pages', await pageTexts(app, examples))
  })
})
