import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { texts } from '../../src/text/index.js'
import { deliveryReasons } from '../../src/vocabulary/email/delivery.js'
import { emptyOutbox, leaveEmail, takeMessages } from '../support/email/messages.js'
import { makeDue, setLastMessage } from '../support/email/outboxRows.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { queryAfterFanOut } from '../support/sending.js'
import { finishedDeliveries } from '../support/webhooks/deliveries.js'
import { deleteSubscriptions, subscribe } from '../support/webhooks/subscriptions.js'

const house = useHouse()
beforeEach(async () => {
  await emptyOutbox()
  await deleteSubscriptions()
})

describe('what was not delivered', () => {
  it('is listed with who, what, when and why, whatever its kind, latest first', async () => {
    const email = await failedEmail(10)
    const subscriptionId = await failedWebhook(5)
    await failedWebhook(1, '204')
    await failedWebhook(1, 'failed: inactive')
    await failedWebhook(31 * 24 * 60)
    await leaveEmail('digest', {}, 'board@example.com')
    const listed = await house.json('board', '/api/admin/deliveries')
    const eleanor = { recipientName: 'Eleanor Whitcombe', recipientEmail: 'board@example.com' }
    expect(listed).toMatchObject([
      {
        kind: 'webhook',
        subscriptionId,
        url: 'https://receiver.example/hook',
        why: '500',
        recipientName: null,
      },
      { id: email, kind: 'mail', event: 'sweep.report', ...eleanor, attempts: 6, why: 'smtp 550' },
    ])
    expect(listed[0].failedAt).toMatch(/Z$/)
    const page = await house.page('manager', '/admin/deliveries')
    expect(page('tbody tr').length).toBe(2)
    expect(page('tbody tr').first().text()).toContain('Response 500')
    expect(page('tbody tr').first().find('form').length).toBe(0)
    expect(page('tbody tr').last().text()).toMatch(
      /Reports overdue for a reply.*Eleanor Whitcombe.*smtp 550/s,
    )
  })

  it('is found by kind and by words', async () => {
    for (const minutes of [3, 2, 1]) await failedEmail(minutes)
    await failedWebhook(4)
    const kinds = async (asked: string) =>
      (await house.json('manager', `/api/admin/deliveries?${asked}`)).map(
        ({ kind }: { kind: string }) => kind,
      )
    expect(await kinds('kind=webhook')).toEqual(['webhook'])
    expect(await kinds('q=receiver')).toEqual(['webhook'])
    expect(await kinds('q=eleanor')).toEqual(['mail', 'mail', 'mail'])
    expect((await house.ask('manager', '/api/admin/deliveries?kind=pigeon')).status).toBe(400)
  })
})

describe('the next page of what was not delivered', () => {
  it.each(['', '&kind=mail'])('has the ids below `before`%s', async (filter) => {
    const ids = [await failedEmail(3), await failedEmail(2), await failedEmail(1)]
    const listed = await house.json('manager', `/api/admin/deliveries?before=${ids[2]}${filter}`)
    expect(listed.map(({ id }: { id: number }) => id)).toEqual([ids[1], ids[0]])
  })
})

describe('an email that was handed over and never confirmed', () => {
  /** An email to the board whose answer is waited for until so many minutes ago. */
  async function unconfirmedEmail(minutes: number): Promise<number> {
    await leaveEmail('sweep.report', { escalated: [] }, 'board@example.com')
    return setLastMessage(
      `attempts = 1, sent_at = now() - interval '20 minutes', confirm_by = now() - make_interval(mins => $1)`,
      [minutes],
    )
  }

  it('is listed once its answer is waited for no more, with what it means and what to do', async () => {
    await unconfirmedEmail(-5)
    expect(await house.json('board', '/api/admin/deliveries')).toEqual([])
    const id = await unconfirmedEmail(5)
    expect(await house.json('board', '/api/admin/deliveries?kind=mail')).toMatchObject([
      { id, kind: 'mail', recipientEmail: 'board@example.com', attempts: 1, why: 'not confirmed' },
    ])
    const row = (await house.page('manager', '/admin/deliveries'))('tbody tr')
    expect(row.text()).toMatch(/Not confirmed: the server took it.*ask the recipient/)
    expect(row.find('form').length).toBe(1)
    expect((await house.page('board', '/admin'))('main').text()).not.toContain('Emails aren’t being sent')
  })

  it('is sent again only when someone asks for it, which is audited', async () => {
    const id = await unconfirmedEmail(5)
    await makeDue()
    expect((await takeMessages()).emails).toEqual([])
    await house.submit('manager', `/admin/deliveries/${id}/retry`)
    const [{ changes }] = (await query('select changes from audit_entries order by id desc limit 1')) as any
    expect(changes).toEqual({ failed: { before: 'not confirmed', after: null } })
    expect((await takeMessages()).emails).toHaveLength(1)
    expect(await house.json('board', '/api/admin/deliveries')).toEqual([])
    const waitedFor = await unconfirmedEmail(-5)
    const early = await house.ask('manager', `/api/admin/deliveries/${waitedFor}/retry`, { json: {} })
    expect([early.status, (await early.json()).code]).toEqual([409, 'not_failed'])
  })
})

describe('trying again', () => {
  it('makes an email due at once with all its attempts, is audited, and it goes', async () => {
    const id = await failedEmail()
    const answer = await house.submit('manager', `/admin/deliveries/${id}/retry`)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/deliveries?notice=retried'])
    expect(await outboxRow(id)).toMatchObject({ attempts: 0, failedAt: null, lastError: null, due: true })
    const [entry] = await query(
      'select action, entity, entity_id, actor_name, changes from audit_entries order by id desc limit 1',
    )
    expect(entry).toEqual({
      action: 'message.retried',
      entity: 'message',
      entityId: id,
      actorName: 'Tomasz Zieliński',
      changes: { failed: { before: 'smtp 550', after: null } },
    })
    const { emails } = await takeMessages()
    expect(emails.map(({ to }) => to.address)).toEqual(['board@example.com'])
    expect(await outboxRow(id)).toMatchObject({ sent: true })
    const again = await house.ask('manager', `/api/admin/deliveries/${id}/retry`, { json: {} })
    expect([again.status, (await again.json()).code]).toEqual([409, 'not_failed'])
  })

  it('is never of another message than the one meant, though a webhook’s id may be an email’s', async () => {
    const id = await failedEmail()
    const retry = (json: object) => house.ask('manager', `/api/admin/deliveries/${id}/retry`, { json })
    const webhook = await retry({ kind: 'webhook' })
    expect([webhook.status, (await webhook.json()).code]).toEqual([409, 'webhook_not_retried'])
    expect((await retry({ kind: 'push' })).status).toBe(404)
    expect(await outboxRow(id)).toMatchObject({ attempts: 6, lastError: 'smtp 550' })
    const form = (await house.page('manager', '/admin/deliveries'))('tbody form')
    expect(form.find('input[name=kind]').attr('value')).toBe('mail')
    expect((await retry({ kind: 'mail' })).status).toBe(200)
  })

  it('two at once is one', async () => {
    const id = await failedEmail()
    const answers = await Promise.all(
      ['manager', 'admin'].map((who) =>
        house.ask(who as Who, `/api/admin/deliveries/${id}/retry`, { json: {} }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('what waits for another attempt', () => {
  /** An email that has failed for so many minutes, for this reason. */
  async function waitingEmail(minutes: number, why: string): Promise<void> {
    await leaveEmail('sweep.report', { escalated: [] }, 'board@example.com')
    await setLastMessage(
      `attempts = 2, last_error = $2, failing_since = now() - make_interval(mins => $1),
       next_attempt_at = now() + interval '5 minutes'`,
      [minutes, why],
    )
  }

  it('stands above the list and in JSON, with how many, since when, and why in words', async () => {
    await waitingEmail(3, 'smtp connection refused')
    expect(await house.json('board', '/api/admin/deliveries/waiting')).toEqual([
      {
        kind: 'mail',
        count: 1,
        reason: 'connection_refused',
        why: 'smtp connection refused',
        stuck: false,
        oldestAt: expect.any(String),
        since: expect.any(String),
        nextAttemptAt: expect.any(String),
      },
    ])
    const page = await house.page('manager', '/admin/deliveries')
    const section = page('section[aria-labelledby="waiting"]').text()
    expect(section).toMatch(/Email: 1 waiting.*refused the connection.*smtp connection refused/s)
    expect(page('section[aria-labelledby="waiting"] time').length).toBe(2)
  })

  it('is on the desk and in readiness after some minutes, and only there to those it concerns', async () => {
    const desk = async () => (await house.page('board', '/admin'))('main').text()
    await waitingEmail(3, 'smtp sign-in refused 535')
    expect(await desk()).not.toContain('Emails aren’t being sent')
    await waitingEmail(6, 'smtp sign-in refused 535')
    expect(await desk()).toMatch(/Emails aren’t being sent: 2 waiting.*refused our sign-in/s)
    for (const who of ['admin', 'monitor'] as Who[]) {
      const ready = await house.ask(who, '/readyz')
      expect([who, ready.status]).toEqual([who, 200])
      expect(await ready.json()).toMatchObject({ delivery: { mail: 'failed', push: 'ok' } })
    }
    for (const who of ['guest', 'resident'] as Who[])
      expect(await (await house.ask(who, '/readyz')).json()).not.toHaveProperty('delivery')
    await emptyOutbox()
    expect(await desk()).not.toContain('Emails aren’t being sent')
  })

  it('has words for every reason there is, in every language', () => {
    for (const text of Object.values(texts))
      expect(Object.keys(text.deliveryPage.reason)).toEqual([...deliveryReasons])
  })
})

it('what runs by itself is shown with its last success and its last failure', async () => {
  await query('delete from job_runs')
  await query(`insert into job_runs (job, via, started_at, finished_at, error) values
      ('sweep', 'scheduler', '2026-11-20T10:00Z', '2026-11-20T10:00:01Z', null),
      ('digest', 'scheduler', '2026-11-20T11:00Z', '2026-11-20T11:00:01Z', 'Error: secret words')`)
  expect(await house.json('board', '/api/admin/jobs')).toEqual([
    { job: 'sweep', lastSuccessAt: '2026-11-20T10:00:01.000Z', lastFailureAt: null },
    { job: 'digest', lastSuccessAt: null, lastFailureAt: '2026-11-20T11:00:01.000Z' },
    { job: 'tidy', lastSuccessAt: null, lastFailureAt: null },
    { job: 'tick', lastSuccessAt: null, lastFailureAt: null },
  ])
  const rows = (await house.page('board', '/admin/deliveries'))('section[aria-labelledby="jobs"] li')
  expect(rows.length).toBe(4)
  expect(rows.text()).not.toContain('secret words')
})

/** An email to the board that was given up so many minutes ago. */
async function failedEmail(minutes = 5): Promise<number> {
  await leaveEmail('sweep.report', { escalated: [] }, 'board@example.com')
  return setLastMessage(
    `failed_at = now() - make_interval(mins => $1), attempts = 6, last_error = 'smtp 550'`,
    [minutes],
  )
}

async function failedWebhook(minutes: number, status = '500'): Promise<number> {
  const id = await subscribe('https://receiver.example/hook')
  await finishedDeliveries(id, status, { minutesAgo: minutes })
  return id
}

const outboxRow = async (id: number) =>
  (
    await queryAfterFanOut(
      `select attempts, failed_at, sent_at is not null as sent, last_error, next_attempt_at <= now() as due
       from outbox where id = $1`,
      [id],
    )
  )[0]!
