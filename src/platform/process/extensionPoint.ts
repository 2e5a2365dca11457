/** Something that the ground calls and a feature supplies. */
type ExtensionPoint<F> = {
  /** Called by `app/wiring.ts` alone, once; a part of platform may register at another. */
  register(implementation: F): void
  /** What was registered. Throws when nothing was. */
  registered(): F
}

/** Makes the one kind of place where rooms nearer to the ground call those further up. */
export function extensionPoint<F>(name: string): ExtensionPoint<F> {
  let registration: F | undefined
  return {
    register(implementation) {
      registration = implementation
    },
    registered() {
      if (registration === undefined) throw new Error(`nothing is registered as ${name}`)
      return registration
    },
  }
}
