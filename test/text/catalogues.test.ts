import { describe, expect, it } from 'vitest'
import { words as spanish } from '../../src/text/es/words.js'
import { en, type Locale, locales, texts } from '../../src/text/index.js'
import { sourcesIn } from '../architecture/sources.js'

const english = leavesOf(en)
const catalogues = locales.map((locale) => ({ locale, leaves: new Map(leavesOf(texts[locale])) }))

describe.each(catalogues)('the catalogue $locale', ({ locale, leaves }) => {
  it('is of a language there is, with a name and a direction', () => {
    expect(Intl.PluralRules.supportedLocalesOf(locale)).toEqual([locale])
    expect(hasWords(texts[locale].name)).toBe(true)
    expect(['ltr', 'rtl']).toContain(texts[locale].dir)
  })

  it('has the keys of the English one, behind each a text, or a function of as many arguments', () => {
    const kind = (leaf: Leaf) => (typeof leaf === 'function' ? `function of ${leaf.length}` : typeof leaf)
    const kinds = (all: Iterable<[string, Leaf]>) =>
      Object.fromEntries([...all].map(([path, leaf]) => [path, kind(leaf)]))
    expect(kinds(leaves)).toEqual(kinds(english))
  })

  it('says something everywhere', () => {
    const broken = [...leaves].filter(([path, leaf]) => !sayings(path, leaf).every(isSaid))
    expect(broken.map(([path]) => path)).toEqual([])
  })

  it('leaves out nothing that English tells', () => {
    const lost = english.flatMap(([path, leaf]) => {
      const [said = ''] = sayings(path, leaf)
      const theirs = sayings(path, leaves.get(path))[0]
      const given = [...said.matchAll(/7[1-9]/g)].map(Number)
      return given.filter((n) => !shows(locale, theirs, n)).map((n) => `${path}, argument ${n - 70}`)
    })
    expect(lost).toEqual([])
  })

  it('counts 0, 1, 2, 5 and 1000000 by the rules of its language', () => {
    const rules = new Intl.PluralRules(locale)
    const wrong = counted.flatMap(({ path, leaf, place }) => {
      const say = (n: number) => counting(leaves.get(path), place, n)
      const isRight = (n: number) =>
        isSaid(say(n)) &&
        (rules.select(n) === rules.select(1) || formOf(say(n)) !== formOf(say(1))) &&
        (n <= 2 || !shows('en', counting(leaf, place, n), n) || shows(locale, say(n), n))
      return counts.filter((n) => !isRight(n)).map((n) => `${path}: ${say(n)}`)
    })
    expect(wrong).toEqual([])
  })
})

it('no catalogue has a word whose name stands nowhere in the code', () => {
  const sources = [
    ...sourcesIn(['src']).filter(({ path }) => !/^src\/text\/(?:en|es)\//.test(path)),
    ...sourcesIn(['views'], '.eta'),
    ...sourcesIn(['static'], '.js'),
  ]
  const code = sources.map(({ text }) => text).join('\n')
  const names = new Set(code.match(/\w+/g))
  // The schemas make the names of the problems with a field out of the name of the field.
  const isNamed = (path: string) => {
    const [name = '', group] = path.split('.').reverse()
    const field = name.replace(/_[a-z_]+$/, '')
    // Names with a hyphen are parts of addresses, and those with a dot are of acts and events.
    if (name.includes('-')) return code.includes(`/${name}`)
    return names.has(name) || names.has(field) || code.includes(`'${group}.${name}'`)
  }
  expect(['fields.title_too_long', 'asset.allUnwell'].map(isNamed)).toEqual([true, false])
  expect(english.map(([path]) => path).filter((path) => !isNamed(path))).toEqual([])
})

describe.each(catalogues.filter(({ locale }) => locale !== 'en'))(
  'the translation $locale',
  (translation) => {
    const { locale, leaves } = translation

    it('leaves nothing in English but names, and what happens to be the same', () => {
      const left = english.flatMap(([path, leaf]) => {
        const theirs = sayings(path, leaves.get(path))
        const same = sayings(path, leaf).filter((said, i) => said === theirs[i] && hasWords(said))
        return same.map((said): [string, string] => [path, said])
      })
      expect(Object.fromEntries(left)).toEqual(alike[locale] ?? {})
    })

    it('has no English word in the middle of a sentence', () => {
      const mixed = [...leaves].flatMap(([path, leaf]) =>
        sayings(path, leaf).filter((said) => /\b(the|with|this|your)\b/i.test(said)),
      )
      expect(mixed).toEqual([])
    })
  },
)

/**
 * Words no text may use, by language: calques, second names of one thing, and
 * forms only one country uses.
 */
const avoided: Record<Locale, RegExp[]> = {
  en: [
    /\bmails?\b/i, // email
    /\b(some|every|any|no)body\b/i, // someone, everyone, anyone, no one
    /\bincidents?\b(?!\.)/i, // report
    /\b(anew|meanwhile|house|tick(s|ed)?|stands?|begins?|begun)\b/i,
    /\b(take[ns]?|took) away\b|\blet go\b|\bcame back\b/i,
    /\b(those|these) who\b|, too\b|\balso without\b|\bsecond factor\b/i,
    /\b(is|are|was|were|do|does|did|has|have|had|could|would|should) not\b|\bcan ?not\b/i,
    /\b(we|you|they) (are|will)\b(?= )|\bit is\b(?= (?!fixed|and))|\b(we|they) have\b/i,
    /^empty:/i,
  ],
  es: [
    /\b(incidencias?|avisos?|pegatinas?|costes?|ordenador(es)?)\b/i, // reporte, etiqueta, costo, computadora
    /\b(añad|puls)\p{L}+/iu, // agregar, presionar
    /\b(ha|han|hemos) (sido|\p{L}+[ai]do)\b/iu, // the preterite
    /\b(tu|tus|tú|ti|vosotros|vuestr[oa]s?)(?!\p{L})/iu, // usted
    /segundo factor|mantenimiento previsto/i,
  ],
}

/** Where a full form or an avoided word is right: warnings, and answers that stress the word. */
const mayAvoid: Record<Locale, string[]> = {
  en: ['records.deleteForGood', 'personData.forGood', 'emails.received.why'],
  es: [],
}

/**
 * Last words of a label that stops in the middle: it has to make sense alone,
 * to those who hear it, too.
 */
const unfinished: Record<Locale, RegExp> = {
  en: /\b(an?|the|of|and|or|to|for|with|at|by|from|until)$/i,
  es: /(^|\s)(el|la|los|las|un|una|de|del|al?|y|o|por|para|con|en|hasta|desde)$/i,
}

/** Labels of a value that follows: a participle and its preposition, or the two ends of a range. */
const mayEndSo =
  /^(\S+ ){0,3}(by|to|from|until|por|a|con|desde|hasta)( el| las)?$|(repair|reparación) (of|de)$|llame al$/i

/** The texts on buttons, as templates name them: `const p = t.desk` and then `p.assign`. */
const onButtons = new Set(
  sourcesIn(['views'], '.eta').flatMap(({ text }) => {
    const names = new Map([...text.matchAll(/\b(\w+) = t\.([\w.]+)/g)].map(([, name, path]) => [name, path]))
    const labels = [...text.matchAll(/<button[^>]*(?:%>[^<>]*)*><%= ([^%]+) %>/g)].map(([, label]) => label!)
    return labels.flatMap((label) =>
      [...label.matchAll(/\b(\w+)\.([\w.]+)/g)].flatMap(([, name, path]) =>
        name === 't' ? [path!] : names.has(name) ? [`${names.get(name)}.${path}`] : [],
      ),
    )
  }),
)

/**
 * Buttons that need no object: everyone knows what they end, or a label
 * names the row they belong to.
 */
const bare: Record<Locale, RegExp> = {
  en: /^(Cancel|Continue|Acknowledge|Undo|Assign…?|Merge…|Unhide|Unsubscribe|Resubscribe|Turn (on|off)|Sign (in|out)|Try again)$/,
  es: /^(Cancelar|Continuar|Activar|Deshacer|Asignar…?|Unir…|Desactivar)$/,
}

describe.each(catalogues)('the style of $locale', ({ locale, leaves }) => {
  const all = [...leaves].flatMap(([path, leaf]) => sayings(path, leaf).map((said) => ({ path, said })))

  it('uses no word that has a plainer one', () => {
    const found = all.filter(
      ({ path, said }) => avoided[locale].some((word) => word.test(said)) && !mayAvoid[locale].includes(path),
    )
    expect(found).toEqual([])
  })

  it('writes percentages without a space', () => {
    expect(all.filter(({ said }) => /\d\s%/.test(said))).toEqual([])
  })

  it('ends no label in the middle', () => {
    const found = all.filter(({ said }) => unfinished[locale].test(said) && !mayEndSo.test(said))
    expect(found).toEqual([])
  })

  it('names on a button what it does and to what', () => {
    expect(onButtons.size).toBeGreaterThan(60)
    const vague = [...onButtons].flatMap((path) =>
      sayings(path, leaves.get(path)).filter(
        (said) =>
          said && !bare[locale].test(said) && (!/\s/.test(said.trim()) || /\s(it|them|lo|la)$/.test(said)),
      ),
    )
    expect(vague).toEqual([])
  })
})

describe('the counted phrases', () => {
  it('are found by what they say', () => {
    const found = counted.map(({ path, place }) => `${path} ${place}`)
    expect(found).toEqual(
      expect.arrayContaining(['hours 0', 'statusPage.headline.down 0', 'openReports.summary 2']),
    )
    expect(found).not.toContain('emails.wrote 0')
  })

  it('have a form for millions in Spanish', () => {
    const hours = ['0 horas', '1 hora', '2 horas', '5 horas', '1000000 de horas']
    expect(counts.map(spanish.hours)).toEqual(hours)
  })

  it('are joined in Spanish with the word that can be spoken', () => {
    expect(spanish.list(['puerta', 'ascensor'])).toBe('puerta y ascensor')
    expect(spanish.list(['puerta', 'ascensor', 'interfono'])).toBe('puerta, ascensor e interfono')
  })
})

it('gives a time of today its own article in Spanish, and a day its own', () => {
  const { leaves } = catalogues.find(({ locale }) => locale === 'es')!
  const said = (moment: string) =>
    [...leaves.values()].flatMap((leaf) => {
      if (typeof leaf !== 'function') return []
      const given = argumentsOf(leaf)
      return given.map((_, place) => {
        try {
          return String(leaf(...given.with(place, moment)))
        } catch {
          return ''
        }
      })
    })
  expect(said('10:55').filter((text) => /\b(el|del) 10:55/.test(text))).toEqual([])
  expect(said('1:05')).toContain('desde la 1:05')
  expect(said('mar 08:12')).toContain('desde el mar 08:12')
})

type Leaf = string | ((...given: unknown[]) => unknown)

/** Every text and function of a catalogue by its path. */
function leavesOf(branch: object, above = ''): [string, Leaf][] {
  return Object.entries(branch).flatMap(([key, value]): [string, Leaf][] => {
    const path = above ? `${above}.${key}` : key
    return typeof value === 'object' && value !== null ? leavesOf(value, path) : [[path, value as Leaf]]
  })
}

/** Words that happen to be the same as in English, by language and by where they stand. */
const alike: Record<string, Record<string, string>> = {
  es: {
    'role.admin': 'Admin',
    'webhookPages.format.slack': 'Slack',
    'webhookPages.format.teams': 'Microsoft Teams',
    'incident.noDowntime': 'No',
    'records.no': 'No',
    'problemPage.errorPrefix': 'Error:',
  },
}

/**
 * Stands for any argument: a text, a list of texts, a number, a record of texts. Each of
 * them reads as this number.
 */
function anything(n: number): unknown {
  const list = Object.assign([String(n)], { toLowerCase: () => String(n) })
  const get = (_: object, key: string | symbol) =>
    typeof key === 'symbol' || key in list ? Reflect.get(list, key) : String(n)
  return new Proxy(list, { get })
}

/** The arguments 71, 72, 73 and so on, as many as the function takes. */
function argumentsOf(leaf: Leaf) {
  return Array.from({ length: leaf.length }, (_, i) => anything(71 + i))
}

/** What a leaf says, once for each way to ask it. */
function sayings(path: string, leaf: Leaf | undefined): string[] {
  if (typeof leaf !== 'function') return [leaf ?? '']
  const asked = choices[path]?.map((word) => [word]) ?? [argumentsOf(leaf)]
  return asked.map((given) => String(leaf(...given)))
}

/** What a function says with a number in one place; null where it takes none there. */
function counting(leaf: Leaf | undefined, place: number, n: number): string | null {
  if (typeof leaf !== 'function') return null
  try {
    return String(leaf(...argumentsOf(leaf).with(place, n)))
  } catch {
    return null
  }
}

/** A counted phrase without the number. */
function formOf(phrase: string | null) {
  return phrase?.replace(/[\d.,\s]+/g, ' ')
}

/** The functions whose English changes with a number, and the place of that number. */
const counted = english.flatMap(([path, leaf]) => {
  const places = typeof leaf === 'function' ? [...argumentsOf(leaf).keys()] : []
  return places
    .filter((place) => formOf(counting(leaf, place, 1)) !== formOf(counting(leaf, place, 5)))
    .map((place) => ({ path, leaf, place }))
})

/** Whether a phrase holds a number, in the digits of its language, with or without marks. */
function shows(locale: string, phrase: string | null | undefined, n: number): boolean {
  const written = [true, false].map((useGrouping) => new Intl.NumberFormat(locale, { useGrouping }).format(n))
  return [String(n), ...written].some((digits) => phrase?.includes(digits))
}

/** Whether a text can be shown: not empty, no stray blanks, and no value that was not there. */
function isSaid(text: string | null) {
  return Boolean(text) && text === text?.trim() && !/undefined|NaN|\[obj/.test(text)
}

/** Whether there is anything to translate in a text besides names and addresses. */
function hasWords(text: string): boolean {
  const parts = text.replace(/https?:\S+/g, '').split(/[^\p{L}\d]+/u)
  return parts.some((part) => /\p{L}/u.test(part) && !names.includes(part))
}

/** Names and signs that are the same in every language. */
const names = ['A4', 'API', 'Caretaker', 'INC', 'JSON', 'URL', 'Webhook', 'Webhooks', 'ltr', 'ms']

/** How a delivery of a webhook can end, but for a status. */
const outcomes = [
  'timeout',
  'dns',
  'refused',
  'reset',
  'tls',
  'bad answer',
  'blocked address',
  'inactive',
  'interrupted',
  'backlog',
]

/** What to ask where an argument is one of a few words and each gets an answer of its own. */
const choices: Record<string, string[]> = {
  'imports.previewTitle': ['units', 'contacts', 'residents'],
  'faultState.reason': Object.keys(en.faultState.reasons),
  'webhookPages.failed': outcomes,
}

/** Counts that languages have different words for. */
const counts = [0, 1, 2, 5, 1_000_000]
