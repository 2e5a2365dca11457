import type { EmailFile, EmailHeaders, ReadEmail } from '../message.js'
import { fileBytes } from '../parse/emailFile.js'
import { hasNoWords } from './plainWords.js'
import { isCalendarSubject } from './subjects.js'

/**
 * Methods of answers to an invitation (RFC 5546). An invitation itself, its change and its end
 * (request, publish, add, cancel) are what a person wants to tell.
 */
const answers = new Set(['reply', 'counter', 'declinecounter', 'refresh'])

const calendarType = /^(text\/calendar|application\/ics)\b/i
/** Characters of base64 of a calendar file that are read: its method stands at the top. */
const mostCalendar = 3_000

/**
 * The method of an email's calendar, in lower case: of the part's type, of the email's own type, or
 * in the file itself, where a provider attaches it. Null without a calendar.
 */
export function calendarMethodIn(
  files: readonly Pick<EmailFile, 'filename' | 'type' | 'contentBase64'>[],
  headers: EmailHeaders | null,
): string | null {
  const types = headers?.get('content-type') ?? []
  const own = types.find((type) => calendarType.test(type.trim()))
  const calendars = files.filter(
    ({ type, filename }) => calendarType.test(type ?? '') || /\.ics$/i.test(filename),
  )
  const method = [own, ...calendars.map(({ type }) => type)].map(methodOfType).find(Boolean)
  return method ?? calendars.map(methodInFile).find(Boolean) ?? null
}

function methodOfType(type: string | null | undefined): string | null {
  return /;\s*method\s*=\s*"?([a-z]+)/i.exec(type ?? '')?.[1]?.toLowerCase() ?? null
}

function methodInFile(file: Pick<EmailFile, 'contentBase64'>): string | null {
  const text = fileBytes(file, mostCalendar).toString('latin1')
  return /^METHOD\s*:\s*([A-Z]+)/im.exec(text)?.[1]?.toLowerCase() ?? null
}

/** What says that an email answers an invitation; null when it does not. */
export function calendarAnswer(
  email: Pick<ReadEmail, 'calendarMethod' | 'headers' | 'text' | 'html'>,
  subject: string,
): string | null {
  const { calendarMethod, headers } = email
  if (calendarMethod !== null) return answers.has(calendarMethod) ? `text/calendar: ${calendarMethod}` : null
  if (!isCalendarSubject(subject)) return null
  // A provider may leave the calendar out: then its other mark, or that nothing is said, remains.
  const isCalendar = headers?.get('content-class')?.some((value) => /calendarmessage/i.test(value)) ?? false
  return isCalendar || hasNoWords(email) ? `subject: ${subject.slice(0, 80)}` : null
}
