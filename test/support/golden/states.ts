import { query } from '../../../src/platform/db/database.js'
import {
  problemPages,
  type State,
  secondFactorPages,
  singleSignOnPages,
  stateOf,
} from '../../browser/states.js'
import type { House } from '../house/house.js'
import { mailedSignIn, mailedSignUp } from '../links/signInLinks.js'
import { outlineOf } from './outline.js'
import { steady } from './steady.js'

/**
 * Pages that are there only in the middle of something or after a mistake, by the name of their
 * file.
 */
export async function statesOf(house: House): Promise<Map<string, State[]>> {
  const links = [
    ['/sign-in/link', await mailedSignIn(house)],
    ['/sign-up', await mailedSignUp(house, 'new@outside.example')],
  ] as const
  const linkPages: State[] = []
  for (const [path, { ids, cookie }] of links)
    for (const address of [`${path}/${ids[0]}`, '/sign-in/link-sent'])
      linkPages.push(await stateOf(house, 'guest', address, 200, { headers: { cookie } }))
  await query(`update properties set sign_up = 'office'`)
  return new Map([
    ['in-between.links', linkPages],
    ['in-between.problems', await problemPages(house)],
    ['in-between.second-factor', await secondFactorPages(house)],
    ['in-between.single-sign-on', await singleSignOnPages(house)],
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
