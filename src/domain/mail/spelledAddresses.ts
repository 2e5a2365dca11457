/** Where an address stands in a text, in UTF-16 units. */
type Span = { start: number; end: number }

const at = String.raw`\s{0,3}(?:@|[([{<]\s{0,2}(?:at|arroba|@)\s{0,2}[)\]}>]|\s(?:at|arroba)\s)\s{0,3}`
const dot = String.raw`(?:\s{0,2}\.\s{0,2}|\s{0,2}[([{<]\s{0,2}(?:dot|punto|\.)\s{0,2}[)\]}>]\s{0,2}|\s(?:dot|punto)\s)`
const label = String.raw`[\p{L}\p{N}-]{1,63}`
/** What may be an address; only its part before the sign is used up, as the rest may begin another. */
const spelled = new RegExp(
  String.raw`[^\s@<>"'(),;:[\]{}]{1,64}(?=(${at})(${label}(?:${dot}${label}){1,5}))`,
  'giu',
)

/**
 * These addresses where they are written so that machines do not see them: "resident (at) example [dot] com". Only whole
 * known addresses count. `addresses`: in lower case, without a tag after a plus.
 */
export function spelledAddresses(text: string, addresses: ReadonlySet<string>): Span[] {
  return [...text.matchAll(spelled)].flatMap(({ 0: found, 1: sign = '', 2: rest = '', index }): Span[] => {
    const mailbox = found.toLowerCase().replace(/^[^\p{L}\p{N}]+/u, '')
    const start = index + found.length - mailbox.length
    const ends = [...rest.matchAll(new RegExp(label, 'gu'))].map((each) => each.index + each[0].length)
    const known = ends.findLast((end) => {
      const domain = rest.slice(0, end).toLowerCase().replace(new RegExp(dot, 'gu'), '.')
      return addresses.has(`${mailbox.replace(/\+.*/, '')}@${domain}`)
    })
    return known === undefined ? [] : [{ start, end: index + found.length + sign.length + known }]
  })
}
