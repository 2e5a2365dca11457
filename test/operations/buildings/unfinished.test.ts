import { expect, it } from 'vitest'
import { migrations } from '../../../migrations/index.js'
import { hostedBuildingState } from '../../../src/operations/buildings/buildingState.js'
import { closeDatabase } from '../../../src/platform/db/pools.js'
import { useDatabase } from '../../support/database.js'

const url = useDatabase({ empty: true })

it('a building whose first migration has not run is listed with all of them missing', async () => {
  await closeDatabase()
  const settings = { DATABASE_URL: url(), PUBLIC_URL: 'https://lime.example', PORT: '4001' }
  expect(await hostedBuildingState({ name: 'lime', settings, ownerSettings: {} })).toMatchObject({
    url: 'https://lime.example',
    port: 4001,
    schema: null,
    missing: migrations.length,
    unknown: 0,
    lastSuccess: {},
  })
})
