import { describe, expect, it } from 'vitest'
import { sourcesIn } from './sources.js'

const templates = sourcesIn(['views'], '.eta')

/** Where the pages break one of the house's rules for templates. */
function offenders(rule: RegExp): string[] {
  return templates.flatMap(({ path, text }) => [...text.matchAll(rule)].map(([found]) => `${path}: ${found}`))
}

describe('templates', () => {
  it('print raw only what is itself a template', () => {
    expect(offenders(/<%~(?! (include\('\/[\w/]*'|it\.body %>))[^%]*%>/g)).toEqual([])
  })

  it('are short: a longer page is a list of its parts', () => {
    const lengths = templates.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    expect(lengths.filter(({ lines }) => lines > 65)).toEqual([])
  })

  it('have no script or style in them, as the content security policy demands', () => {
    expect(offenders(/<script(?! src=)|\son[a-z]+=|javascript:/gi)).toEqual([])
    // Mails have no style sheet beside them, and no policy.
    const styled = offenders(/<style|\sstyle=/gi)
    expect(styled.filter((offence) => !offence.startsWith('views/notifications/emails/'))).toEqual([])
  })

  it('have the words of an incident’s status from `h`, which knows why it was closed (decision 7.14)', () => {
    expect(offenders(/\bt\.(status|statusMeaning)\[[^\]]*\]/g)).toEqual([])
  })

  it('use only the part of htmx that both its lines have', () => {
    expect(
      offenders(
        /hx-(?!(get|post|target|swap|select|trigger|include|sync|push-url|replace-url|confirm|indicator)=)[\w:-]+/g,
      ),
    ).toEqual([])
    expect(offenders(/hx-trigger="[^"]*\[[^"]*"/g)).toEqual([])
  })

  it('name no class that no style sheet has: what it was for is not there', () => {
    const known = new Set(
      sourcesIn(['static/css'], '.css').flatMap(({ text }) =>
        [...text.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name),
      ),
    )
    const unknown = templates
      .filter(({ path }) => !path.startsWith('views/notifications/emails/'))
      .flatMap(({ path, text }) =>
        [...text.replaceAll(/<%.*?%>/gs, ' ').matchAll(/\sclass="([^"]*)"/g)]
          .flatMap(([, names]) => names!.split(/\s+/))
          .filter((name) => name && !known.has(name))
          .map((name) => `${path}: ${name}`),
      )
    expect(unknown).toEqual([])
  })

  it('name the fields of a form by labels', () => {
    for (const { path, text } of templates) {
      const ids = [
        ...text.matchAll(/<(?:input|select|textarea)(?![^>]*type="hidden")[^>]*?\sid="([^"]+)"/g),
      ].map(([, id]) => id)
      for (const id of ids) expect(text, `${path}: ${id}`).toContain(`for="${id}"`)
    }
  })
})
