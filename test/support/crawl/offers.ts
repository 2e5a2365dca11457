import type { CheerioAPI } from 'cheerio'

/**
 * One thing that a page offers to do: a link, a form or a button of it, or a request of a script.
 */
export type Offer = {
  method: string
  /** Path and query; a form by GET has what it sends when nothing is changed. */
  address: string
  /** The element, as a failed test should name it. */
  element: string
  /** What pressing it sends; null for a link. */
  fields: [name: string, value: string][] | null
  isMultipart: boolean
}

type Element = ReturnType<CheerioAPI>

/** Attributes that a browser follows by GET. */
const followed = ['href', 'src', 'xlink:href', 'poster'] as const
const requestMethods = ['get', 'post', 'put', 'patch', 'delete'] as const

/**
 * Everything that a page offers on the site it is on: links, pictures and files, forms, buttons
 * with an address of their own, and the requests of htmx. `page`: its own path and query.
 */
export function offersOf($: CheerioAPI, page: string): Offer[] {
  return [...linksOf($, page), ...requestsOf($, page), ...formsOf($, page)]
}

/** Fragments of links to the page itself that name no element of it. */
export function brokenFragments($: CheerioAPI): string[] {
  const ids = new Set(
    $('[id]')
      .toArray()
      .map((each) => $(each).attr('id')),
  )
  return $('a[href^="#"]')
    .toArray()
    .map((each) => $(each).attr('href')!)
    .filter((href) => href !== '#' && !ids.has(decodeURIComponent(href.slice(1))))
}

function linksOf($: CheerioAPI, page: string): Offer[] {
  return followed.flatMap((name) =>
    $(`[${name.replace(':', '\\:')}]`)
      .toArray()
      .flatMap((each) => link($(each), page, $(each).attr(name)!, 'GET')),
  )
}

function requestsOf($: CheerioAPI, page: string): Offer[] {
  return requestMethods.flatMap((method) =>
    ['', 'data-'].flatMap((prefix) =>
      $(`[${prefix}hx-${method}]`)
        .toArray()
        .flatMap((each) => link($(each), page, $(each).attr(`${prefix}hx-${method}`)!, method.toUpperCase())),
    ),
  )
}

function link(element: Element, page: string, address: string, method: string): Offer[] {
  const own = ownAddress(address, page)
  if (own === null) return []
  return [{ method, address: own, element: tagOf(element), fields: null, isMultipart: false }]
}

/** One offer for each button of each form, and one for a form that has none. */
function formsOf($: CheerioAPI, page: string): Offer[] {
  return $('form')
    .toArray()
    .flatMap((each) => {
      const form = $(each)
      const id = form.attr('id')
      const outside = id ? $(`button[form="${id}"], input[form="${id}"]`) : $([])
      const buttons = form
        .find('button, input[type=submit]')
        .add(outside)
        .toArray()
        .map((button) => $(button))
        .filter((button) => !['button', 'reset'].includes(button.attr('type') ?? 'submit'))
      if (form.attr('method') === 'dialog') return []
      // Without a button it can only be sent from a field; else it is there
      // for buttons of other pages.
      const isSendable = form.find('input:not([type=hidden])').length > 0
      const pressed: (Element | null)[] = buttons.length > 0 || !isSendable ? buttons : [null]
      return pressed.flatMap((button) => pressOf($, form, button, page))
    })
}

function pressOf($: CheerioAPI, form: Element, button: Element | null, page: string): Offer[] {
  const given = button?.attr('formaction') ?? form.attr('action') ?? ''
  const own = ownAddress(given, page)
  if (own === null) return []
  const method = (button?.attr('formmethod') ?? form.attr('method') ?? 'get').toUpperCase()
  const name = button?.attr('name')
  const fields = fieldsOf($, form)
  if (name) fields.push([name, button?.attr('value') ?? ''])
  const element = `${tagOf(form)}${button ? ` ${tagOf(button)}` : ''}`
  const isMultipart = form.attr('enctype') === 'multipart/form-data'
  if (method !== 'GET') return [{ method, address: own, element, fields, isMultipart }]
  const [path] = own.split('?')
  return [{ method, address: `${path}?${new URLSearchParams(fields)}`, element, fields, isMultipart: false }]
}

/** What a browser sends of a form when nobody has changed anything. */
function fieldsOf($: CheerioAPI, form: Element): [string, string][] {
  return form
    .find('input[name], select[name], textarea[name]')
    .toArray()
    .flatMap((each): [string, string][] => {
      const field = $(each)
      const [name, type] = [field.attr('name')!, field.attr('type') ?? 'text']
      if (field.is('[disabled]') || ['file', 'submit', 'button', 'image'].includes(type)) return []
      if (['checkbox', 'radio'].includes(type) && !field.is('[checked]')) return []
      if (field.is('select')) {
        const chosen = field.find('option[selected]')
        const option = chosen.length > 0 ? chosen.first() : field.find('option').first()
        return [[name, option.attr('value') ?? option.text()]]
      }
      return [[name, field.is('textarea') ? field.text() : (field.attr('value') ?? '')]]
    })
}

/**
 * Path and query of an address on the site, as seen from a page; null for one that is elsewhere.
 */
function ownAddress(address: string, page: string): string | null {
  if (/^(mailto|tel|sms|data|blob|javascript):/i.test(address)) return null
  const here = new URL(page, 'http://building.invalid')
  const url = new URL(address, here)
  return url.origin === here.origin ? url.pathname + url.search : null
}

const tagOf = (element: Element) => {
  const attributes = Object.entries(element.attr() ?? {})
    .filter(
      ([name]) =>
        ['action', 'formaction', 'href', 'src', 'method', 'name'].includes(name) || /hx-/.test(name),
    )
    .map(([name, value]) => ` ${name}="${value}"`)
  return `<${element.prop('tagName')?.toLowerCase()}${attributes.join('')}>`
}
