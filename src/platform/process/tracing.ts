import { config } from './config.js'
import type { SpanFacts, Tracer, TraceSpan } from './tracing/openTelemetry.js'

let tracer: Tracer | null = null

/**
 * Starts to trace where the standard's OTEL_ variables ask for it, else does nothing and loads
 * nothing. `part`: what this process or thread is. Returns what ends it.
 */
export async function startTracing(part: 'web' | 'worker' | 'job'): Promise<() => Promise<void>> {
  if (!config.tracing) return async () => {}
  const { openTelemetry } = await import('./tracing/openTelemetry.js')
  tracer ??= await openTelemetry(part)
  return stopTracing
}

async function stopTracing(): Promise<void> {
  const stopped = tracer
  tracer = null
  await stopped?.stop()
}

/** Starts a span, which the caller ends; null while nothing is traced. */
export function beginSpan(facts: SpanFacts): TraceSpan | null {
  return tracer?.begin(facts) ?? null
}

/**
 * Calls `work` in a span; `factsOf`: what its result adds to the span. An error counts by its code
 * or name.
 */
export async function inSpan<T>(
  facts: SpanFacts,
  work: () => Promise<T>,
  factsOf: (result: T) => Parameters<TraceSpan['end']>[0] = () => ({}),
): Promise<T> {
  const span = beginSpan(facts)
  if (!span) return work()
  try {
    const result = await span.within(work)
    span.end(factsOf(result))
    return result
  } catch (error) {
    span.end({ error: codeOf(error) })
    throw error
  }
}

/**
 * Calls `work` in a span when it is a part of a traced request or job. Polls have no span around
 * them, and get none.
 */
export function withSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  return tracer?.hasParent() ? inSpan({ name }, work) : work()
}

/** Calls `work`, which goes on after what led to it, as if nothing had. */
export function detached<T>(work: () => T): T {
  return tracer ? tracer.detached(work) : work()
}

/** Characters of a statement that are sent. */
const longestText = 4_000

/** Runs a statement in a child span. `text`: with placeholders, as all of ours. */
export function tracedQuery<T>(text: string, run: () => Promise<T>): Promise<T> {
  if (!tracer?.hasParent()) return run()
  const name = /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? 'SQL'
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': name,
    'db.query.text': text.slice(0, longestText),
  }
  return inSpan({ name, kind: 'client', attributes }, run)
}

/** A SQLSTATE or system code, else the kind of error: messages may quote what people wrote. */
function codeOf(error: unknown): string {
  const { code, nativeError, name } = Object(error) as {
    code?: unknown
    nativeError?: unknown
    name?: unknown
  }
  if (typeof code === 'string' && /^\w{1,40}$/.test(code)) return code
  if (nativeError) return codeOf(nativeError)
  return typeof name === 'string' ? name : 'Error'
}
