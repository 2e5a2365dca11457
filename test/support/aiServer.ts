import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenOnFreePort } from './run/ports.js'

export type Question = { headers: IncomingMessage['headers']; url: string; body: any; text: string }

/** A local OpenAI-compatible service: answers as `answer` says, and remembers what it was asked. */
async function startAiServer() {
  const asked: Question[] = []
  const ai = {
    asked,
    answer: (_question: Question, res: ServerResponse): void => void res.end(),
    /** Answers every question with these words from now on. */
    says(words: unknown) {
      ai.answer = (_question, res) => {
        const content = typeof words === 'string' ? words : JSON.stringify(words)
        res.setHeader('content-type', 'application/json')
        res.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))
      }
    },
  }
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const question = { headers: req.headers, url: req.url ?? '', body: JSON.parse(text), text }
    asked.push(question)
    ai.answer(question, res)
  })
  const { origin, stop } = await listenOnFreePort(server)
  return Object.assign(ai, { url: `${origin}/v1`, close: stop })
}

/**
 * Starts that service as the one that this process is configured for. Called before any module
 * reads the configuration.
 */
export async function startConfiguredAiServer(): ReturnType<typeof startAiServer> {
  const server = await startAiServer()
  process.env.AI_API_KEY = 'ai-key'
  process.env.AI_BASE_URL = server.url
  process.env.AI_MODEL = 'small-model'
  return server
}
