import { asciiDomain } from '../../vocabulary/email/mailbox.js'
import type { EmailHeaders, SenderProof } from '../message.js'

/** One `Authentication-Results` header: its server, and each method with result and properties. */
type Results = { authserv: string; methods: Method[] }
type Method = { name: string; result: string; properties: Map<string, string> }

/**
 * The DMARC verdict on From. Anyone can forge such headers, so a pass counts only in the topmost
 * one of server `authserv`, for the From's domain, with no fail by that server. Without `authserv`:
 * never a pass.
 */
export function senderProof(
  headers: EmailHeaders | null,
  authserv: string | null,
  address: string | null,
): SenderProof {
  const all = (headers?.get('authentication-results') ?? []).map(resultsOf)
  const ours = authserv === null ? all : all.filter((each) => each.authserv === authserv.toLowerCase())
  const verdicts = ours.map(({ methods }) => methods.filter(({ name }) => name === 'dmarc'))
  if (verdicts.flat().some(({ result }) => result === 'fail')) return 'fail'
  if (authserv === null || address === null) return 'none'
  const [first = []] = verdicts
  const domain = asciiDomain(address)
  return first.some((method) => method.result === 'pass' && speaksOf(method, domain)) ? 'pass' : 'none'
}

/** DMARC judges the domain of From, which must be that of the very mailbox (decision 9.3). */
function speaksOf({ properties }: Method, domain: string): boolean {
  const judged = asciiDomain(properties.get('header.from') ?? '')
  return judged !== '' && judged === domain
}

/** Characters of a header that are read; real ones have a few hundred. */
const mostHeader = 10_000

/**
 * Parses RFC 8601, 2.2: `authserv-id [version]; method[/version]=result reason="…"
 * ptype.property=value; …`. Comments are dropped; a quoted string is always a value.
 */
function resultsOf(header: string): Results {
  const [head = [], ...rest] = partsOf(tokensOf(header.slice(0, mostHeader)))
  const methods = rest.flatMap((part) => {
    const [method, ...properties] = pairsOf(part)
    if (!method) return []
    const [name = ''] = method[0].split('/')
    return [{ name: name.trim(), result: method[1].toLowerCase(), properties: new Map(properties) }]
  })
  return { authserv: (head[0]?.text ?? '').toLowerCase(), methods }
}

/** A word, a quoted string, or one of `;` and `=`. */
type Token = { kind: 'word' | 'sign'; text: string }

function tokensOf(header: string): Token[] {
  const tokens: Token[] = []
  const pattern = /"((?:[^"\\]|\\.)*)"?|([;=])|([^\s"();=]+)/suy
  const text = withoutComments(header)
  for (let at = 0; at < text.length; ) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    at = match ? pattern.lastIndex : at + 1
    if (!match) continue
    const [, quoted, sign, word] = match
    if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    else tokens.push({ kind: 'word', text: quoted?.replace(/\\(.)/gsu, '$1') ?? word! })
  }
  return tokens
}

/** Comments may be nested; brackets inside quotes are text. */
function withoutComments(header: string): string {
  let depth = 0
  let quoted = false
  let result = ''
  for (let i = 0; i < header.length; i++) {
    const sign = header[i]!
    const escaped = sign === '\\' ? header.slice(i, i + 2) : null
    if (escaped !== null) i++
    if (depth === 0) result += sign === '(' && !quoted ? ' ' : (escaped ?? sign)
    if (sign === '"' && depth === 0) quoted = !quoted
    else if (sign === '(' && !quoted) depth++
    else if (sign === ')' && !quoted && depth > 0) depth--
  }
  return result
}

/** The tokens between semicolons. */
function partsOf(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (token.kind === 'sign' && token.text === ';') parts.push([])
    else parts.at(-1)!.push(token)
  }
  return parts
}

/** `name=value` pairs, names in lower case. */
function pairsOf(part: readonly Token[]): [string, string][] {
  return part.flatMap((token, i): [string, string][] => {
    const [name, value] = [part[i - 1], part[i + 1]]
    const isPair = token.kind === 'sign' && name?.kind === 'word' && value?.kind === 'word'
    return isPair ? [[name.text.toLowerCase(), value.text]] : []
  })
}
