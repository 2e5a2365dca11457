import { afterEach, expect, it, vi } from 'vitest'
import { csvFile, openCsvFiles } from '../../../src/platform/db/csvFile.js'

const client = vi.hoisted(() => ({ query: vi.fn(), end: vi.fn() }))
vi.mock('../../../src/platform/db/dedicatedConnection.js', () => ({
  dedicatedConnection: async () => client,
}))

afterEach(() => void vi.useRealTimers())

it('leaves nothing running when the connection is lost before the first row', async () => {
  vi.useFakeTimers()
  client.query.mockRejectedValueOnce(new Error('terminating connection'))
  await expect(csvFile({ select: 'select 1', quoted: [] })).rejects.toThrow('terminating connection')
  // A deadline that is left would end a stream that no one listens to, and the process with it.
  expect(vi.getTimerCount()).toBe(0)
  expect(client.end).toHaveBeenCalledOnce()
  expect(openCsvFiles()).toBe(0)
})
