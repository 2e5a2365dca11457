import type { CheerioAPI } from 'cheerio'

/** What a browser sends of the form with this action, as it is shown. */
export function sentBy(page: CheerioAPI, action: string): Record<string, string> {
  const form = page(`form[action="${action}"][method="post"]`).first()
  const named = form.find('select:not([disabled])').toArray()
  // Without a selected option a browser sends the first.
  const chosen = named.map((el) => {
    const options = page(el).find('option')
    return [page(el).attr('name')!, (options.filter('[selected]').attr('value') ?? options.attr('value'))!]
  })
  const rest = form.serializeArray().map(({ name, value }) => [name, value])
  return { ...Object.fromEntries(rest), ...Object.fromEntries(chosen) }
}
