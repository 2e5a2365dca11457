import { query } from '../../../src/platform/db/database.js'
import {
  problemPages,
  type State,
  secondFactorPages,
  singleSignOnPages,
  stateOf,
} from '../../browser/states.js'
import type { useApp } from '../app.js'
import { mailedSignIn, mailedSignUp } from '../guests/signInLinks.js'
import { outlineOf } from './outline.js'
import { steady } from './steady.js'

type App = ReturnType<typeof useApp>

/**
 * Pages that are there only in the middle of something or after a mistake, by the name of their
 * file.
 */
export async function statesOf(app: App): Promise<Map<string, State[]>> {
  const links = [
    ['/sign-in/link', await mailedSignIn(app)],
    ['/sign-up', await mailedSignUp(app, 'new@outside.example')],
  ] as const
  const linkPages: State[] = []
  for (const [path, { ids, cookie }] of links)
    linkPages.push(await stateOf(app, 'guest', `${path}/${ids[0]}`, 200, { headers: { cookie } }))
  await query(`update properties set sign_up = 'office'`)
  return new Map([
    ['in-between.links', linkPages],
    ['in-between.problems', await problemPages(app)],
    ['in-between.second-factor', await secondFactorPages(app)],
    ['in-between.single-sign-on', await singleSignOnPages(app)],
  ])
}

/** A file for each group of these pages: what is in their main part. */
export function stateTexts(states: Map<string, State[]>): Map<string, string> {
  return new Map([...states].map(([file, pages]) => [`${file}.txt`, pages.map(stateText).join('\n')]))
}

function stateText({ name, html }: State): string {
  const { title, lang, main } = outlineOf(steady(html))
  return `==== ${steady(name)}, ${lang}\ntitle ${title}\n${main}\n`
}
