/**
 * What a table of ours has under a name from outside; undefined for a name it does not have itself, whatever every
 * object answers to (`constructor`, `__proto__`, `toString` …).
 */
export function own<V>(table: { readonly [name: string]: V }, name: unknown): V | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined
}
