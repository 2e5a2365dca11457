/** Names that every object answers to, whatever its table holds. */
export const outsideWords = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'prototype',
  'isPrototypeOf',
  '__defineGetter__',
]

let turn = 0

/**
 * One of the words after the other: all are tried everywhere, though not each at each single place.
 */
export const nextWord = (): string => outsideWords[turn++ % outsideWords.length]!

const brokenSegments = ['%00', '%E0%A4%A', '..%2f..', '99999999999']

/**
 * A word and a text that is broken in an address, each as every variable part
 * of this address pattern.
 */
export function strangeAddresses(pattern: string): string[] {
  const broken = brokenSegments[turn % brokenSegments.length]!
  return [nextWord(), broken].map((segment) => withSegments(pattern, segment))
}

/** An address of a pattern, with the same text as every variable part. */
export const withSegments = (pattern: string, segment: string) =>
  pattern.replaceAll(/:\w+/g, segment).replace('{*path}', segment)
