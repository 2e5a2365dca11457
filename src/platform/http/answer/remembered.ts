/**
 * Cached values per header, and the longest value cached (characters): senders may invent any
 * number.
 */
const most = 100
const longest = 200

/**
 * Caches what a header's value means: most requests send one of a few, and parsing a browser's
 * takes 3 to 6 µs, which the status fast path would notice. A missing header reads as an empty one.
 */
export function memoized<T extends string | null>(read: (header: string) => T) {
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
