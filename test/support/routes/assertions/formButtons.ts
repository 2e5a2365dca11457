import { load } from 'cheerio'
import type { House } from '../../house/house.js'
import type { Reader } from '../../pages.js'

/**
 * Every form of a page with words to type and more than one button, and what becomes of the words
 * with each of them. A form that is not here fails the test: say first what each button does.
 */
export const meanings: Record<string, string> = {
  '/admin/maintenance | send | /admin/maintenance/preview':
    'saves the words; the preview keeps them in the form',
  '/admin/maintenance/:id | send | /admin/maintenance/:id/preview': 'saves the words; the preview keeps them',
  '/incidents/:id/edit | send | /incidents/:id/edit/preview':
    'saves the words; the preview keeps them in the form',
  '/incidents/:id/updates | send | /incidents/:id/updates/template#add':
    'posts the words; the template is put in beside them',
  '/sign-in | send | /sign-in/link': 'sends address and password; the code goes to the address alone',
}

const typedInto =
  'textarea, input:not([type]), input[type=text], input[type=search], input[type=number], input[type=email], input[type=url]'

/**
 * The kinds of forms with words to type and more than one button that these pages have: where each
 * is sent, and its buttons.
 */
export async function formsWithButtons(
  house: House,
  pages: { who: Reader; address: string }[],
): Promise<string[]> {
  const found = new Set<string>()
  for (const { who, address } of pages) {
    const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }
    const $ = load(await (await house.ask(who, address, { headers })).text())
    for (const form of $('main form[method=post]').toArray()) {
      // Also those that stand elsewhere on the page and name the form.
      const inForm = (selector: string) =>
        [$(form).find(selector), $(`[form="${$(form).attr('id')}"]`).filter(selector)].flatMap((found) =>
          found.toArray(),
        )
      const buttons = inForm('button:not([type=button]), input[type=submit]')
      if (buttons.length < 2 || inForm(typedInto).length === 0) continue
      const names = buttons.map(
        (b) =>
          $(b).attr('formaction') ??
          ($(b).attr('name') ? `${$(b).attr('name')}=${$(b).attr('value')}` : 'send'),
      )
      const kind = [$(form).attr('action') ?? 'none', ...new Set(names)].join(' | ').replaceAll(/\d+/g, ':id')
      found.add(kind)
    }
  }
  return [...found].sort()
}
