/** How many header values are cached, and how long they may be: senders may invent any number. */
const most = 100
const longest = 200

/**
 * Caches what a header's value means: most requests send one of a few, and parsing a browser's
 * takes 3 to 6 µs, which the status fast path would notice. A missing header reads as an empty one.
 */
export function memoized<T extends string | null>(read: (header: string) => T) {
  const meanings = new Map<string, T>()
  return (header = ''): T => {
    const known = meanings.get(header)
    if (known !== undefined) return known
    const meaning = read(header)
    if (meanings.size >= most) meanings.clear()
    if (header.length <= longest) meanings.set(header, meaning)
    return meaning
  }
}

/** The value of a name, made on first demand. After a failure the next caller tries again. */
export function once<Name extends string, T>(
  values: Partial<Record<Name, Promise<T>>>,
  name: Name,
  make: () => Promise<T>,
): Promise<T> {
  const known = values[name]
  if (known) return known
  const value = make()
  values[name] = value
  value.catch(() => delete values[name])
  return value
}
