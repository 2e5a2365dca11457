import { en, type Locale, locales, type Text, texts } from '../../src/text/index.js'

/** Letters, and what stands in the place of each. */
const plain = 'aeiouycnszrdgltAEIOUYCNSZRDGLT'
const accented = 'áêïöüýçñšžřďğłťÅÉÎØÙÝÇÑŠŽŘĎĞŁŤ'

/** How much longer other languages are than English, of the length of a text in letters. */
const longer = 0.35

/**
 * English as it is not written: still readable, told apart at a glance, and as
 * long as German or Finnish.
 */
export function pseudo(text: string): string {
  const extra = Math.ceil([...text].length * longer)
  const padding = Array.from({ length: extra }, (_, i) => (i % 7 === 0 ? ' ' : 'ø')).join('')
  return /\p{L}/u.test(text)
    ? text.replace(/[a-zA-Z]/g, (letter) => accented[plain.indexOf(letter)] ?? letter) + padding
    : text
}

/** A catalogue of the same shape, its texts and those its functions return changed by `change`. */
function translated<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (typeof value === 'function')
    return ((...given: unknown[]) => translated(value(...given) as unknown, change)) as T
  if (Array.isArray(value)) return value.map((each) => translated(each, change)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, translated(each, change)])) as T
}

/**
 * Adds a language that nobody speaks, read from right to left, as `ar`. Import this before the
 * application: what it knows of languages it reads as it starts.
 */
export function addPseudoLocale(): void {
  const text: Text = { ...translated(en as Text, pseudo), name: 'Ářâb', dir: 'rtl' }
  Object.assign(texts, { ar: text })
  if (!locales.includes('ar' as Locale)) locales.push('ar' as Locale)
}

/**
 * Texts long enough that none stands on a page by chance, and what functions write
 * between what they are given.
 */
export function englishSentences(): string[] {
  const found: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') found.push(value)
    else if (typeof value === 'function') found.push(...literalsOf(value.toString()))
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(collect)
  }
  collect(en)
  return [...new Set(found.map((text) => text.trim()))].filter(
    (text) => text.length > 11 && /\p{L} \p{L}/u.test(text),
  )
}

/** The words in a function's quotes and templates. */
function literalsOf(source: string): string[] {
  return [...source.matchAll(/(?<=[`'"}])[^`'"${}\\\n]{8,}(?=[`'"$])/g)].map(([text]) => text)
}

addPseudoLocale()
