/**
 * Seven digits or more, and what people write between them: +44 20 7946 0018, (0171) 555-12.34.
 * Bounded, so that time is linear.
 */
const digitsInARow =
  /(?<![\p{L}\p{N}])\+?\(?\d(?:(?:[^\S\n]|[()./\u2010-\u2015-]){0,3}\d){6,19}(?![\p{L}\p{N}])/gu

/** A date, with or without its time: 2026-11-16, 16.11.26, 16/11/2026 10.30. */
const date = String.raw`(?:(?:19|20)\d\d[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\s?\d{1,2}[-./]\s?(?:(?:19|20)\d\d|\d\d))(?!\d)`
const time = String.raw`(?:[01]?\d|2[0-3])[.:][0-5]\d(?!\d)`
/** What begins with one is no number up to its end: a telephone number may follow. */
const moment = new RegExp(`^(?:${date}|${time})(?:[\\s/\\u2010-\\u2015-]{1,3}(?:${date}|${time}))*`, 'u')
/** 2024-2026 */
const years = /^(?:19|20)\d\d\s?[-/\u2010-\u2015]\s?(?:19|20)\d\d$/u
/** 1301/1302: flats. */
const pair = /^[1-9]\d{2,3}\/[1-9]\d{2,3}$/
/** 123456.7: what a meter shows. */
const decimal = /^\d+\.\d{1,2}$/
/** 1 2 3 4 5 6 7: floors, not a number. */
const singleDigits = /^\d(?:[\s./\u2010-\u2015-]+\d)+$/u

const currencies = 'EUR|USD|GBP|CHF'

/** Things whose numbers are no telephone numbers: patterns of words before them, by language. */
const thingsWithNumbers = {
  en: 'flats?|units?|apartments?|apt|rooms?|floors?|doors?|serial(?: number)?|s/n|meter|order|invoice|ticket',
  de: 'wohnung(?:en)?|zimmer|seriennummer|zähler(?:nummer|stand)?|rechnung',
  es: [
    'pisos?|apartamentos?|departamentos?|dptos?|deptos?|habitaci[oó]n',
    String.raw`no\.? de serie|serie|medidor|factura|pedido`,
  ].join('|'),
  fr: 'appartements?|chambres?',
}
/** "number" or "no." between such a word and its number. */
const numberSign = String.raw`(?:(?:number|nr|no|n[uú]mero|n[º°])[\s.:#]*)?`
const otherNumber = new RegExp(
  [
    String.raw`(?:\bINC-|[$€£¥]\s?|`,
    String.raw`\b(?:${[currencies, ...Object.values(thingsWithNumbers)].join('|')})[\s.:#]*${numberSign})$`,
  ].join(''),
  'iu',
)

/** What announces a telephone number: patterns of words before it, by language. */
const telephoneWords = {
  every: 'tel|tlf|fax|whatsapp|sms',
  en: 'telephone|phone|mobile|cell|call|ring|text|my number(?: is)?',
  de: 'handy|telefon|mobil|anrufen|meine nummer(?: ist)?',
  es: 'tel[eé]fono|m[oó]vil|celular|ll[aá]me(?:me)?|llamar|numero|mi n[uú]mero(?: es)?',
  fr: 't[eé]l[eé]phone|portable|appelez',
}
/** Up to three of these stand between such a word and the number: "call me on". */
const fillers = String.raw`(?:(?:me|us|him|her|on|at|al|is|es|ist|number|nr|no)[\s.:#]+){0,3}`
const telephoneWord = new RegExp(
  String.raw`(?:\b(?:${Object.values(telephoneWords).join('|')})\b|[☎📞📱✆])[\s.:#–-]*${fillers}$`,
  'iu',
)
const moneyAfter = /^\s?(?:[$€£¥%]|(?:EUR|USD|GBP|CHF|kWh|m³|m3|l|litres?|liters?|km|kg)\b)/u
/** Characters before and after a number that are read to tell what it is. */
const readBefore = 40
const readAfter = 12

/** Digits of the shortest telephone number that is looked for. */
const fewestDigits = 7

/** Digits without a sign between them of which a number in another country has more. */
const longRun = 9

/**
 * The text with every telephone number replaced; dates, times, money and numbers of things stay.
 */
export function withoutTelephones(text: string, instead: string): string {
  return text.replace(digitsInARow, (digits: string, at: number) => {
    const end = at + digits.length
    const textBefore = text.slice(Math.max(0, at - readBefore), at)
    return replaceTelephone(digits, textBefore, text.slice(end, end + readAfter), instead)
  })
}

function replaceTelephone(digits: string, textBefore: string, textAfter: string, instead: string): string {
  const [start = ''] = moment.exec(digits) ?? []
  if (start === '') return isTelephone(digits, textBefore, textAfter) ? instead : digits
  const rest = digits.slice(start.length)
  if (rest.replace(/\D/g, '').length < fewestDigits) return digits
  // A date and a telephone number, one after the other.
  const gap = /^[\s()./\u2010-\u2015-]*/u.exec(rest)![0].replace(/\($/, '')
  const dateAndGap = start + gap
  const telephone = rest.slice(gap.length)
  return dateAndGap + replaceTelephone(telephone, textBefore + dateAndGap, textAfter, instead)
}

function isTelephone(digits: string, textBefore: string, textAfter: string): boolean {
  if (telephoneWord.test(textBefore)) return true
  if (otherNumber.test(textBefore) || moneyAfter.test(textAfter)) return false
  if ([years, pair, decimal, singleDigits].some((form) => form.test(digits))) return false
  const isRun = /^\d+$/.test(digits)
  return !isRun || digits.length >= longRun || digits.startsWith('0')
}
