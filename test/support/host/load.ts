import { multipart, picture } from '../pictures.js'
import type { openBuilding } from './building.js'
import type { Question } from './host.js'

type Building = Awaited<ReturnType<typeof openBuilding>>

/** What was acknowledged while people used the building, and what went wrong in words. */
export type Load = {
  faults: string[]
  answered: number
  /** How often a process was too busy, said that it had stored nothing, and was asked again. */
  busy: number
  /** By title: what came with each. */
  reports: Map<string, { id: number; photos: number; comments: string[] }>
}

let loads = 0
const pages = ['/', '/incidents', '/assets/1', '/api/status', '/api/incidents', '/api/assets/1']

/**
 * People who use the building through nginx, half of them on a new connection for each request,
 * until `stop`: they read, report with and without photos, comment, acknowledge, follow, and look
 * at what was acknowledged to them.
 */
export async function startLoad({ host, cookies }: Building, people: number) {
  const load: Load = { faults: [], answered: 0, busy: 0, reports: new Map() }
  const name = `Load ${++loads}`
  const photo = { bytes: await picture() }
  let over = false

  /** The answer's JSON or text; null when it is none, or another than this one. */
  async function expected(status: number, address: string, question: Question, tries = 5): Promise<any> {
    try {
      const answer = await host.ask(address, question)
      const text = await answer.text()
      if (answer.status === 503 && text.includes('"code":"unavailable"') && tries > 1) {
        load.busy += 1
        return await expected(status, address, question, tries - 1)
      }
      if (answer.status !== status) throw new Error(`${answer.status} ${text.slice(0, 200)}`)
      load.answered += 1
      return /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : text
    } catch (error) {
      load.faults.push(`${question.method ?? 'GET'} ${address}: ${(error as Error).message}`)
      return null
    }
  }

  async function visit(person: number, n: number): Promise<void> {
    const anew = person % 2 === 1
    const read = (address: string) => expected(200, address, { anew, cookie: cookies.resident })
    const send = (status: number, address: string, question: Question) =>
      expected(status, address, { method: 'POST', anew, ...question })
    await read(pages[n % pages.length]!)
    const fields = { assetId: String(1 + (n % 12)), title: `${name}, ${person}-${n}`, severity: 'low' }
    const photos = (person + n) % 3 === 0 ? 2 : 0
    const made = photos
      ? await send(201, '/api/incidents', {
          cookie: cookies.resident,
          form: multipart(fields, [photo, photo]),
        })
      : await send(201, '/api/incidents', { phone: true, json: { ...fields, assetId: 1 + (n % 12) } })
    if (!made) return
    const comments: string[] = []
    load.reports.set(fields.title, { id: made.id, photos, comments })
    const address = `/api/incidents/${made.id}`
    const shown = await read(address)
    if (shown && (shown.title !== fields.title || shown.photos.length !== photos))
      load.faults.push(`GET ${address}: not what was reported`)
    for (const each of shown?.photos.slice(0, 1) ?? []) await read(`/api/photos/${each.path}`)
    for (const newStatus of [undefined, 'acknowledged']) {
      const body = `${fields.title} ${newStatus ?? 'seen'}`
      const entry = await send(201, `${address}/updates`, {
        cookie: cookies.manager,
        json: { body, newStatus },
      })
      if (entry) comments.push(body)
    }
    await send(200, `${address}/follow`, { cookie: cookies.resident })
    await send(204, `${address}/follow`, { method: 'DELETE', cookie: cookies.resident })
  }

  const visits = Array.from({ length: people }, async (_, person) => {
    for (let n = 0; !over; n++) await visit(person, n)
  })
  return {
    load,
    /** Resolves when everybody has the answer to the last request. */
    stop: async () => {
      over = true
      await Promise.all(visits)
      return load
    },
  }
}
