import { Agent, type IncomingMessage, request } from 'node:http'

export type Sent = {
  method: string
  headers: Record<string, string>
  body: NonNullable<RequestInit['body']> | undefined
}

/** An answer, and its text where it is known already. */
export type Heard = { answer: Response; text: () => Promise<string> }

const agent = new Agent({ keepAlive: true })

/**
 * One request; nothing is followed. Answers come uncompressed unless the test asks otherwise. What
 * `fetch` sends of its own is sent, at half of its cost, which thousands of requests notice.
 */
export async function send(url: string, { method, headers, body }: Sent): Promise<Heard> {
  const plain = body === undefined || typeof body === 'string' || body instanceof URLSearchParams
  if (!plain || Object.keys(headers).some((name) => name.toLowerCase() === 'accept-encoding')) {
    const init = { method, headers, redirect: 'manual' as const, ...(body === undefined ? {} : { body }) }
    const answer = await fetch(url, init)
    return { answer, text: () => answer.clone().text() }
  }
  const own = typeof body === 'string' ? 'text/plain;charset=UTF-8' : formType
  const all = new Headers({ ...ofFetch, ...(body === undefined ? {} : { 'content-type': own }) })
  for (const [name, value] of Object.entries(headers)) all.set(name, value)
  const bytes = body === undefined ? undefined : Buffer.from(String(body))
  if (bytes ?? bodied.includes(method)) all.set('content-length', String(bytes?.length ?? 0))
  const { message, content } = await exchange(url, method, Object.fromEntries(all), bytes)
  const answer = new Response(bodiless.includes(message.statusCode!) ? null : content, {
    status: message.statusCode!,
    statusText: message.statusMessage!,
    headers: headersOf(message),
  })
  Object.defineProperty(answer, 'url', { value: url })
  return { answer, text: async () => content.toString() }
}

const formType = 'application/x-www-form-urlencoded;charset=UTF-8'
const ofFetch = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'identity',
}
const bodied = ['POST', 'PUT', 'PATCH']
const bodiless = [204, 205, 304]

type Exchanged = { message: IncomingMessage; content: Buffer<ArrayBuffer> }

/**
 * A kept connection may have been closed by the server just then: the request has not been
 * read, and is sent again.
 */
async function exchange(...asked: Parameters<typeof exchangeOnce>): Promise<Exchanged> {
  try {
    return await exchangeOnce(...asked)
  } catch (error) {
    if (error instanceof StaleConnection) return exchange(...asked)
    throw error
  }
}

class StaleConnection extends Error {}
/** What the system says of it, as the end has been heard of or not. */
const stale = ['ECONNRESET', 'EPIPE']

function exchangeOnce(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: Buffer | undefined,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers, agent }, (message) => {
      const chunks: Buffer[] = []
      message.on('data', (chunk) => chunks.push(chunk))
      message.on('end', () => resolve({ message, content: Buffer.concat(chunks) }))
      message.on('error', reject)
    })
    asking.on('error', (error: NodeJS.ErrnoException) =>
      reject(asking.reusedSocket && stale.includes(error.code!) ? new StaleConnection() : error),
    )
    asking.end(body)
  })
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!)
  return headers
}
