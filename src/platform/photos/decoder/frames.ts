/** What the service and its decoder tell each other: a few facts as JSON, then bytes. */
export type Frame = { head: unknown; body: Buffer }

/** Lengths of head and body, 32 bits each. */
const prefix = 8
/** Bytes: more than any upload or answer has, and all that a faulty decoder can make us keep. */
const mostBytes = 48 * 1024 * 1024

/** A frame as it is written: in parts, as large ones are not copied. */
export function framed(head: object, ...body: Buffer[]): Buffer[] {
  const words = Buffer.from(JSON.stringify(head))
  const lengths = Buffer.alloc(prefix)
  lengths.writeUInt32LE(words.length, 0)
  lengths.writeUInt32LE(
    body.reduce((sum, { length }) => sum + length, 0),
    4,
  )
  return [lengths, words, ...body]
}

/** Takes a stream's chunks and gives each frame as soon as it is whole. Throws for what is none. */
export function readFrames(take: (frame: Frame) => void): (chunk: Buffer) => void {
  let [chunks, size, wanted]: [Buffer[], number, number] = [[], 0, prefix]
  const joined = () => {
    const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    chunks = [bytes]
    return bytes
  }
  return (chunk) => {
    chunks.push(chunk)
    size += chunk.length
    while (size >= wanted) {
      const bytes = joined()
      const words = prefix + bytes.readUInt32LE(0)
      const end = words + bytes.readUInt32LE(4)
      if (end > mostBytes) throw new Error('a frame is too large')
      wanted = end
      if (size < end) return
      take({ head: JSON.parse(bytes.toString('utf8', prefix, words)), body: bytes.subarray(words, end) })
      ;[chunks, size, wanted] = [[bytes.subarray(end)], size - end, prefix]
    }
  }
}
