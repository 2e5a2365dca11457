/** Values of one header that are kept at most, and the longest that is: senders may make up as many as they like. */
const most = 100
const longest = 200

/**
 * What a header says, read once for each of its values: nearly all requests carry one of a few, and reading a browser's
 * takes 3 to 6 µs, which the status reads ahead of Koa would feel. A header that is missing says what an empty one does.
 */
export function remembered<T extends string | null>(read: (header: string) => T) {
  const known = new Map<string, T>()
  return (header = ''): T => {
    const kept = known.get(header)
    if (kept !== undefined) return kept
    const said = read(header)
    if (known.size >= most) known.clear()
    if (header.length <= longest) known.set(header, said)
    return said
  }
}
