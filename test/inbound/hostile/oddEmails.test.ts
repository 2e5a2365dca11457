import { beforeEach, describe, expect, it, vi } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { emptyOutbox, takeMessages } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'

vi.hoisted(() => {
  process.env.MAIL_FROM = 'Our building <caretaker@house.example>'
  process.env.INBOUND_ADDRESS = 'reports@house.example'
})

const house = useHouse()
let n = 0
const email = (given: Record<string, unknown> = {}) => {
  n += 1
  const json = { from: 'ada@home.example', subject: `Smell ${n}`, text: `Words ${n}.`, ...given }
  return house.json('inbound', '/api/inbound-email', { json })
}
const emailed = async () => (await takeMessages()).emails.map(({ to }) => to.address)

beforeEach(async () => {
  await query('delete from inbound_emails')
  await emptyOutbox()
  await query('delete from email_followers')
})

describe('an odd email', () => {
  it('with ten thousand recipients is one report, answered to its sender alone', async () => {
    const recipients = Array.from({ length: 10_000 }, (_, i) => `r${i}@crowd.example`).join(', ')
    const { action } = await email({ headers: { To: recipients, Cc: recipients }, to: recipients })
    expect(action).toBe('created')
    const outside = (await emailed()).filter((address) => !address.endsWith('@example.com'))
    expect(outside).toEqual(['ada@home.example'])
  })

  it.each([
    ['no From', ''],
    ['two addresses in From', 'Eve <eve@evil.example>, Ada <ada@home.example>'],
  ])('with %s is taken in and answered to no one', async (_what, from) => {
    expect((await email({ from })).action).toBe('created')
    expect((await emailed()).filter((address) => !address.endsWith('@example.com'))).toEqual([])
  })

  it('with a victim in Reply-To writes nothing to the victim', async () => {
    await email({ headers: { 'Reply-To': 'victim@else.example', Sender: 'victim@else.example' } })
    expect(await emailed()).not.toContain('victim@else.example')
  })

  it('with several numbers in its subject goes to the first, and with an unknown one is a new report', async () => {
    const [one, two] = [await house.report({ severity: 'low' }), await house.report({ severity: 'low' })]
    const subject = `[INC-${two}] Fwd: [INC-${one}] and [INC-999999]`
    expect(await email({ subject })).toEqual({ action: 'appended', incidentId: two })
    expect((await email({ subject: `[INC-1999999999] [INC-${one}]` })).action).toBe('created')
    expect((await email({ subject: '[INC-999999] Lamp' })).action).toBe('created')
  })

  it('to a merged report goes to its survivor, and to a hidden one says nothing of what is hidden', async () => {
    const { duplicateId, survivorId } = await house.mergedReports()
    expect(await email({ subject: `[INC-${duplicateId}]` })).toEqual({
      action: 'appended',
      incidentId: survivorId,
    })
    const hidden = await house.hiddenReport({ title: 'TITLECANARY', description: 'TEXTCANARY' })
    expect(await email({ subject: `[INC-${hidden}]` })).toEqual({ action: 'appended', incidentId: hidden })
    const { emails } = await takeMessages()
    const outside = emails.filter(({ to }) => !to.address.endsWith('@example.com'))
    expect(outside.length).toBeGreaterThan(0)
    for (const { subject, text, html } of outside) expect(subject + text + html).not.toContain('CANARY')
  })
})
