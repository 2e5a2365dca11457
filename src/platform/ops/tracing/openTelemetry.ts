import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigurationError, config } from '../config.js'
import { log } from '../log.js'
import { version } from '../version.js'
import type { Attributes, SpanFacts, Tracer, TraceSpan } from './span.js'

/** Milliseconds that sending the last spans may take when the process ends. */
const farewell = 2_000
/** Milliseconds between two lines about a collector that takes nothing. */
const warnEvery = 60_000

/**
 * Makes a tracer of OpenTelemetry's own parts, which read the other OTEL_ variables themselves:
 * exporter, sampler, limits. Their queue is bounded; what does not fit into it is dropped.
 */
export async function openTelemetry(part: string): Promise<Tracer> {
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
  const warn = sometimes(() => log.warn('traces are not taken by the collector'))
  const quiet = () => {}
  api.diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  sdk.start()
  const source = trace.getTracer('caretaker', version)

  function begin({ name, kind, attributes = {}, headers }: SpanFacts): TraceSpan {
    const parent = headers ? propagation.extract(ROOT_CONTEXT, headers) : context.active()
    const options = { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes: given(attributes) }
    const span = source.startSpan(name, options, parent)
    const inside = trace.setSpan(parent, span)
    return {
      within: (work) => context.with(inside, work),
      end: ({ name: better, attributes: more = {}, error }) => {
        if (better !== undefined) span.updateName(better)
        span.setAttributes(given(more))
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
    hasParent: () => trace.getSpan(context.active()) !== undefined,
    apart: (work) => context.with(ROOT_CONTEXT, work),
    stop: () => Promise.race([sdk.shutdown().catch(warn), sleep(farewell, undefined, { ref: false })]),
  }
}

/** Those that have a value. */
function given(attributes: Attributes): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  )
}

function sometimes(say: () => void): () => void {
  let saidAt = -Infinity
  return () => {
    if (performance.now() - saidAt < warnEvery) return
    saidAt = performance.now()
    say()
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
