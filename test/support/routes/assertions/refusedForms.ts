import { type CheerioAPI, load } from 'cheerio'
import { expect } from 'vitest'
import type { House } from '../../house/house.js'
import type { Reader } from '../../pages.js'
import { perRun } from '../../run/extent.js'

type Form = ReturnType<CheerioAPI>

/** Enough of a long text to know it by. */
const start = (text: unknown) => String(text).trim().slice(0, 40)

/** What a person types into or chooses from. */
const fields = 'input:not([type=hidden]):not([type=file]), textarea, select'
/** What an error says beside its field, and how the field is marked. */
const marks = '.error, .wrong, [aria-invalid]'
const typed = (name: string) => `typed-into-${name}-${'x'.repeat(10_500)}`
const strayed = 'typed-into-another-form'

/**
 * The forms of a page by their address, and a number where there are several of one. One without an
 * address is that of buttons which each have theirs.
 */
function formsOf($: CheerioAPI): Map<string, Form> {
  const forms = new Map<string, Form>()
  for (const each of $('main form[method=post][action]').toArray()) {
    const action = $(each).attr('action')!
    const twins = [...forms.keys()].filter((key) => key.startsWith(`${action} `)).length
    forms.set(`${action} ${twins}`, $(each))
  }
  return forms
}

const valuesOf = ($: CheerioAPI, form: Form, selector: string) =>
  form
    .find(selector)
    .toArray()
    .map((each) => [$(each).attr('name') ?? '', $(each).val() ?? '', $(each).is('[checked]')] as const)
const namesOf = ($: CheerioAPI, form: Form) => valuesOf($, form, fields).map(([name]) => name)
const shownBy = ($: CheerioAPI, form: Form) => ({
  values: valuesOf($, form, fields),
  text: form.text(),
  marks: form.find(marks).length,
})

/**
 * Nonsense for each field of a form; of a form that is only a named button, for that. Null
 * where nothing can be wrong.
 */
function nonsenseFor($: CheerioAPI, form: Form, others: string[]): Record<string, string> | null {
  const own = namesOf($, form)
  const buttons = form.find('button:not([formaction])')
  const unnamed = buttons.filter(':not([name])').length > 0
  const pressed = unnamed ? undefined : buttons.first()
  if (own.length === 0 && !pressed) return null
  return Object.fromEntries([
    ...valuesOf($, form, '[type=hidden][name]'),
    ...(own.length > 0 ? others.map((name) => [name, strayed]) : []),
    ...own.map((name) => [name, typed(name)]),
    ...(pressed ? [[pressed.attr('name'), own.length > 0 ? pressed.attr('value') : typed('button')]] : []),
  ])
}

/** The kinds of forms that were refused, by the caller and the kind of page. */
const refusedKinds = new Set<string>()

/**
 * Whether a form of this kind was refused before on such a page; the whole run
 * asks each on every page.
 */
function isRepeated(who: Reader, address: string, action: string, fields: string[]): boolean {
  const page = address.replace(/\?.*/, '')
  const kind = `${who} ${`${page} ${action}`.replaceAll(/\d+/g, ':id')} ${fields.join()}`
  const isKnown = refusedKinds.has(kind)
  refusedKinds.add(kind)
  return perRun({ quick: isKnown, whole: false })
}

/**
 * Has every form of a page refused, one after the other. Returns the addresses of those
 * that are shown again on it.
 */
export async function refuseEach(
  house: House,
  who: Reader,
  address: string,
  headers: Record<string, string> = {},
): Promise<string[]> {
  const asked = { ...headers, accept: 'text/html', 'sec-fetch-site': 'same-origin' }
  const fresh = load(await (await house.ask(who, address, { headers: asked })).text())
  const forms = formsOf(fresh)
  const names = [...forms.values()].flatMap((form) => namesOf(fresh, form))
  const shown: string[] = []
  for (const [key, form] of forms.size > 1 ? forms : []) {
    const sent = nonsenseFor(fresh, form, names)
    if (!sent) continue
    const action = form.attr('action')!
    if (isRepeated(who, address, action, namesOf(fresh, form))) continue
    const answer = await house.ask(who, action, { form: sent, headers: asked })
    const page = load(await answer.text())
    const refused = formsOf(page)
    const place = `${who} on ${address}: ${action}`
    if (!refused.has(key)) {
      expect(namesOf(fresh, form), place).toEqual([])
      continue
    }
    expect(answer.status, place).toBe(422)
    expectIn(page, refused.get(key)!, namesOf(fresh, form), place)
    // A button on a list is refused on the page of the thing itself, where the
    // other forms are its own.
    for (const [other, again] of refused)
      if (other !== key && forms.has(other))
        expect(shownBy(page, again), place).toEqual(shownBy(fresh, forms.get(other)!))
    shown.push(action)
  }
  return shown
}

/** What went wrong is said and shown in this form of the page and nowhere else. */
function expectIn($: CheerioAPI, form: Form, sent: string[], place: string): void {
  const ids = $('[id]')
    .toArray()
    .map((each) => $(each).attr('id'))
  expect(ids.length, place).toBe(new Set(ids).size)
  const links = $('.errors a')
    .toArray()
    .map((each) => $(each).attr('href')!)
  expect(links.length, place).toBeGreaterThan(0)
  const inside = form
    .find('[id]')
    .toArray()
    .map((each) => `#${$(each).attr('id')}`)
  expect(inside, place).toEqual(expect.arrayContaining(links))
  expect(form.find(marks).length, place).toBeGreaterThan(0)
  expect($('main').find(marks).length, place).toBe(form.find(marks).length)
  expect(form.closest('details:not([open])').length, place).toBe(0)
  const texts = valuesOf($, form, 'input[type=text]:not([autocomplete=one-time-code]), textarea')
  for (const [name, value] of texts)
    if (sent.includes(name)) expect(start(value), place).toBe(start(typed(name)))
  const typedOn = (html: string) => html.match(/typed-into-/g)?.length ?? 0
  expect(typedOn($.html()), place).toBe(typedOn($.html(form)))
  expect($.html().includes(strayed), place).toBe(false)
}
