import { createInterface } from 'node:readline'
import { startEmbeddedPostgres } from '../../../src/platform/postgres/embeddedPostgres.js'

/** What the process says first: the server it got, or why it got none. */
export type Said = {
  url: string
  ownerUrl: string
  notes: string[]
  error?: string
}

/** A process of its own that starts or joins the server, and stops at the first line it reads. */
const options = JSON.parse(process.argv[2] ?? '{}')
const say = (said: object) => process.stdout.write(`${JSON.stringify(said)}\n`)

try {
  const server = await startEmbeddedPostgres(options)
  say(server)
  createInterface(process.stdin).once('line', async () => {
    await server.stop()
    process.exit(0)
  })
} catch (error) {
  say({ error: (error as Error).message })
}
