import { doorCloserBroken, doorCloserFitted, doorPanel, gateHalfOpen } from './entrance.js'
import { liftDoorsAjar, liftOutOfOrder } from './lift.js'
import { binsOverflowing, flickeringLamp, washerLeaking } from './shared.js'
import { boilerGauge, ceilingLeak, pipeLeak, pumpRoom } from './water.js'

const drawings = {
  liftOutOfOrder,
  liftDoorsAjar,
  pipeLeak,
  ceilingLeak,
  pumpRoom,
  boilerGauge,
  doorCloserBroken,
  doorCloserFitted,
  doorPanel,
  gateHalfOpen,
  flickeringLamp,
  binsOverflowing,
  washerLeaking,
}

/** The name of a drawing the demo's photos are made of. */
export type Drawing = keyof typeof drawings

/** All of them, in no order that matters. */
export const drawingNames = Object.keys(drawings) as Drawing[]

/** A drawing as an SVG document of 1600 × 1200 pixels; the same bytes every time. */
export function drawn(name: Drawing): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200" viewBox="0 0 800 600">${drawings[name]()}</svg>`
}
