import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigurationError, config } from '../config.js'
import { log } from '../log.js'
import { version } from '../version.js'

/**
 * What is known of a span: names, numbers and codes of ours. Never a person, an address, a query or
 * a bound value.
 */
type Attributes = Record<string, string | number | undefined>

export type SpanFacts = {
  name: string
  kind?: 'server' | 'client' | 'producer'
  attributes?: Attributes
  /** Of the request it is: its `traceparent` says which trace it belongs to. */
  headers?: IncomingHttpHeaders
}

/** What makes and sends spans. */
export type Tracer = Awaited<ReturnType<typeof openTelemetry>>
export type TraceSpan = ReturnType<Tracer['begin']>

/** Milliseconds that sending the last spans may take when the process ends. */
const farewell = 2_000
/** Milliseconds between two lines about a collector that takes nothing. */
const warnEvery = 60_000

/**
 * Makes a tracer of OpenTelemetry's own parts, which read the other OTEL_ variables themselves:
 * exporter, sampler, limits. Their queue is bounded; what does not fit into it is dropped.
 */
export async function openTelemetry(part: string) {
  const { NodeSDK, api, core, resources } = await sdkOrAdvice()
  const { trace, context, propagation, SpanKind, SpanStatusCode, ROOT_CONTEXT } = api
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER }
  // Its own detectors would send the host's name, the account's and the command line.
  const resource = resources.resourceFromAttributes({
    'service.name': config.tracing?.serviceName ?? 'caretaker',
    'service.version': version,
    'caretaker.part': part,
  })
  const sdk = new NodeSDK({
    resource: resources.defaultResource().merge(resource),
    resourceDetectors: [resources.envDetector],
    textMapPropagator: new core.W3CTraceContextPropagator(),
    metricReaders: [],
    logRecordProcessors: [],
  })
  let warnedAt = -Infinity
  const warn = () => {
    if (performance.now() - warnedAt < warnEvery) return
    warnedAt = performance.now()
    log.warn('traces are not taken by the collector')
  }
  const quiet = () => {}
  api.diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  sdk.start()
  const source = trace.getTracer('caretaker', version)

  function begin({ name, kind, attributes = {}, headers }: SpanFacts) {
    const parent = headers ? propagation.extract(ROOT_CONTEXT, headers) : context.active()
    const options = { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes }
    const span = source.startSpan(name, options, parent)
    const inside = trace.setSpan(parent, span)
    return {
      /** Spans started by `work` are this one's children. */
      within: <T>(work: () => T): T => context.with(inside, work),
      /** `error`: a code or a name of ours, when it failed. */
      end(facts: { name?: string; attributes?: Attributes; error?: string | undefined }): void {
        const { name: better, attributes: more = {}, error } = facts
        if (better !== undefined) span.updateName(better)
        span.setAttributes(more)
        if (error !== undefined) {
          span.setAttribute('error.type', error)
          span.setStatus({ code: SpanStatusCode.ERROR })
        }
        span.end()
      },
    }
  }

  return {
    begin,
    /** Whether there is a span whose child a new one would be. */
    hasParent: () => trace.getSpan(context.active()) !== undefined,
    /** Calls `work` as if no span had led to it. */
    detached: <T>(work: () => T): T => context.with(ROOT_CONTEXT, work),
    /** Sends what is left, for two seconds at most. Never throws. */
    stop: () => Promise.race([sdk.shutdown().catch(warn), sleep(farewell, undefined, { ref: false })]),
  }
}

/** Production installs leave the package out, because few buildings are traced (decision 8.9). */
function sdkOrAdvice(): Promise<typeof import('@opentelemetry/sdk-node')> {
  return import('@opentelemetry/sdk-node').catch(() => {
    throw new ConfigurationError([
      'OTEL_EXPORTER_OTLP_ENDPOINT: traces need a package that is not installed. Run npm install --no-save @opentelemetry/sdk-node, or unset the OTEL_ variables',
    ])
  })
}
