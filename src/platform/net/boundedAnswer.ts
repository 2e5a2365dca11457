/**
 * The bytes of an answer, decompressed, as they arrive. Throws as soon as there are more than
 * `most`.
 */
export async function bytesOf(answer: Response, most: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > most) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
