import { beforeEach, describe, expect, it, vi } from 'vitest'
import { takeMessages } from '../../support/email/messages.js'
import { forgetSenders } from '../../support/email/receivedEmails.js'
import { useHouse } from '../../support/house/house.js'

vi.hoisted(() => {
  process.env.MAIL_FROM = 'Our building <caretaker@house.example>'
  process.env.INBOUND_ADDRESS = 'reports@house.example'
})

const house = useHouse()
const ada = 'ada@home.example'

beforeEach(forgetSenders)

describe('an odd email', () => {
  it('with ten thousand recipients is one report, answered to its sender alone', async () => {
    const recipients = Array.from({ length: 10_000 }, (_, i) => `r${i}@crowd.example`).join(', ')
    const { action } = await house.emails({
      from: ada,
      headers: { To: recipients, Cc: recipients },
      to: recipients,
    })
    expect(action).toBe('created')
    const outside = (await emailedAddresses()).filter((address) => !address.endsWith('@example.com'))
    expect(outside).toEqual([ada])
  })

  it.each([
    ['no From', ''],
    ['two addresses in From', 'Eve <eve@evil.example>, Ada <ada@home.example>'],
  ])('with %s is taken in and answered to no one', async (_what, from) => {
    expect((await house.emails({ from })).action).toBe('created')
    expect((await emailedAddresses()).filter((address) => !address.endsWith('@example.com'))).toEqual([])
  })

  it('with a victim in Reply-To writes nothing to the victim', async () => {
    await house.emails({
      from: ada,
      headers: { 'Reply-To': 'victim@else.example', Sender: 'victim@else.example' },
    })
    expect(await emailedAddresses()).not.toContain('victim@else.example')
  })

  it('with several numbers in its subject goes to the first, and with an unknown one is a new report', async () => {
    const [one, two] = [await house.report({ severity: 'low' }), await house.report({ severity: 'low' })]
    const subject = `[INC-${two}] Fwd: [INC-${one}] and [INC-999999]`
    expect(await house.emails({ from: ada, subject })).toEqual({ action: 'appended', incidentId: two })
    expect((await house.emails({ from: ada, subject: `[INC-1999999999] [INC-${one}]` })).action).toBe(
      'created',
    )
    expect((await house.emails({ from: ada, subject: '[INC-999999] Lamp' })).action).toBe('created')
  })

  it('to a merged report goes to its survivor, and to a hidden one says nothing of what is hidden', async () => {
    const { duplicateId, survivorId } = await house.mergedReports()
    expect(await house.emails({ from: ada, subject: `[INC-${duplicateId}]` })).toEqual({
      action: 'appended',
      incidentId: survivorId,
    })
    const hidden = await house.hiddenReport({ title: 'TITLECANARY', description: 'TEXTCANARY' })
    expect(await house.emails({ from: ada, subject: `[INC-${hidden}]` })).toEqual({
      action: 'appended',
      incidentId: hidden,
    })
    const { emails } = await takeMessages()
    const outside = emails.filter(({ to }) => !to.address.endsWith('@example.com'))
    expect(outside.length).toBeGreaterThan(0)
    for (const { subject, text, html } of outside) expect(subject + text + html).not.toContain('CANARY')
  })
})

/** Whom the product has emailed since. */
async function emailedAddresses(): Promise<string[]> {
  return (await takeMessages()).emails.map(({ to }) => to.address)
}
