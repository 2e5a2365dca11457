/** Something that the ground calls and a feature supplies. */
type ExtensionPoint<F> = {
  /** Called by `app/wiring.ts` alone, once; a part of platform may register at another. */
  register(given: F): void
  /** What was registered. Throws when nothing was. */
  registered(): F
}

/** Makes the one kind of place where rooms nearer to the ground call those further up. */
export function extensionPoint<F>(name: string): ExtensionPoint<F> {
  let held: F | undefined
  return {
    register(given) {
      held = given
    },
    registered() {
      if (held === undefined) throw new Error(`nothing is registered as ${name}`)
      return held
    },
  }
}
