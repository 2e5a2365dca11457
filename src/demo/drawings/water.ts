import {
  amber,
  box,
  dark,
  disc,
  drop,
  green,
  line,
  oval,
  paper,
  puddle,
  red,
  room,
  shape,
  steel,
} from './strokes.js'

/** A pipe along the wall drips at its joint; water stands on the floor. */
export function pipeLeak(): string {
  return (
    room('#dfe3df', '#a9aca4') +
    box(0, 150, 800, 44, '#b7834f') +
    box(0, 156, 800, 8, '#d9a973') +
    box(560, 150, 44, 330, '#b7834f') +
    box(566, 194, 8, 286, '#d9a973') +
    box(310, 136, 92, 72, '#8c6238', 8) +
    [324, 356, 388].map((x) => box(x - 4, 128, 10, 88, '#6f4d2b', 4)).join('') +
    line('M120 120v30M120 194v18M680 120v30M680 194v18', '#7d8890', 12) +
    drop(356, 224, 11) +
    drop(350, 300, 10) +
    drop(358, 396, 9) +
    puddle(350, 530, 230, 40) +
    oval(352, 508, 34, 6, '#dcecf4', 0.9)
  )
}

/** A brown ring on a kitchen ceiling, drops, and a pan on the floor to catch them. */
export function ceilingLeak(): string {
  return (
    room('#e7dcc8', '#b48f68', 500) +
    shape('M0 0h800v96H0z', '#f6f1e6') +
    oval(420, 60, 170, 42, '#c9a873', 0.75) +
    oval(410, 58, 128, 28, '#e4d0a6') +
    oval(430, 60, 60, 15, '#b58e55', 0.6) +
    [
      [400, 120],
      [436, 190],
      [410, 290],
      [428, 390],
    ]
      .map(([x, y]) => drop(x!, y!, 11))
      .join('') +
    kitchen() +
    oval(420, 548, 116, 16, '#000', 0.14) +
    shape('M324 462h192l-16 78q-80 20-160 0z', '#8d979e') +
    oval(420, 462, 96, 18, '#6d777e') +
    oval(420, 465, 84, 13, '#6aa3c4') +
    line('M516 474l96-20', dark, 14)
  )
}

function kitchen(): string {
  return (
    box(40, 140, 190, 150, '#c7d0c0', 4) +
    box(134, 140, 4, 150, '#a9b5a1') +
    box(0, 380, 260, 22, '#8b7355') +
    box(10, 402, 240, 98, '#d8cfbd') +
    box(610, 180, 150, 120, '#bcd6e2', 4) +
    box(682, 180, 6, 120, paper) +
    box(610, 236, 150, 6, paper)
  )
}

/** Two pressure pumps on their plinth; the first has stopped and stands in water. */
export function pumpRoom(): string {
  return (
    room('#d5d9d6', '#9a9d98', 450) +
    line('M0 130H800M230 130V300M560 130V300', '#8a9aa5', 34) +
    line('M0 124H800', '#b4c2cb', 8) +
    box(120, 430, 560, 40, '#7f827d', 4) +
    pump(170, red) +
    pump(500, green) +
    gauge(395, 230, 62, -60) +
    line('M395 292v40h-60', '#8a9aa5', 16) +
    puddle(270, 530, 210, 34)
  )
}

function pump(x: number, lamp: string): string {
  return (
    box(x, 300, 150, 130, '#4f7f9e', 16) +
    [18, 46, 74, 102].map((dx) => box(x + 18, 306 + dx, 114, 10, '#3f6985', 5)).join('') +
    box(x + 30, 270, 60, 40, '#3f6985', 6) +
    disc(x + 128, 318, 10, lamp)
  )
}

/** The boiler's front: its pressure gauge far left of the green, a red lamp lit. */
export function boilerGauge(): string {
  return (
    room('#d9d4cb', '#a29a8e', 520) +
    box(150, 60, 500, 470, '#e9ecec', 22) +
    box(150, 60, 500, 74, '#c3cccf', 22) +
    box(150, 110, 500, 24, '#c3cccf') +
    gauge(400, 300, 132, -96) +
    disc(250, 97, 14, red) +
    disc(250, 97, 26, '#c5523c44') +
    disc(310, 97, 14, '#d9dfe0') +
    disc(370, 97, 14, '#d9dfe0') +
    box(500, 84, 110, 28, '#56646b', 6) +
    line('M516 98h24M552 98h40', amber, 6) +
    line('M240 530v70M320 530v70M480 530v70M560 530v70', '#b7834f', 22)
  )
}

/** A dial whose needle is `turn` degrees from upright; green is where it should be. */
function gauge(x: number, y: number, r: number, turn: number): string {
  const at = (degrees: number, length: number) => {
    const angle = ((degrees - 90) * Math.PI) / 180
    return `${(x + Math.cos(angle) * length).toFixed(1)} ${(y + Math.sin(angle) * length).toFixed(1)}`
  }
  const arc = (from: number, to: number) =>
    `M${at(from, r * 0.74)}A${r * 0.74} ${r * 0.74} 0 0 1 ${at(to, r * 0.74)}`
  const ticks = [-120, -90, -60, -30, 0, 30, 60, 90, 120]
  return (
    disc(x, y, r + r * 0.12, steel) +
    disc(x, y, r, paper) +
    line(arc(-120, -50), red, r * 0.13) +
    line(arc(-30, 50), green, r * 0.13) +
    line(arc(70, 120), amber, r * 0.13) +
    line(ticks.map((tick) => `M${at(tick, r * 0.9)}L${at(tick, r * 0.82)}`).join(''), dark, r * 0.03) +
    line(`M${x} ${y}L${at(turn, r * 0.62)}`, dark, r * 0.07) +
    disc(x, y, r * 0.1, dark)
  )
}
