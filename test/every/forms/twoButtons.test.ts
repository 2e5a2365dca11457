import { load } from 'cheerio'
import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { useApp } from '../../support/app.js'
import { anIncident } from '../../support/builders/incident.js'
import { heldEmail } from '../../support/email/heldEmails.js'
import { examplesOf, pageRoutes } from '../../support/pages.js'
import { perRun } from '../../support/suite/extent.js'

const app = useApp()
beforeEach(() => query('delete from throttles'))

/**
 * Every form of a page with words to type and more than one button, and what becomes of the words
 * with each of them. A form that is not here fails the test: say first what each button does.
 */
const meanings: Record<string, string> = {
  '/admin/maintenance | send | /admin/maintenance/preview':
    'saves the words; the preview keeps them in the form',
  '/admin/maintenance/:id | send | /admin/maintenance/:id/preview': 'saves the words; the preview keeps them',
  '/incidents/:id/edit | send | /incidents/:id/edit/preview':
    'saves the words; the preview keeps them in the form',
  '/incidents/:id/updates | send | /incidents/:id/updates/template#add':
    'posts the words; the template is put in beside them',
}

const typedInto =
  'textarea, input:not([type]), input[type=text], input[type=search], input[type=number], input[type=email], input[type=url]'

describe('a form with several buttons and words to type', () => {
  it('is on the list that says what becomes of the words with each button', async () => {
    const examples = await examplesOf(app)
    await heldEmail()
    const resolved = await anIncident({ assetId: 1, status: 'resolved' })
    const pages = pageRoutes().flatMap(({ path, readers }) =>
      [...(examples[path] ?? []), ...(path === '/incidents/:id' ? [`/incidents/${resolved}`] : [])].flatMap(
        // Whoever is listed last is shown the most.
        (address) => perRun({ quick: readers.slice(-1), whole: readers }).map((who) => ({ who, address })),
      ),
    )
    const found = new Set<string>()
    for (const { who, address } of pages) {
      const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }
      const $ = load(await (await app.ask(who, address, { headers })).text())
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
        const kind = [$(form).attr('action') ?? 'none', ...new Set(names)]
          .join(' | ')
          .replaceAll(/\d+/g, ':id')
        found.add(kind)
      }
    }
    expect([...found].sort()).toEqual(Object.keys(meanings).sort())
  })
})
