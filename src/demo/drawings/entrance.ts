import { amber, box, dark, disc, line, oval, paper, placed, red, shape, steel } from './strokes.js'

/** The top of the entrance door: the arm of its closer hangs down. */
export function doorCloserBroken(): string {
  return entranceDoor(
    placed(430, 176, 62, box(-8, -8, 190, 16, '#7d8890', 8), disc(0, 0, 14, dark)) +
      line('M588 92v10M598 92v10', dark, 6),
  )
}

/** The same door with its new closer, the arm where it belongs. */
export function doorCloserFitted(): string {
  return entranceDoor(
    line('M430 176L540 128L592 104', '#7d8890', 16) + disc(430, 176, 14, dark) + disc(540, 128, 10, dark),
  )
}

function entranceDoor(arm: string): string {
  return (
    box(0, 0, 800, 600, '#d9d0c0') +
    box(120, 60, 560, 540, '#5f4b3a') +
    box(150, 100, 500, 500, '#7a2f2f') +
    box(190, 250, 190, 350, '#bcd6e2') +
    box(420, 250, 190, 350, '#b2cedb') +
    shape('M190 250h120L190 470z', '#ffffff', 0.35) +
    shape('M420 250h120L420 470z', '#ffffff', 0.35) +
    box(300, 150, 190, 60, steel, 10) +
    box(312, 160, 166, 10, '#ffffff55', 5) +
    box(560, 78, 70, 26, steel, 4) +
    arm
  )
}

/** The panel beside the door: dark display, two buttons pushed in, tape over a third. */
export function doorPanel(): string {
  const rows = [0, 1, 2, 3, 4].flatMap((row) => [0, 1].map((column) => ({ row, column })))
  return (
    bricks() +
    box(262, 42, 290, 520, '#00000022', 16) +
    box(254, 34, 290, 520, '#c3cacd', 16) +
    box(254, 34, 290, 14, '#ffffff66', 7) +
    box(290, 70, 218, 96, '#1f272c', 8) +
    line('M330 88l44 30-18 16 50 26', '#9fb2bd', 3) +
    line('M356 118l-34 26M374 118l60-14', '#9fb2bd', 2) +
    rows
      .map(({ row, column }) => bell(300 + column * 110, 196 + row * 54, row === 2 && column === 1))
      .join('') +
    [0, 1, 2].map((n) => disc(366 + n * 34, 500, 7, '#7d8890')).join('') +
    placed(286, 318, -8, box(0, 0, 118, 26, '#e9d9a8'))
  )
}

const bell = (x: number, y: number, pressed: boolean) =>
  box(x, y, 58, 34, paper, 4) +
  disc(x + 78, y + 17, 14, pressed ? '#6f7a80' : '#8f9aa0') +
  box(x + 8, y + 13, 36, 6, '#c8c2b4', 3)

function bricks(): string {
  const courses = Array.from({ length: 13 }, (_, row) => row)
  const joints = courses.map((row) => `M0 ${row * 48}h800${vertical(row)}`).join('')
  return box(0, 0, 800, 600, '#b9785c') + line(joints, '#cf9c85', 5)
}

const vertical = (row: number) =>
  Array.from({ length: 9 }, (_, i) => `M${i * 100 + (row % 2) * 50} ${row * 48}v48`).join('')

/** The roller gate of the car park, stopped half way; a car waits behind it. */
export function gateHalfOpen(): string {
  return (
    box(0, 0, 800, 600, '#cfd2cd') +
    box(110, 90, 580, 410, '#4b5357') +
    shape('M110 500h580l110 100H0z', '#8b8e89') +
    shape('M392 500h16l6 100h-28z', '#d8d2bd') +
    car() +
    Array.from({ length: 8 }, (_, i) => box(110, 90 + i * 26, 580, 24, i % 2 ? '#98a3a9' : steel)).join('') +
    box(110, 296, 580, 14, amber) +
    Array.from({ length: 10 }, (_, i) => shape(`M${122 + i * 58} 310l14-14h16l-14 14z`, dark)).join('') +
    box(70, 60, 40, 440, '#a9ada7') +
    box(690, 60, 40, 440, '#a9ada7') +
    box(70, 50, 660, 40, '#a9ada7') +
    disc(710, 200, 14, red) +
    disc(710, 236, 14, '#5d6a5b') +
    box(694, 180, 32, 76, '#00000018', 8)
  )
}

function car(): string {
  return (
    oval(400, 486, 160, 14, '#000', 0.3) +
    shape('M268 470v-70q0-26 30-34l34-56q8-12 28-12h80q20 0 28 12l34 56q30 8 30 34v70z', '#4f7f9e') +
    shape('M344 362l22-44q4-8 16-8h36q12 0 16 8l22 44z', '#d5e5ec') +
    box(282, 458, 44, 34, dark, 8) +
    box(474, 458, 44, 34, dark, 8) +
    disc(304, 408, 17, '#fbe9b5') +
    disc(496, 408, 17, '#fbe9b5') +
    box(350, 420, 100, 20, '#35586f', 6) +
    box(370, 446, 60, 14, paper, 2) +
    oval(304, 408, 40, 30, '#fbe9b5', 0.25) +
    oval(496, 408, 40, 30, '#fbe9b5', 0.25)
  )
}
