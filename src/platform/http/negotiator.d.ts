/** The part we use: the published types are of 0.6, which did not have `preferred`. */
declare module 'negotiator' {
  class Negotiator {
    constructor(request: { headers: Record<string, string> })
    /** Best first, wildcards included, quality 0 left out. */
    mediaTypes(): string[]
    languages(): string[]
    /** The best of ours; among equals, the first in `preferred`. */
    encoding<Ours extends string>(
      ours: readonly Ours[],
      options: { preferred: readonly Ours[] },
    ): Ours | undefined
  }
  export = Negotiator
}
