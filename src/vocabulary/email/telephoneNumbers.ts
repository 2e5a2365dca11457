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

/** What stands before a number that is none of a telephone, and before one that is. */
const otherNumber =
  /(?:\bINC-|[$€£¥]\s?|\b(?:EUR|USD|GBP|CHF|flats?|units?|apartments?|apt|rooms?|floors?|doors?|serial(?: number)?|s\/n|no\.? de serie|meter|order|invoice|ticket|wohnung(?:en)?|zimmer|seriennummer|zähler(?:nummer|stand)?|rechnung|pisos?|apartamentos?|departamentos?|dptos?|deptos?|habitaci[oó]n|serie|medidor|factura|pedido|appartements?|chambres?)[\s.:#]*(?:(?:number|nr|no|n[uú]mero|n[º°])[\s.:#]*)?)$/iu
const telephoneWord =
  /(?:\b(?:tel|telephone|phone|mobile|cell|call|ring|fax|whatsapp|sms|text|tlf|handy|telefon|mobil|anrufen|tel[eé]fono|m[oó]vil|celular|ll[aá]me(?:me)?|llamar|t[eé]l[eé]phone|portable|appelez|numero|my number(?: is)?|mi n[uú]mero(?: es)?|meine nummer(?: ist)?)\b|[☎📞📱✆])[\s.:#–-]*(?:(?:me|us|him|her|on|at|al|is|es|ist|number|nr|no)[\s.:#]+){0,3}$/iu
const moneyAfter = /^\s?(?:[$€£¥%]|(?:EUR|USD|GBP|CHF|kWh|m³|m3|l|litres?|liters?|km|kg)\b)/u
/** Characters before a number that are looked at. */
const before = 40

/** Digits without a sign between them of which a number in another country has more. */
const longRun = 9

/**
 * The text with every telephone number replaced; dates, times, money and numbers of things stay.
 */
export function withoutTelephones(text: string, instead: string): string {
  return text.replace(digitsInARow, (found: string, at: number) =>
    replaced(
      found,
      text.slice(Math.max(0, at - before), at),
      text.slice(at + found.length, at + found.length + 12),
      instead,
    ),
  )
}

function replaced(found: string, ahead: string, behind: string, instead: string): string {
  const [start = ''] = moment.exec(found) ?? []
  if (start !== '' && !hasSeven(found.slice(start.length))) return found
  // A date and a telephone number, one after the other.
  if (start !== '') {
    const rest = found.slice(start.length)
    const gap = /^[\s()./\u2010-\u2015-]*/u.exec(rest)![0].replace(/\($/, '')
    return start + gap + replaced(rest.slice(gap.length), ahead + start + gap, behind, instead)
  }
  return isTelephone(found, ahead, behind) ? instead : found
}

const hasSeven = (text: string) => text.replace(/\D/g, '').length >= 7

function isTelephone(found: string, ahead: string, behind: string): boolean {
  if (telephoneWord.test(ahead)) return true
  if (otherNumber.test(ahead) || moneyAfter.test(behind)) return false
  if ([years, pair, decimal, singleDigits].some((form) => form.test(found))) return false
  const isRun = /^\d+$/.test(found)
  return !isRun || found.length >= longRun || found.startsWith('0')
}
