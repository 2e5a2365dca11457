import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import { takeMessages } from '../support/email/messages.js'
import { forgetSenders, houseServer, outcomeOf, receive } from '../support/email/receivedEmails.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const zed = 'zed@gmail.example'
let id: number

beforeAll(() => house.user({ name: 'Zed Marlow', email: zed }))

beforeEach(async () => {
  config.email.authserv = houseServer
  config.email.inboundAddress = 'reports@house.example'
  await forgetSenders()
  id = await house.report({ title: 'Lamp', severity: 'low' })
})

describe('forged emails in someone’s name', () => {
  it.each([
    { visibility: 'at_once', forged: { created: 20, held: 5 }, report: 'created', reply: 'appended' },
    { visibility: 'when_sorted', forged: { held: 25 }, report: 'held', reply: 'held' },
  ])('close no door to that person: $visibility', async ({ visibility, forged, report, reply }) => {
    await house.changeProperty({ emailVisibility: visibility })
    expect(await forge(25, zed)).toEqual(forged)
    expect(await truly(zed, 'GAS SMELL (really zed)')).toBe(report)
    expect(await truly(zed, `[INC-${id}] Lamp`)).toBe(reply)
  })

  it('are all refused in the end, and still the person gets in, and so do other domains', async () => {
    await house.changeProperty({ emailVisibility: 'at_once' })
    expect(await forge(130, zed)).toEqual({ created: 20, held: 100, refused: 10 })
    expect(await truly(zed, 'GAS SMELL (really zed)')).toBe('created')
    expect(await truly(`no.account@gmail.example`, 'Gas, says a neighbour')).toBe('created')
    expect(await outcomeOf(house, { from: 'resident@example.com' })).toBe('created')
  })

  it('make the true one no repetition, whichever comes first', async () => {
    await house.changeProperty({ emailVisibility: 'at_once' })
    for (const first of [true, false]) {
      const same = { from: zed, messageId: `<same-${first}@gmail.example>`, subject: 'Gas' }
      const ids = []
      for (const isProven of [first, !first, first, !first]) {
        const answer = await receive(house, { ...same, text: isProven ? 'True.' : 'Forged.', isProven })
        ids.push(((await answer.json()) as { incidentId: number }).incidentId)
      }
      // Each of the two is known when it comes again.
      expect(ids.slice(2)).toEqual(ids.slice(0, 2))
      expect(ids[0]).not.toBe(ids[1])
    }
  })

  it('are no earlier words of a person who writes to a report for the first time', async () => {
    await house.changeProperty({ emailVisibility: 'at_once' })
    const ada = 'ada@home.example'
    const answered = async (isProven: boolean) => {
      await outcomeOf(house, { from: ada, subject: `[INC-${id}] Lamp`, isProven })
      const { emails } = await takeMessages()
      return emails.filter(({ to }) => to.address === ada).length
    }
    expect(await answered(false)).toBe(1)
    expect(await answered(false)).toBe(0)
    expect(await answered(true)).toBe(1)
    expect(await answered(true)).toBe(0)
    expect(await answered(false)).toBe(0)
  })
})

it('an email that waits is stored as proven as it came, and remains so when it is taken in', async () => {
  await house.changeProperty({ emailVisibility: 'when_sorted' })
  for (const [from, isProven] of [
    [zed, true],
    [zed, false],
    ['ada@home.example', true],
  ] as const)
    await outcomeOf(house, { from, isProven })
  const held = await query<{ id: number }>(
    'select id, sender_standing as standing, has_account as account from held_emails order by id',
  )
  expect(held).toMatchObject([
    { standing: 'account', account: true },
    { standing: 'unproven', account: false },
    { standing: 'address', account: false },
  ])
  const json = { ids: held.map((each) => each.id) }
  const { incidentIds } = await house.json('manager', '/api/admin/held-emails/accept', { json })
  const taken = await query('select sender_proven as proven from incidents where id = any ($1) order by id', [
    incidentIds,
  ])
  expect(taken).toEqual([{ proven: true }, { proven: false }, { proven: true }])
})

describe('rows of the release before this one', () => {
  it('count as what they were: an account that was not proven counts for nothing', async () => {
    await house.changeProperty({ emailVisibility: 'at_once' })
    const old = (standing: string, count: number) =>
      query(
        `insert into inbound_emails (digest, sender, action, incident_id, received_at, standing, domain)
         select gen_random_uuid()::text, $3, 'created', $1, now(), $2, 'gmail.example'
         from generate_series(1, $4::integer)`,
        [id, standing, zed, count],
      )
    await old('claimed', 10)
    await old('stranger', 10)
    await old('proven', 29)
    expect(await outcomeOf(house, { from: zed })).toBe('held')
    expect(await truly(zed, 'Gas')).toBe('created')
    expect(await truly(zed, 'Gas again')).toBe('held')
  })

  it('that wait count in the same way', async () => {
    await house.changeProperty({ emailVisibility: 'when_sorted' })
    const old = (user: string | null, count: number) =>
      query(
        `insert into held_emails
           (received_at, domain, reason, sender_address, title, description, skipped, has_account, user_id)
         select now(), 'gmail.example', 'total', $1, 'x', '', '{"refused":[],"later":[]}', true,
           (select u.id from users u where u.email = $2) from generate_series(1, $3::integer)`,
        [zed, user, count],
      )
    await old(null, 100)
    await old(zed, 19)
    expect(await outcomeOf(house, { from: zed })).toBe('refused')
    expect(await truly(zed, 'Gas')).toBe('held')
    expect(await truly(zed, 'Gas again')).toBe('refused')
  })
})

/** How many of so many forged emails come to each end. */
async function forge(count: number, from: string): Promise<Record<string, number>> {
  const ends: Record<string, number> = {}
  for (let i = 0; i < count; i++) {
    const end = await outcomeOf(house, { from })
    ends[end] = (ends[end] ?? 0) + 1
  }
  return ends
}

function truly(from: string, subject: string) {
  return outcomeOf(house, { from, subject, isProven: true })
}
