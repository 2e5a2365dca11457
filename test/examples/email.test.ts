import { describe, expect, it } from 'vitest'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const { maya, office } = house

describe('the email about a repair', () => {
  it('reaches the resident who reported it, with the words of the office', async () => {
    const report = await maya.reports(await house.lift(), { title: 'The door sticks' })
    await office.resolves(report, 'The door is oiled.', { notified: true })
    const { emails } = await house.outbox()
    const [email] = emails.filter(({ to }) => to.address === 'resident@example.com')
    expect(email!.subject).toContain('The door sticks')
    expect(email!.text).toContain('The door is oiled.')
  })

  it('is not sent to the person who wrote it', async () => {
    const report = await office.reports(await house.lift())
    await office.resolves(report, 'Done.', { notified: true })
    const { emails } = await house.outbox()
    expect(emails.map(({ to }) => to.address)).not.toContain('manager@example.com')
  })
})
