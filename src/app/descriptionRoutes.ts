import { z } from 'zod'
import { type Description, describe } from '../platform/http/description/document.js'
import { answeredByHandler } from '../platform/http/route/answer.js'
import { type Route, route } from '../platform/http/route/route.js'
import { apiContents } from './apiPage.js'

/** The document by itself; what is in it is OpenAPI's to say. */
const DescriptionJson = z
  .looseObject({ openapi: z.string(), paths: z.record(z.string(), z.looseObject({})) })
  .meta({ id: 'Description' })

/**
 * GET /api/openapi.json, and /api for people: what all these routes say of themselves, put together
 * when first asked.
 */
export function descriptionRoutes(all: () => readonly Route[]): Route[] {
  let made: { description: Description; text: string; contents: ReturnType<typeof apiContents> } | undefined
  const kept = () => {
    if (made) return made
    const description = describe(all())
    made = { description, text: JSON.stringify(description), contents: apiContents(description) }
    return made
  }
  return [
    route({
      method: 'get',
      paths: '/api/openapi.json',
      summary: 'The OpenAPI document of this API.',
      permission: 'page.read',
      answer: DescriptionJson,
      handle: ({ ctx }) => {
        ctx.type = 'json'
        ctx.state.forEverybody = true
        ctx.set('Cache-Control', 'private, no-cache')
        ctx.body = kept().text
        return answeredByHandler
      },
    }),

    route({
      method: 'get',
      paths: '/api',
      summary: 'The API documentation as a page.',
      permission: 'page.read',
      answer: DescriptionJson,
      handle: ({ ctx }) => {
        const { description, contents } = kept()
        const { text, locale } = ctx.state
        // The frame alone, around contents that are rendered already.
        const extras = async () => ({
          title: text.apiPage.title,
          styles: ['work.css'],
          body: contents(locale),
        })
        return { data: { ...description }, view: 'layout', extras }
      },
    }),
  ]
}
