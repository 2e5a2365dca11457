/** Seconds of a Retry-After header; undefined for a date or nonsense. */
export function secondsToWait(header: string | null | undefined): number | undefined {
  const seconds = Number(header ?? Number.NaN)
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}
