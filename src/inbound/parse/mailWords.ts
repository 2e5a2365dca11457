import { withoutOwnLinks } from '../../vocabulary/email/ownEmail.js'
import { cleanText } from '../../vocabulary/plainText.js'
import { belowOwnMail, htmlAbove, type OwnMail, splitReply, withoutIntroduction } from './answeredMail.js'
import { newWords, textOfHtml, withoutSignature } from './mailBody.js'

/**
 * A mail's text: `letter` is published as a new report, `fresh` (without quotations) as an answer.
 * `ours`: it quotes a mail of ours.
 */
export type MailText = { letter: string; fresh: string; ours: boolean }

/**
 * Reads a mail's plain text or, without one, its HTML. Quoted mail of ours is cut at our line
 * first, then by the marks of mail programs (decision 7.5). `isAnswer`: the subject says it is an
 * answer.
 */
export async function mailText(
  body: { text: string; html: string },
  isAnswer: boolean,
  own: OwnMail,
): Promise<MailText> {
  const text = cleanText(body.text)
  const read = await (text ? ofText(text, isAnswer, own) : ofHtml(body.html.toWellFormed(), isAnswer, own))
  return { ...read, letter: withoutOwnLinks(read.letter), fresh: withoutOwnLinks(read.fresh) }
}

async function ofText(text: string, isAnswer: boolean, own: OwnMail): Promise<MailText> {
  const found = splitReply(text, own)
  if (found) return both((await newWords(found.above)) || (await newWords(belowOwnMail(text, found, own))))
  const fresh = isAnswer ? await newWords(text) : ''
  return { letter: fresh || withoutSignature(text), fresh, ours: false }
}

async function ofHtml(html: string, isAnswer: boolean, own: OwnMail): Promise<MailText> {
  const above = htmlAbove(html)
  if (above === null) return ofText(cleanText(await textOfHtml(html)), isAnswer, own)
  const fresh = await newWords(withoutIntroduction(cleanText(await textOfHtml(above)), own.names))
  if (fresh) return both(fresh)
  const text = cleanText(await textOfHtml(html))
  const found = splitReply(text, own)
  return both(found ? await newWords(belowOwnMail(text, found, own)) : '')
}

const both = (fresh: string): MailText => ({ letter: fresh, fresh, ours: true })
