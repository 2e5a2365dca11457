/** What we use of it: the types that are published are those of 0.6, which did not know `preferred`. */
declare module 'negotiator' {
  class Negotiator {
    constructor(request: { headers: Record<string, string> })
    /** Best first, as the header writes them, wildcards too; without those of quality 0. */
    mediaTypes(): string[]
    languages(): string[]
    /** The best of ours; where the header wants two alike, the first of `preferred`. */
    encoding<Ours extends string>(
      ours: readonly Ours[],
      options: { preferred: readonly Ours[] },
    ): Ours | undefined
  }
  export = Negotiator
}
