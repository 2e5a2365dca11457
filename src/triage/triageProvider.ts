import { bytesOf } from '../platform/net/boundedAnswer.js'
import { config } from '../platform/ops/config.js'

/** Milliseconds from sending the question to the last byte of the answer (decision 4.11). */
const patience = 4_000
/** Bytes of an answer that are read; a suggestion needs a few hundred. */
const mostAnswer = 64 * 1024

/** Whether a provider is configured: AI_API_KEY is set. */
export const triageProviderIsSet = config.ai.apiKey !== null

/**
 * Asks an OpenAI-compatible chat endpoint and returns its text unchecked. Throws when the endpoint is down,
 * late, too long or answers in another shape.
 */
export async function askTriageProvider(instructions: string, question: string): Promise<string> {
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
