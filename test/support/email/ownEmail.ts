import { newWordsOf, type TextContext } from '../../../src/inbound/words/newWords.js'
import type { QuoteMarks } from '../../../src/inbound/words/ourEmail/ownSentences.js'
import { texts } from '../../../src/text/index.js'

/** What the demo's building recognises its own emails by. */
export const own: QuoteMarks = {
  writeAbove: Object.values(texts).map(({ emails }) => emails.writeAbove),
  closing: 'Larkspur Court, 21 Tidewell Street, London',
  names: ['caretaker@house.example', 'our building', 'reports@house.example', 'larkspur court'],
}

/** What is new in a text: by default an answer in plain text to something that is not known. */
export function newWords(text: string, differing: Partial<TextContext> = {}): string {
  const context = {
    isAnswer: true,
    isForwarded: false,
    quoteMarks: own,
    storedTexts: [],
    isExact: false,
    ...differing,
  }
  return newWordsOf(text, context).words
}
