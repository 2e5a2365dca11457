import { describe, expect, it } from 'vitest'
import { negotiate, type RepresentationHints } from '../../../src/platform/http/representation.js'

describe('the representation of an answer', () => {
  const chromium = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
  const lynx = 'text/html, text/plain, text/sgml, text/css, application/xhtml+xml, */*;q=0.01'
  const w3m = 'text/html, text/*;q=0.5, image/*, application/*'
  const axios = 'application/json, text/plain, */*'
  const cases: [string, Partial<RepresentationHints>, string, string][] = [
    // who asks, headers, at /incidents, at /api/incidents
    ['Chromium navigates', { accept: chromium }, 'page', 'page'],
    ['htmx 2 asks', { accept: '*/*', htmx: true }, 'fragment', 'json'],
    ['htmx 4 asks', { accept: 'text/html', htmx: true }, 'fragment', 'fragment'],
    ['htmx 2 restores history', { accept: '*/*', htmx: true, historyRestore: true }, 'page', 'json'],
    ['htmx 4 restores history', { accept: '*/*', historyRestore: true }, 'page', 'json'],
    ['lynx asks', { accept: lynx }, 'page', 'page'],
    ['w3m asks', { accept: w3m }, 'page', 'page'],
    ['Links asks', { accept: '*/*' }, 'page', 'json'],
    ['OkHttp asks without Accept', {}, 'page', 'json'],
    ['axios asks', { accept: axios }, 'json', 'json'],
    ['the app asks with its key', { accept: '*/*', bearer: true }, 'json', 'json'],
    ['the app asks with its key and wants HTML', { accept: 'text/html', bearer: true }, 'page', 'page'],
    ['a client wants problem documents', { accept: 'application/problem+json' }, 'json', 'json'],
    ['HTML is preferred by quality', { accept: 'application/json;q=0.5, text/html' }, 'page', 'page'],
    ['JSON is preferred by quality', { accept: 'text/html;q=0.5, application/json' }, 'json', 'json'],
    ['JSON is refused by quality', { accept: 'application/json;q=0, */*' }, 'page', 'json'],
    ['a quality is nonsense', { accept: 'application/json;q=x, text/html' }, 'page', 'page'],
    ['a comma stands in quotation marks', { accept: 'image/png;x=", application/json"' }, 'page', 'json'],
    ['a type has parameters', { accept: 'application/json; charset=utf-8' }, 'json', 'json'],
    ['case differs', { accept: 'Application/JSON' }, 'json', 'json'],
    ['nothing we have is asked for', { accept: 'image/png' }, 'page', 'json'],
    ['Accept is empty', { accept: '' }, 'page', 'json'],
  ]

  it.each(cases)('when %s', (_who, asking, page, api) => {
    expect(negotiate({ ...asking, path: '/incidents' })).toBe(page)
    expect(negotiate({ ...asking, path: '/api/incidents' })).toBe(api)
  })

  it('treats only paths under /api as machine addresses', () => {
    expect(negotiate({ path: '/apiary', accept: '*/*' })).toBe('page')
    expect(negotiate({ path: '/api', accept: '*/*' })).toBe('json')
  })
})
