import { readFileSync } from 'node:fs'
import { answerPhotos, framed } from '../../../src/platform/photos/decoder/protocol.js'

const ok = (words: object) => ({
  photo: Buffer.from(JSON.stringify(words)),
  thumbnail: Buffer.from('.'),
  width: 1,
  height: 1,
})
const never = new Promise<never>(() => undefined)

/** Most bytes it could have at once, of at most 4 GB. */
function mostMemory(): number {
  const held: Buffer[] = []
  try {
    for (let parts = 0; parts < 256; parts++) held.push(Buffer.alloc(16 * 2 ** 20, 1))
  } catch {
    // What it got is the answer.
  }
  return held.length * 16 * 2 ** 20
}

/** What a decoder does that a picture has taken over; the picture says which. */
const faults: Record<string, () => unknown> = {
  SIGSEGV: () => process.kill(process.pid, 'SIGSEGV'),
  SIGBUS: () => process.kill(process.pid, 'SIGBUS'),
  SIGKILL: () => process.kill(process.pid, 'SIGKILL'),
  abort: () => process.abort(),
  exit: () => process.exit(0),
  endless: () => {
    for (;;);
  },
  'no answer': () => undefined,
  'no frame': () => process.stdout.write(Buffer.alloc(64, 0xff)),
  'half a frame': () => process.stdout.write(Buffer.from([200, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3])),
  'another answer': () => process.stdout.write(Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0x7d])),
}

/** A decoder for tests: `\xff\xd8\xff` and then what it is to do. */
answerPhotos(async (bytes) => {
  const asked = bytes.toString('latin1', 3)
  if (asked === 'memory') return ok({ most: mostMemory() })
  if (asked === 'surroundings')
    return ok({ env: process.env, args: process.argv, limits: readFileSync('/proc/self/limits', 'utf8') })
  if (asked === 'and one more') {
    // After the answer to this one, as if it were the answer to whichever comes next.
    const forged = { width: 1, height: 1, photo: 2, thumbnail: 1 }
    setTimeout(() => process.stdout.write(Buffer.concat(framed(forged, Buffer.from('{}.')))), 200)
  }
  if (!Object.hasOwn(faults, asked)) return ok({ asked })
  faults[asked]!()
  return never
})
