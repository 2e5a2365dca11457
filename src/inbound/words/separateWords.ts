import { withoutOwnLinks } from '../../vocabulary/email/ownEmail.js'
import {
  isForwarded as hasForwardPrefix,
  isReply as hasReplyPrefix,
} from '../../vocabulary/email/subjectPrefixes.js'
import { cleanText } from '../../vocabulary/plainText.js'
import type { AttachedEmail, EmailWords } from '../message.js'
import { mostAttached } from '../parse/attachedEmail.js'
import { headerText } from '../parse/headers.js'
import { readSender } from '../parse/sender.js'
import { newWordsOf } from './newWords.js'
import type { QuoteMarks } from './ourEmail/ownSentences.js'
import { choosePart, saysNothing } from './parts/chosenPart.js'
import { textOfHtml } from './parts/htmlText.js'
import { missingLines } from './parts/missingLines.js'
import { mostPartText } from './readingLimits.js'

/** The parts of an email that have words. `subject`: decoded, on one line. */
export type EmailParts = {
  subject: string
  text: string
  html: string
  attachedEmails: readonly AttachedEmail[]
}

/**
 * What is known of an email: whether it belongs to a report (`isAnswer`; one whose subject says so
 * is an answer in any case), how our emails begin and end, and texts of the building that they may
 * quote: titles, descriptions, updates and places of the report, names of staff.
 */
export type KnownOfEmail = { isAnswer: boolean; quoteMarks: QuoteMarks; storedTexts: readonly string[] }

/*
 * 1. parts/ chooses the plain part or the HTML, and lines.ts makes lines of it.
 * 2. introductions.ts finds "On … wrote:" and blocks of headers above what others wrote.
 * 3. ourEmail/ finds our own email in the lines, by our sentences and by stored texts.
 * 4. newWords.ts drops both, and what quotation.ts knows as quoted; all other lines are new.
 * 5. Before everyone reads the new words, publicWords.ts takes out contact details.
 */

/*
 * What becomes of an email that answers one of ours:
 *
 *   The other one is stuck as well.    new
 *   On Mon, 23 Nov, Caretaker wrote:   dropped: it introduces our email
 *   > ## Reply above this line ##      dropped: our email begins
 *   > Which floor is the lift on?      dropped: a stored text
 *   The third.                         new: an answer in our email
 */

/**
 * Separates the words that the writer of an email added from quoted ones (decisions 9.1, 9.6, 9.7).
 * Text of attached emails follows, each below its sender's name (decision 9.5).
 */
export async function separateWords(email: EmailParts, known: KnownOfEmail): Promise<EmailWords> {
  const isForwarded = hasForwardPrefix(email.subject)
  const isAnswer = hasReplyPrefix(email.subject) || (known.isAnswer && !isForwarded)
  const main = await readPart(email, known, { isAnswer, isForwarded })
  const attached: EmailWords[] = []
  for (const each of email.attachedEmails.slice(0, mostAttached))
    attached.push(await readAttached(each, known))
  const all = [main, ...attached]
  return {
    newWords: together(all.map(({ newWords }) => newWords)),
    whole: together(all.map(({ whole }) => whole)),
    quotesOurs: all.some(({ quotesOurs }) => quotesOurs),
  }
}

const together = (texts: readonly string[]) => texts.filter(Boolean).join('\n\n')

/** The words of a plain part and of HTML that say the same, or of the one that says more. */
async function readPart(
  { text, html }: Pick<EmailParts, 'text' | 'html'>,
  { quoteMarks, storedTexts }: KnownOfEmail,
  { isAnswer, isForwarded }: { isAnswer: boolean; isForwarded: boolean },
): Promise<EmailWords> {
  const plain = cleanText(text, mostPartText)
  const fromHtml = html.trim()
    ? cleanText(await textOfHtml(html, quoteMarks.writeAbove[0] ?? ''), mostPartText)
    : ''
  const isExact = choosePart(plain, fromHtml) === 'html'
  const [chosen, other] = isExact ? [fromHtml, saysNothing(plain) ? '' : plain] : [plain, fromHtml]
  const context = { isAnswer, isForwarded, quoteMarks, storedTexts, isExact }
  const { words, quotesOurs } = newWordsOf(chosen, context)
  const whole = together([chosen, missingLines(other, chosen)])
  return { newWords: withoutOwnLinks(words), whole: withoutOwnLinks(whole), quotesOurs }
}

async function readAttached(email: AttachedEmail, known: KnownOfEmail): Promise<EmailWords> {
  const words = await readPart(email, known, { isAnswer: false, isForwarded: true })
  const { name } = readSender(email.from, null)
  const header = [headerText(email.from), headerText(email.subject)].filter(Boolean).join('\n')
  return {
    newWords: words.newWords === '' ? '' : together([name ?? '', words.newWords]),
    whole: together([header, words.whole]),
    quotesOurs: words.quotesOurs,
  }
}
