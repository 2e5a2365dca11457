/**
 * Loaded into a process before the program: each SIGUSR2 steps its clock, five minutes ahead, then
 * five behind, then back. Timers go on by the monotonic clock, as they do when a machine's clock is
 * set.
 */
const steps = [0, 300_000, -300_000]
let at = 0
process.on('SIGUSR2', () => {
  at = (at + 1) % steps.length
})

const Real = Date
const now = () => Real.now() + steps[at]!
globalThis.Date = new Proxy(Real, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
  apply: () => new Real(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

export {}
