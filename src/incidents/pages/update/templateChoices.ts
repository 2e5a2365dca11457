import { type Locale, locales, texts } from '../../../text/index.js'
import type { Status } from '../../../vocabulary/lifecycle.js'
import { ReplyTemplate } from '../../model/templates.js'

/** A template in one of its languages, as the form of an update offers it. */
type TemplateChoice = {
  value: string
  label: string
  words: string
  status: Status | null
  statusReason: string | null
}

/** Every template in every language it has words in; without any words, once. */
export async function templateChoices(): Promise<TemplateChoice[]> {
  const templates = await ReplyTemplate.all()
  return templates.flatMap(({ id, name, wordsEn, wordsEs, status, statusReason }) => {
    const words = { en: wordsEn, es: wordsEs } satisfies Record<Locale, string>
    const spoken = locales.filter((locale) => words[locale] !== '')
    const alone = { value: `${id}`, label: name, words: '', status, statusReason }
    if (spoken.length === 0) return [alone]
    return spoken.map((locale) => ({
      ...alone,
      value: `${id}-${locale}`,
      label: `${name} (${texts[locale].name})`,
      words: words[locale],
    }))
  })
}
