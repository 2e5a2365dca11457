import { describe, expect, it } from 'vitest'
import { routes } from '../../../src/app/routes.js'
import { query } from '../../../src/platform/db/database.js'
import { readConfig } from '../../../src/platform/process/config.js'
import { useDatabase } from '../../support/database.js'
import { keys } from '../../support/keys.js'
import { runJobProcess, startCaretaker } from '../../support/process.js'
import { eventually } from '../../support/run/eventually.js'
import { itInWholeRun } from '../../support/run/extent.js'
import { newFolder } from '../../support/run/folders.js'
import { startCollector } from '../../support/services/collector.js'

const database = useDatabase()
const folder = newFolder()
const env = () => ({ DATABASE_URL: database(), DATA_DIR: folder, ...keys })
const phone = { authorization: `Bearer ${keys.MOBILE_API_KEY}`, 'content-type': 'application/json' }
/** What a person writes and where they are: no trace may have any of it. */
const said = 'The lift of Mrs Kowalski is stuck'
const asked = 'kowalski-secret-search'

const server = 2
const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']

describe('the traces', () => {
  it('follow a request to its statements and to what is sent because of it, and tell nothing of people', async () => {
    const collector = await startCollector()
    const web = await startCaretaker({ ...env(), ...collector.env, OTEL_SERVICE_NAME: 'lime' })
    const traceparent = `00-${traceId}-${spanId}-01`
    const listed = await fetch(`${web.origin}/api/incidents?search=${asked}`, {
      headers: { ...phone, traceparent, baggage: `who=${asked}`, 'user-agent': asked },
    })
    expect(listed.status).toBe(200)
    const body = JSON.stringify({
      title: said,
      description: said,
      assetId: 1,
      severity: 'high',
      isDowntime: false,
    })
    const made = await fetch(`${web.origin}/api/incidents`, { method: 'POST', headers: phone, body })
    expect(made.status).toBe(201)
    await fetch(`${web.origin}/unsubscribe/${asked}`)
    await fetch(`${web.origin}/${asked}`)
    const id = (answer: Response) => answer.headers.get('x-request-id')

    const of = (answer: Response) =>
      collector.spans.filter(({ attributes }) => attributes['caretaker.request_id'] === id(answer))
    await eventually(() => {
      expect(of(listed)).toHaveLength(1)
      expect(of(made).map(({ name }) => name)).toEqual(
        expect.arrayContaining(['POST /api/incidents', 'send mail']),
      )
    })
    expect(of(listed)[0]).toMatchObject({
      traceId,
      parentSpanId: spanId,
      name: 'GET /api/incidents',
      kind: server,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/incidents',
        'http.response.status_code': 200,
      },
    })
    const ofTrace = collector.spans.filter((span) => span.traceId === traceId)
    const statements = ofTrace.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql')
    expect(statements.length).toBeGreaterThan(0)
    const parents = new Set(ofTrace.map((span) => span.spanId))
    for (const { parentSpanId } of statements) expect(parents).toContain(parentSpanId)

    const report = of(made).find(({ kind }) => kind === server)!
    const email = of(made).find(({ name }) => name === 'send mail')!
    expect(email.traceId).not.toBe(report.traceId)
    expect(email.attributes).toMatchObject({
      'caretaker.event': 'incident.created',
      'caretaker.delivery.result': 'sent',
    })

    const known = new Set(routes.flatMap(({ paths }) => paths))
    const named = collector.spans.flatMap(({ attributes }) => attributes['http.route'] ?? [])
    expect(named.filter((route) => !known.has(String(route)))).toEqual([])
    expect(collector.resources[0]).toMatchObject({ 'service.name': 'lime', 'caretaker.part': 'web' })
    expect(await web.end()).toBe(0)
    const personal = new RegExp(
      `kowalski|127\\.0\\.0\\.1|@|host\\.|process\\.|${Object.values(keys).join('|')}`,
      'gi',
    )
    expect(collector.received().match(personal)).toBeNull()
    await collector.end()
  })

  itInWholeRun('have the last spans before the process ends, of a job too, and polls are none', async () => {
    const collector = await startCollector()
    const patient = { ...env(), ...collector.env, OTEL_BSP_SCHEDULE_DELAY: '600000' }
    const web = await startCaretaker(patient)
    await fetch(`${web.origin}/api/assets/1`)
    expect(await web.end()).toBe(0)
    expect(collector.spans.map(({ name }) => name)).toContain('GET /api/assets/:id')
    expect(collector.spans.filter(({ parentSpanId, kind }) => !parentSpanId && kind !== server)).toEqual([])
    collector.spans.length = 0
    await runJobProcess('sweep', patient)
    const job = collector.spans.find(({ name }) => name === 'job sweep')!
    expect(job.attributes).toMatchObject({ 'caretaker.job.via': 'cli' })
    expect(
      collector.spans.filter(
        ({ traceId: trace, spanId: span }) => trace === job.traceId && span !== job.spanId,
      ),
    ).not.toEqual([])
    expect(collector.resources.at(-1)).toMatchObject({ 'service.name': 'caretaker', 'caretaker.part': 'job' })
    await collector.end()
  })

  itInWholeRun(
    'change nothing for people when the collector never answers, nor for who stops the process',
    async () => {
      const collector = await startCollector({ answers: false })
      const web = await startCaretaker({
        ...env(),
        ...collector.env,
        OTEL_BSP_MAX_QUEUE_SIZE: '10',
        OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
        OTEL_BSP_EXPORT_TIMEOUT: '600000',
      })
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, n) => fetch(`${web.origin}${['/incidents', '/assets/1'][n % 2]}`)),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      await eventually(() => expect(collector.received()).not.toBe(''))
      // Its exporter's own patience is ten minutes here: only ours of 2 s lets it end.
      expect(await web.end()).toBe(0)
      await collector.end()
    },
  )

  itInWholeRun('do not change an answer', async () => {
    const collector = await startCollector()
    const [traced, plain] = await Promise.all([
      startCaretaker({ ...env(), ...collector.env }),
      startCaretaker(env()),
    ])
    for (const address of ['/api/assets/1', '/api/status', '/nothing', '/api/incidents/999999']) {
      const seen = async ({ origin }: { origin: string }) => {
        const answer = await fetch(origin + address)
        return [
          answer.status,
          [...answer.headers.keys()].sort(),
          (await answer.text()).replaceAll(/[\w-]{20,}/g, '…'),
        ]
      }
      // An uptime falls by a hundredth every few minutes: between two answers it may, and then lies
      // on one side of the third.
      const [before, one, after] = [await seen(plain), await seen(traced), await seen(plain)]
      expect([before, after]).toContainEqual(one)
    }
    expect(await Promise.all([traced.end(), plain.end()])).toEqual([0, 0])
    await collector.end()
  })
})

describe('tracing', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
  const tracingOf = (given: Record<string, string>) =>
    readConfig({ ...keys, DATABASE_URL: 'postgres://x', ...given }).tracing

  it('is off without the standard’s variables, and where they say so', async () => {
    expect(tracingOf({})).toBeNull()
    expect(tracingOf({ OTEL_SERVICE_NAME: 'lime' })).toBeNull()
    expect(tracingOf({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeNull()
    expect(tracingOf({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeNull()
    expect(tracingOf(endpoint)).toEqual({ serviceName: null })
    expect(tracingOf({ OTEL_TRACES_EXPORTER: 'otlp', OTEL_SERVICE_NAME: 'lime' })).toEqual({
      serviceName: 'lime',
    })
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'smoke'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
  ])('is not asked for by %s=%s', (name, value) => {
    expect(() => tracingOf({ [name]: value })).toThrow(name)
  })
})
