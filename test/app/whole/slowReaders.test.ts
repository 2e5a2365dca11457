import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { useDatabase } from '../../support/database.js'
import { keys } from '../../support/keys.js'
import { type Caretaker, startCaretaker } from '../../support/process.js'
import { eventually } from '../../support/run/eventually.js'
import { newFolder } from '../../support/run/folders.js'

const database = useDatabase()
const folder = newFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const readers = 20
/** Asked for on each connection, so that the system cannot take it all in our place. */
const asked = 12
const megabyte = 1024 * 1024
const request = 'GET /api/incidents?limit=500 HTTP/1.1\r\nHost: x\r\n\r\n'

/**
 * Collects garbage when told to, and says what is left, objects and buffers: what the readers hold,
 * and neither what was left lying about nor what the allocator keeps of it.
 */
const collecting = `--expose-gc --import data:text/javascript,process.on('SIGUSR2',()=>{gc();const{heapUsed:a,external:b}=process.memoryUsage();process.stdout.write('collected='+(a+b)+'\\n')})`

let server: Caretaker

beforeAll(async () => {
  await query(
    `insert into incidents (title, description, severity, source, asset_id, reporter_label)
     select 'Long ' || n, repeat(md5(n::text), 312), 'low', 'email', 1, 'Somebody' from generate_series(1, 500) n`,
  )
  server = await startCaretaker({
    DATABASE_URL: database(),
    DATA_DIR: folder,
    NODE_OPTIONS: collecting,
    ...keys,
  })
})
afterAll(() => server.end())

/** What the server holds once it has collected its garbage, in bytes. */
async function memory(): Promise<number> {
  const said = () => [...server.output().matchAll(/collected=(\d+)\n/g)]
  const before = said().length
  server.child.kill('SIGUSR2')
  await eventually(() => expect(said().length).toBe(before + 1))
  return Number(said().at(-1)![1])
}

function open(): Socket {
  const { hostname, port } = new URL(server.origin)
  const socket = connect(Number(port), hostname)
  socket.pause()
  return socket
}

/**
 * As many answers as the others will ask for, taken: what the process needs to make
 * them, it has from then on.
 */
async function takeAll(): Promise<void> {
  const one = async () => {
    for (let i = 0; i < asked; i++)
      await (await fetch(`${server.origin}/api/incidents?limit=500`)).arrayBuffer()
  }
  await Promise.all(Array.from({ length: readers }, one))
}

it('twenty people who ask for the largest list again and again, and never read cost less than 60 MB together, and nobody is held up', async () => {
  await takeAll()
  const before = await memory()
  const sockets = Array.from({ length: readers }, open)
  const taken = new Set<Socket>()
  for (const socket of sockets) {
    socket.once('readable', () => taken.add(socket))
    socket.write(request.repeat(asked))
  }
  await eventually(() => expect(taken.size).toBe(readers))
  // Until it has made what it is going to make: one or two answers each. All of them
  // would be twice the bound.
  await eventually(async () => {
    expect((await fetch(`${server.origin}/api/incidents?limit=1`)).status).toBe(200)
    expect(((await memory()) - before) / megabyte).toBeLessThan(60)
  })
  expect(sockets.filter(({ closed }) => closed)).toEqual([])
  for (const socket of sockets) socket.destroy()
})
