import { expect, it, vi } from 'vitest'
import * as deliveryQueries from '../../src/webhooks/sending/deliveryQueries.js'
import { webhookSender } from '../../src/webhooks/sending/sendWebhooks.js'
import { onThisMachine } from '../support/webhooks/sending.js'

vi.mock('../../src/webhooks/sending/deliveryQueries.js', async (original) => ({
  ...(await original<typeof deliveryQueries>()),
  finishInterrupted: async () => {},
  finishBacklog: async () => {},
  waitingSubscriptions: vi.fn(async () => []),
}))

/** More than the steps in which a drain ends after a poll that finds nothing. */
const steps = 16

it('a drain that is requested while the one before it ends polls once more', async () => {
  const poll = vi.mocked(deliveryQueries.waitingSubscriptions)
  for (let step = 0; step < steps; step++) {
    const sender = webhookSender({ policy: onThisMachine })
    const drainAfterSteps = async () => {
      for (let n = 0; n < step; n++) await null
      await sender.drain()
    }
    let second: Promise<void> | undefined
    poll.mockImplementationOnce(async () => {
      second = drainAfterSteps()
      return []
    })
    poll.mockClear()
    await sender.drain()
    await second
    expect(poll, `${step} steps after the first poll`).toHaveBeenCalledTimes(2)
  }
})
