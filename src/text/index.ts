import * as english from './en/index.js'
import * as spanish from './es/index.js'

/**
 * All words of a language, by the page or thing they are for, under the names that the language's
 * files export. The entries of `words` are names of the catalogue itself, and the fields, problems
 * and notices of all features are joined.
 */
function catalogue(name: string, of: typeof english) {
  const {
    words,
    fields,
    incidentFieldProblems,
    importFields,
    problems,
    importProblems,
    singleSignOnProblems,
    incidentProblems,
    linkProblems,
    recordNotices,
    incidentNotices,
    accountNotices,
    buildingNotices,
    maintenanceNotices,
    notificationNotices,
    inboundNotices,
    appNotices,
    ...others
  } = of
  return {
    name,
    dir: 'ltr' as 'ltr' | 'rtl',
    ...words,
    ...others,
    fields: { ...fields, ...incidentFieldProblems, ...importFields },
    problems: {
      ...problems,
      ...importProblems,
      ...singleSignOnProblems,
      ...incidentProblems,
      ...linkProblems,
    },
    notices: {
      ...recordNotices,
      ...incidentNotices,
      ...accountNotices,
      ...buildingNotices,
      ...maintenanceNotices,
      ...notificationNotices,
      ...inboundNotices,
      ...appNotices,
    },
  }
}

/**
 * English is the type: every other language has the same keys, or does not compile (decision 5.6).
 */
export const en = catalogue('English', english)
/** Neutral Latin American Spanish that says usted (decision 5.6). */
const es = catalogue('Español', spanish)

export type Text = typeof en

/** Every language by its tag, in the order of the language switcher. */
export const texts = { en, es } as const satisfies Record<string, Text>

export type Locale = keyof typeof texts
export const locales = Object.keys(texts) as Locale[]

/** Whether a tag is one of our languages. */
export function isLocale(tag: string | undefined | null): tag is Locale {
  return typeof tag === 'string' && Object.hasOwn(texts, tag)
}
