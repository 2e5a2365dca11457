import { z } from 'zod'
import { type Description, describe } from '../platform/http/description/document.js'
import { answeredByHandler } from '../platform/http/route/answerContent.js'
import { type Route, route } from '../platform/http/route/route.js'
import { apiContents } from './apiPage.js'

/** The document by itself; what is in it is OpenAPI's to say. */
const DescriptionJson = z
  .looseObject({ openapi: z.string(), paths: z.record(z.string(), z.looseObject({})) })
  .meta({ id: 'Description' })

/** The description as a value, as the JSON that is sent, and as the contents of its page. */
type PreparedDocument = {
  description: Description
  text: string
  contents: ReturnType<typeof apiContents>
}

/**
 * GET /api/openapi.json, and /api for people: what all these routes say of themselves, put together
 * when first asked.
 */
export function descriptionRoutes(all: () => readonly Route[]): Route[] {
  let document: PreparedDocument | undefined
  const documentOnce = (): PreparedDocument => {
    if (document) return document
    const description = describe(all())
    document = { description, text: JSON.stringify(description), contents: apiContents(description) }
    return document
  }
  return [
    route({
      method: 'get',
      paths: '/api/openapi.json',
      group: 'operations',
      otherSites: true,
      summary: 'The OpenAPI document of this API.',
      permission: 'page.read',
      answer: DescriptionJson,
      handle: ({ ctx }) => {
        ctx.type = 'json'
        ctx.state.response.isSameForEveryone = true
        ctx.set('Cache-Control', 'private, no-cache')
        ctx.body = documentOnce().text
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
        const { description, contents } = documentOnce()
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
