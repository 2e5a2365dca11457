import {
  amber,
  box,
  dark,
  disc,
  line,
  oval,
  paper,
  placed,
  red,
  room,
  shape,
  steel,
  word,
} from './strokes.js'

/** Closed lift doors with a sheet taped to them. */
export function liftOutOfOrder(): string {
  return (
    landing() +
    box(270, 108, 126, 372, steel) +
    box(400, 108, 126, 372, '#a3aeb6') +
    brushed(270) +
    brushed(400) +
    box(396, 108, 4, 372, dark) +
    display('M386 66h24') +
    notice()
  )
}

/** Doors stuck a hand's breadth open, one of them off its track; a cone in front. */
export function liftDoorsAjar(): string {
  return (
    landing() +
    box(270, 108, 256, 372, '#5a4f42') +
    shape('M330 108h140l-20 372H350z', '#f3dfae') +
    box(330, 300, 140, 8, '#b08f58') +
    box(270, 108, 84, 372, steel) +
    brushed(262) +
    placed(452, 108, 2.4, box(0, -4, 92, 380, '#a3aeb6'), box(0, -4, 5, 380, dark)) +
    box(526, 70, 26, 410, '#7d8890') +
    display('M386 58l24 18M410 58l-24 18') +
    cone(404, 560)
  )
}

function landing(): string {
  return (
    room('#e8e0d2', '#b9a88f') +
    oval(400, 492, 210, 12, '#000', 0.12) +
    box(244, 34, 308, 446, '#7d8890', 6) +
    box(270, 40, 256, 60, '#5d6870') +
    box(610, 240, 56, 120, '#8b969d', 8) +
    shape('M638 262l14 20h-28z', paper) +
    shape('M638 338l14-20h-28z', amber) +
    box(90, 150, 90, 120, '#c9d3c4', 4) +
    shape('M90 250l30-42 22 26 16-16 22 32v20H90z', '#8fa88a')
  )
}

const brushed = (x: number) => [26, 58, 92].map((dx) => box(x + dx, 116, 3, 356, '#ffffff33')).join('')

const display = (d: string) => box(362, 48, 72, 36, '#20282e', 4) + line(d, red, 6)

function notice(): string {
  return placed(
    304,
    196,
    -2,
    box(4, 6, 190, 150, '#00000022'),
    box(0, 0, 190, 150, paper, 2),
    box(-12, -8, 40, 14, '#e9d9a8'),
    box(164, -8, 40, 14, '#e9d9a8'),
    word('OUT OF', 38, 24, 1.35, red),
    word('ORDER', 42, 62, 1.5, red),
    ...[108, 124].map((y) => box(30, y, y === 108 ? 130 : 90, 5, '#c8c2b4', 2)),
  )
}

function cone(x: number, y: number): string {
  return (
    oval(x, y, 74, 12, '#000', 0.16) +
    box(x - 62, y - 16, 124, 14, '#b8462f', 5) +
    shape(`M${x - 44} ${y - 16}L${x - 10} ${y - 130}h20L${x + 44} ${y - 16}z`, '#d9613f') +
    shape(`M${x - 32} ${y - 56}h64l-8-27h-48z`, paper) +
    disc(x, y - 128, 10, '#d9613f')
  )
}
