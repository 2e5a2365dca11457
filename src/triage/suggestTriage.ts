import { query } from '../platform/db/database.js'
import { bytesOf } from '../platform/net/boundedFetch.js'
import { config } from '../platform/ops/config.js'
import {
  emptySuggestion,
  readSuggestion,
  rereadSuggestion,
  type Suggestion,
  type TriageContext,
  triageInstructions,
} from './triageAnswer.js'

/** Milliseconds from sending the question to the last byte of the answer (decision 4.11). */
const patience = 4_000
/** Bytes of an answer that are read; a suggestion needs a few hundred. */
const mostAnswer = 64 * 1024

/**
 * Asks an OpenAI-compatible chat endpoint and returns its text unchecked. Throws when the endpoint
 * is down, late, too long or answers in another shape.
 */
async function askTriageProvider(instructions: string, question: string): Promise<string> {
  const { apiKey, baseUrl, model } = config.ai
  const answer = await fetch(`${baseUrl.replace(/\/+$/, '')}/chat/completions`, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(patience),
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
    // No further settings: endpoints differ in those they accept.
    body: JSON.stringify({
      model,
      response_format: { type: 'json_object' },
      messages: [
        { role: 'system', content: instructions },
        { role: 'user', content: question },
      ],
    }),
  })
  return wordsIn(await textOf(answer))
}

async function textOf(answer: Response): Promise<string> {
  const bytes = await bytesOf(answer, mostAnswer)
  if (!answer.ok) throw new Error(`answered ${answer.status}`)
  return bytes.toString()
}

function wordsIn(text: string): string {
  const words = JSON.parse(text)?.choices?.[0]?.message?.content
  if (typeof words !== 'string') throw new Error('no words in the answer')
  return words
}

/** Open incidents sent to the provider, newest first. */
const mostIncidents = 100

/**
 * The provider's suggestion for a report (decision 4.11). Stores nothing. Empty for a report
 * without text, and when anything goes wrong at the provider.
 */
export async function suggestTriage(report: { title: string; description: string }): Promise<Suggestion> {
  if (report.title === '' && report.description === '') return emptySuggestion
  const context = await triageContext()
  const question = JSON.stringify({ report, ...context })
  return askTriageProvider(triageInstructions, question).then(
    (answer) => readSuggestion(answer, context),
    () => emptySuggestion,
  )
}

/** The suggestion that a form sent back; its ids are looked up again. */
export async function carriedSuggestion(text: string): Promise<Suggestion> {
  return rereadSuggestion(text, await triageContext())
}

async function triageContext(): Promise<TriageContext> {
  const [assets, incidents] = await Promise.all([
    query<{ id: number; name: string }>(
      `select a.id, t.name || ': ' || a.name as name from assets a join towers t on t.id = a.tower_id
       where a.archived_at is null order by t.sort_order, a.sort_order, a.id`,
    ),
    query<{ id: number; title: string }>(
      `select id, title from incidents where resolved_at is null and merged_into_id is null order by id desc limit $1`,
      [mostIncidents],
    ),
  ])
  return { assets, incidents }
}
