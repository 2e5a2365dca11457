import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenOnFreePort } from '../run/ports.js'

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number }
type Attribute = { key: string; value: Value }
/** A span as OTLP has it in JSON, with its attributes by name. */
export type Arrived = {
  traceId: string
  parentSpanId?: string
  spanId: string
  name: string
  kind: number
  status: { code?: number }
  attributes: Record<string, string | number | undefined>
}

/**
 * An OpenTelemetry collector that keeps what it gets; `answers: false`: it
 * takes it and never says so.
 */
export async function startCollector({ answers = true } = {}) {
  const spans: Arrived[] = []
  const resources: Record<string, unknown>[] = []
  let received = ''
  const plain = ({ stringValue, intValue, doubleValue }: Value) =>
    stringValue ?? (intValue === undefined ? doubleValue : Number(intValue))
  const byName = (list: Attribute[] = []) =>
    Object.fromEntries(list.map(({ key, value }) => [key, plain(value)]))
  const server = createServer(async (request, response) => {
    const body = await text(request)
    received += body
    const { resourceSpans = [] } = JSON.parse(body)
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(byName(resource.attributes))
      for (const each of scopeSpans)
        for (const span of each.spans) spans.push({ ...span, attributes: byName(span.attributes) })
    }
    if (answers) response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const { origin, stop } = await listenOnFreePort(server)
  return {
    /** What a process that sends traces here is told. */
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: origin,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
    spans,
    resources,
    received: () => received,
    end: stop,
  }
}
