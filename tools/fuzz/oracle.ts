import { ProblemJson } from '../../src/platform/http/problem.js'
import { keys } from '../../test/support/keys.js'
import type { Asker } from './requests.js'

/** What an answer must never hold, whoever asks; and what is for staff alone. */
export type Canaries = { secrets: readonly string[]; forStaff: readonly string[] }

export type SeenAnswer = { status: number; type: string; text: string; retryAfter: string | null }

const leakPatterns: readonly [string, RegExp][] = [
  ['a stack', /\bat (?:async )?[\w.<>[\] ]+ \(?(?:file:|node:|\/)[^\s)]*:\d+:\d+/],
  ['a path', /\/(?:node_modules|home|tmp|work|usr|var)\/[\w./-]+\.(?:js|ts|eta|sql|jpg)\b/],
  [
    'SQL',
    /\b(?:select [\w".*, ]{1,80} from \w+|insert into \w+ ?\(|syntax error at or near|violates \w+[\w -]* constraint|relation "\w+"|column "\w+" )/i,
  ],
  ['a database code', /\bSQLSTATE\b|\bpg_\w+\(/],
  ['a password hash', /\$argon2/],
  ['a hidden error', /\b(?:TypeError|ReferenceError|RangeError|ZodError|ECONNREFUSED|Cannot read propert)/],
]
const staff: readonly Asker[] = ['board', 'manager', 'admin']
/** What the request itself said comes back in its answer, and is no leak. */
const isFromRequest = (text: string, sent: string) =>
  sent.length > 0 && text.length > 0 && sent.includes(text)

/** What is wrong with an answer. */
export function faultsIn(
  answer: SeenAnswer,
  who: Asker,
  sent: string,
  { secrets, forStaff }: Canaries,
): string[] {
  const { status, type, text, retryAfter } = answer
  const faults: string[] = []
  if (status >= 500 && !(status === 503 && retryAfter !== null)) faults.push(`answers ${status}`)
  for (const secret of [...secrets, ...Object.values(keys)])
    if (text.includes(secret) && !isFromRequest(secret, sent))
      faults.push(`tells a secret: ${secret.slice(0, 12)}…`)
  for (const [name, pattern] of leakPatterns) {
    const [leak] = pattern.exec(text) ?? []
    if (leak && !isFromRequest(leak, sent)) faults.push(`shows ${name}: ${leak.slice(0, 120)}`)
  }
  if (!staff.includes(who))
    for (const word of forStaff)
      if (text.includes(word)) faults.push(`tells ${who} what is for staff: ${word}`)
  if (status >= 400 && type === 'application/json') faults.push('is an error and no problem document')
  if (type === 'application/problem+json') faults.push(...problemFaults(answer))
  if (status >= 400 && type === 'text/html' && text !== '' && !/<h1[ >]/.test(text))
    faults.push('is an error page without words')
  return faults
}

function problemFaults({ status, text }: SeenAnswer): string[] {
  if (text === '') return []
  const { data, error } = ProblemJson.safeParse(JSON.parse(text))
  if (error) return [`is no problem document: ${error.message.slice(0, 200)}`]
  const faults: string[] = []
  if (data.status !== status) faults.push(`says ${data.status} in its body`)
  if (data.title.trim() === '' || data.detail.trim() === '') faults.push('does not say what to do')
  const words = Object.values(data.errors ?? {}).flat()
  if (data.errors && words.length === 0) faults.push('names no field')
  for (const word of words)
    if (!/\s/.test(word) && /_/.test(word)) faults.push(`has a code for words: ${word.slice(0, 80)}`)
  return faults
}
