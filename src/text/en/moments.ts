/** When something was to happen: at 10:55, on Mon 08:12, on 23 Nov. */
export function at(moment: string): string {
  return /^\d\d:\d\d/.test(moment) ? `at ${moment}` : `on ${moment}`
}
