/** The headers of a mail, by lower-case name. */
export type MailHeaders = ReadonlyMap<string, readonly string[]>

/** Most headers, and characters of a value and of all of them as one text, that are examined. */
const mostHeaders = 1_000
const mostValue = 10_000
const mostText = 1_000_000

/**
 * Reads a provider's `headers`: an object of names in any case with one or more values; a list of
 * `{name, value}` or `[name, value]`; either as JSON; or the lines of the mail. Values keep their
 * order. Null when nothing is usable.
 */
export function mailHeaders(given: unknown): MailHeaders | null {
  const headers = new Map<string, string[]>()
  for (const [name, value] of pairsOf(given)) {
    const values = (Array.isArray(value) ? value.slice(0, mostHeaders) : [value])
      .filter((each): each is string => typeof each === 'string')
      .map((each) => each.slice(0, mostValue))
    // No header that is read here has an underscore in its name, but a provider writes them so.
    const key = name.slice(0, mostValue).toLowerCase().replaceAll('_', '-')
    const known = headers.get(key)
    if (known) known.push(...values)
    else headers.set(key, values)
  }
  return headers.size > 0 ? headers : null
}

function pairsOf(given: unknown): [string, unknown][] {
  if (typeof given === 'string') return pairsInText(given.slice(0, mostText))
  if (typeof given !== 'object' || given === null) return []
  if (!Array.isArray(given)) return Object.entries(given).slice(0, mostHeaders)
  return given.slice(0, mostHeaders).flatMap((each: unknown) => {
    const [name, value] = Array.isArray(each) ? each : namedIn(each)
    return typeof name === 'string' ? [[name, value] as [string, unknown]] : []
  })
}

function namedIn(each: unknown): unknown[] {
  const { name, value, Name, Value } = (each ?? {}) as Record<string, unknown>
  return [name ?? Name, value ?? Value]
}

function pairsInText(text: string): [string, unknown][] {
  if (/^\s*[[{]/.test(text)) {
    try {
      return pairsOf(JSON.parse(text) as object)
    } catch {
      return []
    }
  }
  // RFC 5322, 2.2.3: a line that begins with a space goes on with the one before.
  return text
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/, mostHeaders)
    .flatMap((line) => {
      const [, name, value] = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:(.*)$/.exec(line) ?? []
      return name === undefined ? [] : [[name, value!.trim()] as [string, unknown]]
    })
}
