import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/app/routes.js'
import { commit, version } from '../../src/platform/process/version.js'
import { checkout } from '../support/compiled.js'
import { emptyOutbox } from '../support/email/messages.js'
import { useHouse } from '../support/house/house.js'
import { endImpacts } from '../support/impacts.js'
import { insertRow } from '../support/rows.js'
import { eventually } from '../support/run/eventually.js'

const house = useHouse()
beforeAll(endImpacts)

describe('the metrics', () => {
  it('count requests by the pattern of their route, whatever was asked', async () => {
    await figures()
    await house.ask('guest', '/assets/1')
    await house.ask('guest', '/assets/2')
    for (const path of ['/nothing', '/nothing/17', '/assets/x']) await house.ask('guest', path)
    await house.ask('guest', '/assets/1', { method: 'PROPFIND' })
    // A request is counted when its connection has taken all of the answer, a
    // moment after the client has.
    const found = await eventually(async () => {
      const now = await figures()
      const others = [...now.keys()].filter((name) => /^caretaker_http_requests_total.*"other"/.test(name))
      expect(others).toEqual([expect.stringMatching(/route="none",status="(405|501)"/)])
      return now
    })
    expect(found.get('caretaker_http_requests_total{method="GET",route="/assets/:id",status="200"}')).toBe(2)
    expect(found.get('caretaker_http_requests_total{method="GET",route="none",status="404"}')).toBe(2)
    const labels = [...found.keys()].flatMap((name) => /route="([^"]*)"/.exec(name)?.[1] ?? [])
    const known = new Set(routes.flatMap(({ paths }) => paths))
    expect(labels.filter((route) => route !== 'none' && !known.has(route))).toEqual([])
    expect(found.get('caretaker_http_request_duration_seconds_count{method="GET",route="/assets/:id"}')).toBe(
      3,
    )
  })

  it('count reads of the status view that no log names, and how they were answered', async () => {
    const reads = 'caretaker_status_reads_total{path="/api/status"}'
    expect(await growth(reads, () => house.ask('guest', '/api/status'))).toBe(1)
    expect(
      await growth('caretaker_status_cache_total{result="hit"}', () => house.ask('guest', '/api/status')),
    ).toBe(1)
  })

  it('say what waits, why, and when jobs last succeeded', async () => {
    await emptyOutbox()
    const tenMinutes = 600_000
    await insertRow('outbox', {
      kind: 'mail',
      event: 'test',
      attempts: 1,
      failing_since: new Date(Date.now() - tenMinutes),
      last_error: 'smtp sign-in refused 535',
      next_attempt_at: new Date(Date.now() + 6 * tenMinutes),
    })
    const finishedAt = new Date(1_790_000_000_000)
    await insertRow('job_runs', { job: 'sweep', via: 'scheduler', finished_at: finishedAt })
    const found = await figures()
    expect(found.get('caretaker_database_up')).toBe(1)
    expect(found.get('caretaker_outbox_waiting{kind="mail"}')).toBe(1)
    expect(found.get('caretaker_outbox_failing{kind="mail",reason="sign_in_refused"}')).toBe(1)
    expect(found.get('caretaker_outbox_stuck{kind="mail"}')).toBe(1)
    expect(found.get('caretaker_job_last_success_timestamp_seconds{job="sweep"}')).toBe(1_790_000_000)
    expect(found.get(`caretaker_build_info{version="${version}",commit="${commit ?? ''}"}`)).toBe(1)
    // What never ran is told, too, so that an alert can see it.
    expect(found.get('caretaker_job_last_success_timestamp_seconds{job="backup"}')).toBe(0)
    expect(found.get('caretaker_photo_store_up')).toBe(1)
    expect(found.get('caretaker_data_free_bytes')).toBeGreaterThan(0)
    await emptyOutbox()
    expect((await figures()).get('caretaker_outbox_stuck{kind="mail"}')).toBe(0)
  })

  it('are all that the board and the alert rules ask for', async () => {
    const found = new Set([...(await figures()).keys()].map((name) => name.replace(/\{.*/, '')))
    // What counts by labels has no line before the first of them.
    const types = await (await house.ask('monitor', '/metrics')).text()
    for (const [, name] of types.matchAll(/^# TYPE (\w+)/gm)) found.add(name!)
    for (const file of ['alerts.yml', 'board.json']) {
      const text = readFileSync(path.join(checkout, 'docs/monitoring', file), 'utf8')
      const asked = [...text.matchAll(/\b(?:caretaker|nodejs|process)_\w+/g)].map(([name]) => name)
      expect(asked.length).toBeGreaterThan(10)
      expect([file, asked.filter((name) => !found.has(name))]).toEqual([file, []])
    }
  })
})

/** Values by name and labels, as written: `caretaker_outbox_waiting{kind="mail"}`. */
async function figures(): Promise<Map<string, number>> {
  const answer = await house.ask('monitor', '/metrics')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const lines = (await answer.text()).split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

/**
 * How much a figure grew, once it has: some are counted a moment after the client has its answer.
 */
async function growth(name: string, act: () => Promise<unknown>): Promise<number> {
  const before = (await figures()).get(name) ?? 0
  await act()
  return eventually(async () => {
    const grown = ((await figures()).get(name) ?? 0) - before
    expect(grown).toBeGreaterThan(0)
    return grown
  })
}
