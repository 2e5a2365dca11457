/** A table's own property; undefined for inherited names such as `constructor`. */
export function own<V>(table: { readonly [name: string]: V }, name: unknown): V | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined
}

/** The rows by their key, keys and rows in the order given. */
export function grouped<T, K>(rows: readonly T[], key: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const row of rows) {
    const group = groups.get(key(row))
    if (group) group.push(row)
    else groups.set(key(row), [row])
  }
  return groups
}

/** The fields that are not undefined. */
export function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
