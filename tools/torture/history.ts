import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'

/** What a client may conclude from an answer: it is stored, it is not, or no one can say. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown'

/** One sending of a write. Times in epoch ms of the harness; `made`: the id in the answer. */
export type Attempt = {
  sent: number
  answered: number | null
  outcome: Outcome
  status: number | null
  code: string | null
  requestId: string | null
  made: number | null
}

/** A write that a person meant once, however often it was sent under its Idempotency-Key. */
export type Operation = {
  op: number
  act: string
  /** Words that stand nowhere but in what this operation stores; null where it stores no words. */
  marker: string | null
  who: string
  incident: number | null
  photos: number
  key: string | null
  attempts: Attempt[]
}

type Line =
  | { event: 'asked'; operation: Omit<Operation, 'attempts'> }
  | { event: 'sent'; op: number; sent: number }
  | ({ event: 'answered'; op: number } & Omit<Attempt, 'sent'>)
  | { event: 'fault'; name: string; at: number }

/**
 * The operations in the order they were meant, written to a file as they happen: it outlives the
 * harness.
 */
export class History {
  private ops = 0

  constructor(readonly file: string) {
    writeFileSync(file, '')
  }

  ask(write: Omit<Operation, 'op' | 'attempts'>): number {
    const op = this.ops++
    this.#write({ event: 'asked', operation: { op, ...write } })
    return op
  }

  sent(op: number): void {
    this.#write({ event: 'sent', op, sent: Date.now() })
  }

  answered(op: number, answer: Omit<Attempt, 'sent'>): void {
    this.#write({ event: 'answered', op, ...answer })
  }

  fault(name: string): void {
    this.#write({ event: 'fault', name, at: Date.now() })
  }

  #write(line: Line): void {
    appendFileSync(this.file, `${JSON.stringify(line)}\n`)
  }
}

/** What a history's file says. A sending without an answer is of unknown outcome. */
export function readHistory(file: string): Operation[] {
  const operations: Operation[] = []
  for (const text of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const line = JSON.parse(text) as Line
    if (line.event === 'asked') operations.push({ ...line.operation, attempts: [] })
    else if (line.event === 'sent') operations[line.op]!.attempts.push({ ...unanswered, sent: line.sent })
    else if (line.event === 'answered') {
      const { event: _event, op, ...answer } = line
      Object.assign(operations[op]!.attempts.at(-1)!, answer)
    }
  }
  return operations
}

const unanswered = {
  answered: null,
  outcome: 'unknown' as const,
  status: null,
  code: null,
  requestId: null,
  made: null,
}

/** What is known of an operation from all answers to it. */
export function outcomeOf({ attempts }: Operation): Outcome {
  const outcomes = attempts.map(({ outcome }) => outcome)
  return (
    (['acknowledged', 'unknown', 'refused'] as const).find((each) => outcomes.includes(each)) ?? 'refused'
  )
}

/**
 * What an answer promises. The program says "Nothing was stored" with every refusal but two
 * (`text/en/problems.ts`).
 */
export function outcomeFrom(status: number, code: string | null): Outcome {
  if (status < 300) return 'acknowledged'
  if (status < 500) return 'refused'
  return code === 'unavailable' || code === 'photo_store_away' ? 'refused' : 'unknown'
}
