import {
  amber,
  box,
  dark,
  disc,
  green,
  line,
  oval,
  paper,
  placed,
  puddle,
  room,
  shape,
  steel,
} from './strokes.js'

/** A stairwell whose lamp flickers. */
export function flickeringLamp(): string {
  const steps = Array.from({ length: 7 }, (_, i) => i)
  return (
    box(0, 0, 800, 600, '#6f7680') +
    shape('M300 120L60 600H740L500 120z', '#c9c3a6', 0.28) +
    shape('M340 120L200 600H600L460 120z', '#e9dfb4', 0.3) +
    steps
      .map((i) => box(440 + i * 52, 540 - i * 44, 400, 60 + i * 44, i % 2 ? '#575e68' : '#4f5660'))
      .join('') +
    line('M430 420L790 116', '#3b424b', 12) +
    steps.map((i) => line(`M${452 + i * 52} ${402 - i * 44}v${130}`, '#3b424b', 5)).join('') +
    box(300, 78, 200, 24, '#3b424b', 6) +
    box(312, 98, 176, 26, '#fff3c4', 12) +
    box(312, 98, 66, 26, '#8f8a6c', 12) +
    line('M250 150l-34 26 26 8-40 34M550 150l34 26-26 8 40 34M400 156v50', amber, 8) +
    box(96, 250, 92, 92, '#59606a', 8) +
    line('M156 270q-32 4-32 38a18 18 0 1 0 6-20', '#a8adb5', 8)
  )
}

/** Three bins that no longer close, bags and boxes around them. */
export function binsOverflowing(): string {
  return (
    room('#c8bfae', '#8f8a80', 430) +
    bricksBehind() +
    oval(400, 540, 340, 22, '#000', 0.16) +
    bin(90, '#5c7d5a') +
    bin(310, '#4f7f9e') +
    bin(530, '#5c7d5a') +
    bag(176, 196, 50) +
    bag(236, 206, 40) +
    placed(350, 130, 12, box(0, 0, 90, 80, '#c79a62'), box(40, 0, 10, 80, '#b08450')) +
    placed(420, 176, -14, box(0, 0, 80, 50, '#d3aa74'), box(34, 0, 8, 50, '#b08450')) +
    bag(600, 190, 54) +
    bag(664, 208, 38) +
    bag(268, 500, 56) +
    bag(500, 512, 50) +
    placed(690, 486, 8, box(0, 0, 84, 66, '#c79a62'), box(38, 0, 9, 66, '#b08450')) +
    line('M40 560l34-10M150 580h30M590 574l26 8', paper, 8)
  )
}

const bricksBehind = () =>
  line([80, 160, 240, 320].map((y) => `M0 ${y}h800M${y} ${y}v80M${y + 300} ${y}v80`).join(''), '#b9af9c', 4)

const bin = (x: number, colour: string) =>
  placed(x + 20, 210, -18, box(0, -16, 186, 18, dark, 8)) +
  shape(`M${x} 226h196l-16 300H${x + 16}z`, colour) +
  box(x - 6, 220, 208, 20, '#00000033', 6) +
  [40, 92, 144].map((dx) => box(x + dx, 262, 8, 230, '#ffffff22', 4)).join('') +
  disc(x + 36, 532, 20, dark) +
  disc(x + 160, 532, 20, dark)

const bag = (x: number, y: number, r: number) =>
  shape(
    `M${x - r} ${y + r * 0.7}q${-r * 0.2} ${-r * 1.3} ${r * 0.8} ${-r * 1.3}q${r * 1.6} 0 ${r * 1.1} ${r * 1.3}q${-r} ${r * 0.4} ${-r * 1.9} 0z`,
    '#3c444b',
  ) +
  line(
    `M${x - r * 0.3} ${y - r * 0.6}l${r * 0.1} ${-r * 0.34}M${x} ${y - r * 0.62}l${r * 0.2} ${-r * 0.3}`,
    '#3c444b',
    9,
  ) +
  line(`M${x - r * 0.4} ${y - r * 0.1}q${r * 0.1} ${r * 0.3} 0 ${r * 0.5}`, '#5d676f', 5)

/** A washing machine that stopped with the drum full; water comes out under the door. */
export function washerLeaking(): string {
  return (
    room('#dbe3e4', '#a7b0ae', 470) +
    machine(40) +
    machine(560) +
    oval(400, 536, 170, 12, '#000', 0.14) +
    machine(290, 30) +
    disc(405, 392, 62, '#7fb0cc') +
    shape('M343 388q30-20 62 0t62 0q0 64-62 66q-60-2-62-66z', '#5e93b3') +
    puddle(405, 556, 190, 26) +
    placed(
      452,
      196,
      5,
      box(0, 0, 66, 48, '#f4e39a'),
      box(10, 14, 44, 5, '#c9b765', 2),
      box(10, 27, 30, 5, '#c9b765', 2),
    )
  )
}

function machine(x: number, forward = 0): string {
  return (
    box(x, 180 + forward, 230, 320, paper, 10) +
    box(x, 180 + forward, 230, 62, '#e3e6e6', 10) +
    disc(x + 40, 211 + forward, 15, steel) +
    box(x + 80, 200 + forward, 62, 22, '#49555c', 4) +
    disc(x + 115, 362 + forward, 84, steel) +
    disc(x + 115, 362 + forward, 68, '#55636b') +
    oval(x + 94, 340 + forward, 18, 26, '#ffffff', 0.18) +
    disc(x + 200, 211 + forward, 8, forward ? amber : green)
  )
}
