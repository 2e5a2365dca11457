import { cameraPhoto, multipart } from '../../test/support/pictures.js'
import { statusP99 } from './load.js'
import { startServer } from './processes.js'
import { sized } from './size.js'
import { printTimes, verdict } from './verdict.js'
import { benchDatabase, benchKey, fillBuilding, fillPeople } from './world.js'

const rounds = sized({ usual: 7, tiny: 1 })
/** As many as are decoded at once; each sends the next photo when the last was answered. */
const senders = 2
const slice = sized({ usual: 4_000, tiny: 300 })
/** Of the photos: four to three, 12 megapixels. */
const photoWidth = sized({ usual: 4_000, tiny: 400 })

/**
 * Reports with a photo of 12 megapixels, one after the other: what readers of the status feel of
 * them.
 */
export async function uploads(): Promise<boolean> {
  const world = await benchDatabase()
  try {
    await fillBuilding(100)
    await fillPeople()
    const { port, stop } = await startServer('./servers/caretaker.js', world.env)
    const photo = await cameraPhoto(photoWidth, (photoWidth / 4) * 3)
    // The first photo starts a decoder, and the first reads warm the server.
    await Promise.all([send(port, photo), statusP99(port, slice)])
    const found: number[] = []
    const stored: number[] = []
    for (let round = 0; round < rounds; round++) {
      const quiet = await statusP99(port, slice)
      const sending = keepSending(port, photo)
      found.push((await statusP99(port, slice)) / quiet)
      stored.push((await sending.stop()) / (slice / 1000))
    }
    await stop()
    printTimes('photos a second', stored)
    return verdict('p99 of GET /api/status during uploads of 12 megapixels against its quiet p99', found, {
      atMost: 3,
    })
  } finally {
    await world.stop()
  }
}

function keepSending(port: number, photo: Buffer): { stop: () => Promise<number> } {
  let going = true
  const sending = Array.from({ length: senders }, async () => {
    let sent = 0
    for (; going; sent++) await send(port, photo)
    return sent
  })
  return {
    stop: async () => {
      going = false
      return (await Promise.all(sending)).reduce((sum, each) => sum + each, 0)
    },
  }
}

async function send(port: number, bytes: Buffer): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/incidents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${benchKey}` },
    body: multipart({ title: 'The lift is stuck', severity: 'low', assetId: '3' }, [{ bytes }]),
  })
  await answer.arrayBuffer()
  if (answer.status !== 201) throw new Error(`a report with a photo was answered ${answer.status}`)
}
