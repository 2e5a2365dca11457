/** The object of a provider's field in JSON; without fields where the text is none, or too long. */
export function objectInJson(text: unknown, mostCharacters = Infinity): Record<string, unknown> {
  if (typeof text !== 'string' || text.length > mostCharacters) return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
