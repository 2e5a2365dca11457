import type { Text } from '../../../text/index.js'
import { own } from '../../../vocabulary/collections.js'
import type { Context } from '../context.js'
import { formatFor } from '../format/format.js'
import { routeOf } from '../matchedRoute.js'
import type { Problem } from '../problem.js'

type ProblemText = { title: string; detail: string }

/** The title and the detail of a problem, as programs and people read them. */
export function problemText(text: Text, { code, detail, headers }: Problem): ProblemText {
  const usual = own<ProblemText>(text.problems, code) ?? text.problems.internal
  if (code === 'throttled') return { ...usual, detail: text.throttled.wait(Number(headers['Retry-After'])) }
  return detail ? { ...usual, detail: detail(text) } : usual
}

/**
 * The problem in the words of pages: times by the building's clock, from the number in the header.
 * People choose filters on the page, while programs are told the parameter and its values.
 */
export async function problemTextOnPage(ctx: Context, problem: Problem): Promise<ProblemText> {
  const { text, locale } = ctx.state
  if (problem.code === 'bad_query') return text.problems.bad_query
  const usual = problemText(text, problem)
  // There was nothing to save.
  if (problem.code === 'unavailable' && isRead(ctx)) return { ...usual, detail: text.problemPage.tryAgain }
  if (problem.code === 'sent_before') {
    const { sentAt } = problem.members.first as { sentAt: string }
    const { property } = await ctx.state.building()
    const isJustNow = Date.now() - Date.parse(sentAt) < 60_000
    const ago = formatFor(locale, property.timezone).ago(sentAt, Date.now())
    return { ...usual, title: isJustNow ? text.sentBefore.justNow : text.sentBefore.title(ago) }
  }
  if (problem.code !== 'throttled') return usual
  const end = Date.now() + Number(problem.headers['Retry-After']) * 1000
  // The next full minute: a minute earlier would be refused again.
  const until = new Date(Math.ceil(end / 60_000) * 60_000).toISOString()
  const { property } = await ctx.state.building()
  return { ...usual, detail: text.throttled.until(formatFor(locale, property.timezone).when(until)) }
}

/**
 * What finds a failed request in the log: the beginning of its id. None for what its sender can
 * mend.
 */
export const referenceOf = ({ status }: Problem, requestId: string): string | null =>
  status >= 500 ? requestId.slice(0, 8) : null

const isRead = ({ method }: Context) => method === 'GET' || method === 'HEAD'

/** What a program asked for and there is not, named after the word before the id in its address. */
export function notFoundText(ctx: Context): ProblemText {
  const { titles, anything, detail } = ctx.state.text.notFound
  const words = routeOf(ctx)
    .split('/')
    .filter((word) => word !== '' && word !== 'api' && word !== 'admin')
  const id = words.findLastIndex((word) => /^[:{]/.test(word))
  const title = own<string>(titles, words[Math.max(id - 1, 0)] ?? '')
  return { title: title ?? anything, detail }
}

/** The errors of fields, whose keys are those of the catalogue, in words. */
export function errorsInWords(text: Text, errors: Record<string, string[]>): Record<string, string[]> {
  const wording = (problem: string) => {
    // A key of the catalogue, and after a blank what it names.
    const [, key = problem, name = ''] = /^(\S+) (.*)$/.exec(problem) ?? []
    const sentence =
      own<(name: string) => string>(text.misplaced, key) ??
      (name ? own<(name: string) => string>(text.namedPhotos, key) : undefined)
    return sentence?.(name) ?? own<string>(text.fields, key) ?? text.fields.not_acceptable
  }
  return Object.fromEntries(Object.entries(errors).map(([field, keys]) => [field, keys.map(wording)]))
}
