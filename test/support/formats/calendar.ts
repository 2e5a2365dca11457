/** The properties of a calendar and of its events, unfolded and unescaped (RFC 5545 §3.1, §3.3.11). */
export type PlannedFile = { properties: Properties; events: Properties[] }
type Properties = Record<string, string | undefined>

/** Reads a calendar; throws when its components do not nest. */
export function eventsOf(body: string): PlannedFile {
  const lines = body.replaceAll('\r\n ', '').split('\r\n').filter(Boolean)
  const open: string[] = []
  const file: PlannedFile = { properties: {}, events: [] }
  for (const line of lines) {
    const at = line.indexOf(':')
    if (at < 1) throw new Error(`no property: ${line}`)
    const [name, value] = [line.slice(0, at), line.slice(at + 1)]
    if (name === 'BEGIN') {
      open.push(value)
      if (value === 'VEVENT') file.events.push({})
    } else if (name === 'END') {
      if (open.pop() !== value) throw new Error(`ends what is not open: ${value}`)
    } else {
      const into = open.at(-1) === 'VEVENT' ? file.events.at(-1)! : file.properties
      into[name] = value.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
    }
  }
  if (open.length > 0 || lines[0] !== 'BEGIN:VCALENDAR') throw new Error('not a whole calendar')
  return file
}
