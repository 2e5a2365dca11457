/**
 * What letters were recognised as: nothing of ours, a sentence of the catalogue (`template`), or a
 * text stored in the building. From the least to the most, for `highest`.
 */
const recognitions = ['none', 'template', 'stored'] as const
export type Recognition = (typeof recognitions)[number]

/** What each letter of a text was recognised as, by its number; ranges end before `end`. */
export class Coverage {
  /** A byte for each letter, because a text has 100,000 of them: its place in `recognitions`. */
  readonly #codes: Uint8Array

  constructor(letters: number) {
    this.#codes = new Uint8Array(letters)
  }

  /** A later mark replaces an earlier one. */
  mark(start: number, end: number, recognition: Recognition): void {
    this.#codes.fill(recognitions.indexOf(recognition), start, end)
  }

  at(letter: number): Recognition {
    return recognitions[this.#codes[letter]!]!
  }

  has(letter: number): boolean {
    return this.#codes[letter]! > 0
  }

  /** A stored text outranks a sentence of the catalogue, and that outranks nothing. */
  highest(start: number, end: number): Recognition {
    let highest = 0
    for (let i = start; i < end; i++) highest = Math.max(highest, this.#codes[i]!)
    return recognitions[highest]!
  }
}
