import type { IncomingHttpHeaders } from 'node:http'

/**
 * What is known of a span: names, numbers and codes of ours. Never a person, an address, a query or
 * a bound value.
 */
export type Attributes = Record<string, string | number | undefined>

export type SpanFacts = {
  name: string
  kind?: 'server' | 'client' | 'producer'
  attributes?: Attributes
  /** Of the request it is: its `traceparent` says which trace it belongs to. */
  headers?: IncomingHttpHeaders
}

export type TraceSpan = {
  /** Spans started by `work` are this one's children. */
  within: <T>(work: () => T) => T
  /** `error`: a code or a name of ours, when it failed. */
  end: (facts: { name?: string; attributes?: Attributes; error?: string | undefined }) => void
}

/** What makes and sends spans. */
export type Tracer = {
  begin: (facts: SpanFacts) => TraceSpan
  /** Whether there is a span whose child a new one would be. */
  hasParent: () => boolean
  /** Calls `work` as if no span had led to it. */
  apart: <T>(work: () => T) => T
  /** Sends what is left, for two seconds at most. Never throws. */
  stop: () => Promise<void>
}
