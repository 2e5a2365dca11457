import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { checkout, readCheckout } from '../support/compiled.js'

const readme = readCheckout('docs/develop/contributing.md')
const table = readme.slice(readme.indexOf('| to… | open |')).split('\n\n')[0]!

/** A file or folder the table names: from the root, or from src. */
const exists = (named: string) =>
  [named, path.join('src', named)].some((file) => existsSync(path.join(checkout, file)))

it('the table of changes names only files and folders that are there', () => {
  const named = [...table.matchAll(/`([\w.]+\/[\w./]*|\w+\.ts)`/g)].map(([, file]) => file!)
  expect(named.length).toBeGreaterThan(20)
  const ofBothLanguages = (file: string) =>
    exists(path.join('text/en', file)) && exists(path.join('text/es', file))
  expect(named.filter((file) => !exists(file) && !ofBothLanguages(file))).toEqual([])
})
