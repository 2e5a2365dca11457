/**
 * A lookup table's own property; undefined for inherited names such as `constructor` and
 * `__proto__`.
 */
export function own<V>(table: { readonly [name: string]: V }, name: unknown): V | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined
}
