const isDigit = /\p{Nd}/u

/**
 * The digits of other scripts as 0 to 9, such as those that an Arabic or Japanese keyboard types:
 * `١٢` and `１２` read 12. Other characters stay.
 */
export function westernDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    // Each script has its ten in a row, some of them several times, after something else.
    const code = digit.codePointAt(0)!
    let first = code
    while (isDigit.test(String.fromCodePoint(first - 1))) first -= 1
    return String((code - first) % 10)
  })
}
