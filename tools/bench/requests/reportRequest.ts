import { randomUUID } from 'node:crypto'
import { benchKey } from '../world.js'

const fields = { title: 'The lift is stuck', severity: 'high', description: 'Since this morning' }

/** A report by the mobile key as a raw request; `path` for what it is compared with. */
export function reportRequest(path = '/api/incidents'): string {
  const json = JSON.stringify({ ...fields, assetId: 3 })
  return raw(path, [`Authorization: Bearer ${benchKey}`, 'Content-Type: application/json'], json)
}

/**
 * What a browser sends when a resident with these cookies presses the report form's button: each
 * form has a key and a title of its own, because the same title again is asked about.
 */
export function formRequest(path: string, cookie: string): string {
  const formKey = randomUUID()
  const title = `${fields.title} ${formKey}`
  const form = new URLSearchParams({ ...fields, title, assetId: '3', formKey }).toString()
  const headers = [
    `Cookie: ${cookie}`,
    'Sec-Fetch-Site: same-origin',
    'Accept: text/html',
    'Content-Type: application/x-www-form-urlencoded',
  ]
  return raw(path, headers, form)
}

const raw = (path: string, headers: string[], body: string) =>
  [`POST ${path} HTTP/1.1`, 'Host: bench', ...headers, `Content-Length: ${body.length}`, '', body].join(
    '\r\n',
  )
