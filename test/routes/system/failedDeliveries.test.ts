import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../../src/database.js'
import { notStaff, useApp, type Who } from '../../support/app.js'
import { emptyOutbox, leaveMail, takeMessages } from '../../support/mail/messages.js'
import { subscribe } from '../../support/webhooks/deliveries.js'

const app = useApp()
beforeEach(async () => {
  await emptyOutbox()
  await query('delete from webhook_subscriptions')
})

/** A digest to the board that was given up so many minutes ago. */
async function failedMail(minutes = 5): Promise<number> {
  await leaveMail('sweep.report', { escalated: [] }, 'board@example.com')
  const [row] = await query<{ id: number }>(
    `update outbox set failed_at = now() - make_interval(mins => $1), attempts = 6, last_error = 'smtp 550'
     where id = (select max(id) from outbox) returning id`,
    [minutes],
  )
  return row!.id
}

async function failedWebhook(minutes: number, status = '500'): Promise<number> {
  const id = await subscribe('https://receiver.example/hook')
  await query(
    `insert into webhook_deliveries (subscription_id, event_id, event, body, claimed_at, finished_at, status)
     select $1, gen_random_uuid(), 'incident.created', '{}', at, at, $3 from (select now() - make_interval(mins => $2) as at) w`,
    [id, minutes, status],
  )
  return id
}

const outboxRow = async (id: number) =>
  (
    await query(
      'select attempts, failed_at, sent_at is not null as sent, last_error, next_attempt_at <= now() as due from outbox where id = $1',
      [id],
    )
  )[0]!

describe('what was not delivered', () => {
  it('is listed with who, what, when and why, whatever its kind, latest first', async () => {
    const mail = await failedMail(10)
    const subscriptionId = await failedWebhook(5)
    await failedWebhook(1, '204')
    await failedWebhook(1, 'failed: inactive')
    await failedWebhook(31 * 24 * 60)
    await leaveMail('digest', {}, 'board@example.com')
    const listed = await app.json('board', '/api/admin/deliveries')
    expect(listed).toMatchObject([
      {
        kind: 'webhook',
        subscriptionId,
        url: 'https://receiver.example/hook',
        why: '500',
        recipientName: null,
      },
      {
        id: mail,
        kind: 'mail',
        event: 'sweep.report',
        recipientName: 'Eleanor Whitcombe',
        recipientEmail: 'board@example.com',
        attempts: 6,
        why: 'smtp 550',
      },
    ])
    expect(listed[0].failedAt).toMatch(/Z$/)
    const page = await app.page('manager', '/admin/deliveries')
    expect(page('tbody tr').length).toBe(2)
    expect(page('tbody tr').first().text()).toContain('Answered 500')
    expect(page('tbody tr').first().find('form').length).toBe(0)
    expect(page('tbody tr').last().text()).toMatch(/Reports nobody answered.*Eleanor Whitcombe.*smtp 550/s)
  })

  it('is found by kind and by words, and goes on page by page', async () => {
    for (const minutes of [3, 2, 1]) await failedMail(minutes)
    await failedWebhook(4)
    const kinds = async (asked: string) =>
      (await app.json('manager', `/api/admin/deliveries?${asked}`)).map(({ kind }: { kind: string }) => kind)
    expect(await kinds('kind=webhook')).toEqual(['webhook'])
    expect(await kinds('q=receiver')).toEqual(['webhook'])
    expect(await kinds('q=eleanor')).toEqual(['mail', 'mail', 'mail'])
    expect((await app.ask('manager', '/api/admin/deliveries?kind=pigeon')).status).toBe(400)
    const walked: unknown[] = []
    let next: string | null = '/api/admin/deliveries?limit=1'
    while (next) {
      const answer: Response = await app.ask('manager', next)
      walked.push(...((await answer.json()) as unknown[]))
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
    }
    expect(walked).toEqual(await app.json('manager', '/api/admin/deliveries'))
    expect(walked.length).toBe(4)
  })

  it('is nothing, in words, when all went well', async () => {
    expect((await app.page('manager', '/admin/deliveries'))('main').text()).toContain(
      'Everything was delivered.',
    )
  })
})

describe('trying again', () => {
  it('makes a mail due at once with all its attempts, is audited, and it goes', async () => {
    const id = await failedMail()
    const answer = await app.ask('manager', `/admin/deliveries/${id}/retry`, {
      form: {},
      headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' },
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/deliveries?notice=retried'])
    expect(await outboxRow(id)).toMatchObject({ attempts: 0, failed_at: null, last_error: null, due: true })
    const [entry] = await query(
      'select action, entity, entity_id, actor_name, changes from audit_entries order by id desc limit 1',
    )
    expect(entry).toEqual({
      action: 'message.retried',
      entity: 'message',
      entity_id: id,
      actor_name: 'Tomasz Zieliński',
      changes: { failed: { before: 'smtp 550', after: null } },
    })
    const { mails } = await takeMessages()
    expect(mails.map(({ to }) => to.address)).toEqual(['board@example.com'])
    expect(await outboxRow(id)).toMatchObject({ sent: true })
    const again = await app.ask('manager', `/api/admin/deliveries/${id}/retry`, { json: {} })
    expect([again.status, (await again.json()).code]).toEqual([409, 'not_failed'])
  })

  it('two at once is one', async () => {
    const id = await failedMail()
    const answers = await Promise.all(
      ['manager', 'admin'].map((who) =>
        app.ask(who as Who, `/api/admin/deliveries/${id}/retry`, { json: {} }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it.each(notStaff)('and the list are closed to %s: %i', async (who, status) => {
    expect((await app.ask(who, '/api/admin/deliveries')).status).toBe(status)
    const id = await failedMail()
    for (const each of [id, 999_999])
      expect((await app.ask(who, `/api/admin/deliveries/${each}/retry`, { json: {} })).status).toBe(status)
    expect((await outboxRow(id)).attempts).toBe(6)
  })

  it('of what is not there is 404', async () => {
    expect((await app.ask('manager', '/api/admin/deliveries/999999/retry', { json: {} })).status).toBe(404)
  })
})
