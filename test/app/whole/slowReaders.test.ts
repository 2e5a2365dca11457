import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useDatabase } from '../../support/database.js'
import { manyReports } from '../../support/house/manyReports.js'
import { keys } from '../../support/keys.js'
import { type Caretaker, startCaretaker } from '../../support/process.js'
import { eventually } from '../../support/run/eventually.js'
import { newFolder } from '../../support/run/folders.js'

const database = useDatabase()
const folder = newFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let server: Caretaker

beforeAll(async () => {
  await manyReports(500, longReport)
  const env = { DATABASE_URL: database(), DATA_DIR: folder, NODE_OPTIONS: collecting, ...keys }
  server = await startCaretaker(env)
})
afterAll(() => server.end())

it('twenty people who ask for the largest list again and again, and never read cost less than 60 MB together, and no one is held up', async () => {
  await takeAll()
  const before = await memory()
  const sockets = Array.from({ length: readers }, open)
  const taken = new Set<Socket>()
  for (const socket of sockets) {
    socket.once('readable', () => taken.add(socket))
    socket.write(request.repeat(requests))
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
    for (let i = 0; i < requests; i++)
      await (await fetch(`${server.origin}/api/incidents?limit=500`)).arrayBuffer()
  }
  await Promise.all(Array.from({ length: readers }, one))
}

/** Columns of a report with ten thousand characters. */
const longReport = {
  title: `'Long ' || n`,
  description: 'repeat(md5(n::text), 312)',
  source: `'email'`,
  asset_id: '1',
  reporter_label: `'Somebody'`,
}

const readers = 20
/**
 * How often the list is asked for on each connection, so that the system cannot take it all in our
 * place.
 */
const requests = 12
const megabyte = 1024 * 1024
const request = 'GET /api/incidents?limit=500 HTTP/1.1\r\nHost: x\r\n\r\n'

/**
 * Collects garbage when told to, and says what is left, objects and buffers: what the readers hold,
 * and neither what was left lying about nor what the allocator keeps of it.
 */
const collecting = `--expose-gc --import data:text/javascript,process.on('SIGUSR2',()=>{gc();const{heapUsed:a,external:b}=process.memoryUsage();process.stdout.write('collected='+(a+b)+'\\n')})`
