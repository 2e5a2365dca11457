/**
 * The rows of keyboards. A key's neighbours are in its own row and in the rows above and below it.
 */
const keyboards = [
  ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ['1234567890', 'qwertzuiop', 'asdfghjkl', 'yxcvbnm'],
  ['1234567890', 'azertyuiop', 'qsdfghjklm', 'wxcvbn'],
  ['1234567890', 'йцукенгшщзхъ', 'фывапролджэ', 'ячсмитьбю'],
]
const alphabets = [
  '0123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
  '!@#$%^&*()',
]

/** Its keys from the top to the bottom, leaning either way: 1qaz and 2wsx, 0okm and 9ijn. */
const columnsOf = ([top = '', ...rows]: string[]): string[] =>
  [0, 1].flatMap((lean) =>
    [...top].map((key, column) => key + rows.map((row, i) => row[column - lean * (i + 1)] ?? '').join('')),
  )

/**
 * Characters in the order in which people read or type them. After the last comes the first again.
 */
const lines = [...new Set([...alphabets, ...keyboards.flat(), ...keyboards.flatMap(columnsOf)])]

/** What follows each character in one line, in one direction. */
type Follows = ReadonlyMap<string, ReadonlySet<string>>

const alongLine = (line: string): Follows =>
  new Map([...line].map((key, i) => [key, new Set([line[(i + 1) % line.length]!])]))

const backwards = (line: string) => [...line].reverse().join('')

/** The keys that each key of a keyboard touches, in every direction. */
function touching(rows: string[]): Follows {
  const neighbours = new Map<string, ReadonlySet<string>>()
  for (const [i, row] of rows.entries())
    for (const [column, key] of [...row].entries()) {
      const above = [rows[i - 1]?.[column], rows[i - 1]?.[column + 1]]
      const below = [rows[i + 1]?.[column], rows[i + 1]?.[column - 1]]
      const beside = [row[column - 1], row[column + 1]]
      const keys = [key, ...above, ...below, ...beside]
      neighbours.set(key, new Set(keys.filter((each) => each !== undefined)))
    }
  return neighbours
}

/** Shorter runs along a line occur in every other word. */
const shortestRun = 3
/** Shorter runs from key to key occur in words: "were" and "trees" are such runs. */
const shortestWalk = 6

const runs: readonly { follows: Follows; shortest: number }[] = [
  ...lines.flatMap((line) =>
    [line, backwards(line)].map((each) => ({ follows: alongLine(each), shortest: shortestRun })),
  ),
  ...keyboards.map((rows) => ({ follows: touching(rows), shortest: shortestWalk })),
]

/** How many characters from here on are one run; 0 when too few are. */
function runAt(characters: readonly string[], start: number): number {
  const lengthWhile = (follows: (from: string, to: string) => boolean) => {
    let end = start + 1
    while (end < characters.length && follows(characters[end - 1]!, characters[end]!)) end += 1
    return end - start
  }
  const same = lengthWhile((from, to) => from === to)
  let longest = same >= shortestRun ? same : 0
  for (const { follows, shortest } of runs) {
    const length = lengthWhile((from, to) => follows.get(from)?.has(to) ?? false)
    if (length >= shortest && length > longest) longest = length
  }
  return longest
}

/** How many characters of a text in lower case are part of no sequence and no repetition. */
export function lengthBesideRuns(text: string): number {
  const characters = [...text]
  let count = 0
  for (let i = 0; i < characters.length; ) {
    const run = runAt(characters, i)
    if (run === 0) count += 1
    i += run || 1
  }
  return count
}

/**
 * The block that a text repeats from beginning to end, the last time perhaps incompletely; null
 * when there is none.
 */
export function repeatedBlock(text: string): string | null {
  const characters = [...text]
  for (let length = 1; length <= characters.length / 2; length++)
    if (characters.every((each, i) => i < length || each === characters[i - length]))
      return characters.slice(0, length).join('')
  return null
}
