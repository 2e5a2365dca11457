import path from 'node:path'
import { ts } from '@ts-morph/common'
import { describe, expect, it } from 'vitest'
import { readCheckout } from '../support/compiled.js'

const bundles: Record<string, string[]> = JSON.parse(readCheckout('static/bundles.json'))
const scripts = Object.entries(bundles).filter(([name]) => path.extname(name) === '.js')

describe.each(scripts)('the script %s, whose parts have one scope,', (_name, parts) => {
  const faults = faultsOf(parts.map((part) => readCheckout(`static/${part}`)).join('\n'))

  it('defines each name it reads, whichever part that is in', () => {
    expect(faults.missingNames).toEqual([])
  })

  it('defines no name twice, which no browser would run', () => {
    expect(faults.namesTwice).toEqual([])
  })
})

it('a name that a part needs and no other has is found, and one that two parts have', () => {
  expect(faultsOf('const seen = (row) => isSeen(row) && caches.has(row.key)')).toEqual({
    missingNames: ['isSeen'],
    namesTwice: [],
  })
  expect(faultsOf('const hour = 1\n(() => hour)()\nconst hour = 2').namesTwice).toEqual(['hour'])
})

/** The compiler's numbers for a name it cannot find, as it words that for different names. */
const missingCodes = [2304, 2552, 2580, 2583, 2584, 2591, 2592, 18004]
/** And for a name of a block that is declared once more, or a second time as something else. */
const twiceCodes = [2300, 2451]

/** What the language and the browser give every service worker, as far as ours use it. */
const givenByBrowser = new Set([
  'AbortController',
  'addEventListener',
  'Array',
  'Boolean',
  'btoa',
  'caches',
  'clearTimeout',
  'clients',
  'crypto',
  'Date',
  'decodeURIComponent',
  'encodeURIComponent',
  'Error',
  'fetch',
  'FormData',
  'Headers',
  'indexedDB',
  'Infinity',
  'Intl',
  'JSON',
  'location',
  'navigator',
  'Number',
  'Object',
  'Promise',
  'RegExp',
  'registration',
  'Request',
  'Response',
  'Set',
  'setTimeout',
  'skipWaiting',
  'String',
  'Uint8Array',
  'URL',
  'URLSearchParams',
])

/** The names that a script reads and nothing declares, and those it declares more than once. */
function faultsOf(text: string): { missingNames: string[]; namesTwice: string[] } {
  const source = ts.createSourceFile('bundle.js', text, ts.ScriptTarget.Latest, true)
  const options = { allowJs: true, checkJs: true, noLib: true, target: ts.ScriptTarget.Latest }
  const host: ts.CompilerHost = {
    getSourceFile: (file) => (file === source.fileName ? source : undefined),
    getDefaultLibFileName: () => 'lib.d.ts',
    writeFile: () => {},
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (file) => file,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: (file) => file === source.fileName,
    readFile: () => undefined,
  }
  const found = ts.createProgram([source.fileName], options, host).getSemanticDiagnostics(source)
  const namesOf = (codes: number[]) => [
    ...new Set(
      found
        .filter(({ code }) => codes.includes(code))
        .map(({ start, length }) => text.slice(start!, start! + length!)),
    ),
  ]
  return {
    missingNames: namesOf(missingCodes).filter((name) => !givenByBrowser.has(name)),
    namesTwice: namesOf(twiceCodes),
  }
}
