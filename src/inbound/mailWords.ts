import { newWords, textOfHtml, withoutSignature } from '../adapters/mail/mailBody.js'
import { withoutOwnLinks } from '../domain/mail/ownMail.js'
import { cleanText } from '../domain/system/plainText.js'
import { answered, belowOwnMail, htmlAbove, type OwnMail, withoutIntroduction } from './answeredMail.js'

/**
 * The words of a mail: the whole letter, as news is published, and what is new in it, as answers are. `ours`: it brings
 * back a mail of ours.
 */
export type MailText = { letter: string; fresh: string; ours: boolean }

/**
 * Reads the plain text of a mail or, without one, its HTML. What it brings back of a mail of ours is cut first, by our
 * own line, then by what mail programs write (decision 7.5). `isAnswer`: its subject says that it quotes something.
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
  const found = answered(text, own)
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
  const found = answered(text, own)
  return both(found ? await newWords(belowOwnMail(text, found, own)) : '')
}

const both = (fresh: string): MailText => ({ letter: fresh, fresh, ours: true })
