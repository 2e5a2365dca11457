import { corners, exif, grid, heicFile, tile } from './heicFiles.js'
import type { Sample } from './samples.js'

const four = [2, 3, 4, 5]
const fourTiles = () => [tile(), tile(), tile(), tile()]
const isAlpha: [string, Buffer] = [
  'auxC',
  Buffer.from('\0\0\0\0urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0', 'latin1'),
]

/** HEICs that no camera writes, and what becomes of them. */
export const hostileHeics: Sample[] = [
  [
    'heic that claims 16384 pixels each way',
    'photo_too_many_pixels',
    () => heicFile([corners({ claimed: [16_384, 16_384] })]),
  ],
  ['heic larger than it claims', 'photo_unreadable', () => heicFile([corners({ claimed: [64, 64] })])],
  [
    'heic whose tiles claim 16384 pixels each way',
    'photo_too_many_pixels',
    () =>
      heicFile([grid([2, 2], [128, 128], four), tile({ claimed: [16_384, 16_384] }), tile(), tile(), tile()]),
  ],
  [
    'heic of tiles that claims 60000 pixels each way',
    'photo_too_many_pixels',
    () => heicFile([grid([2, 2], [60_000, 60_000], four), ...fourTiles()]),
  ],
  [
    'heic of tiles that claims 60000 pixels each way where only its decoder looks',
    'photo_unreadable',
    () => heicFile([grid([2, 2], [60_000, 60_000], four, { claimed: [128, 128] }), ...fourTiles()]),
  ],
  [
    'heic that shows one tile 62500 times',
    'photo_unreadable',
    () => heicFile([grid([250, 250], [128, 128], Array<number>(62_500).fill(2)), tile()]),
  ],
  [
    'heic that shows one tile 900 times',
    'photo_unreadable',
    () => heicFile([grid([30, 30], [1920, 1920], Array<number>(900).fill(2)), tile()]),
  ],
  [
    'heic without one of its tiles',
    'photo_unreadable',
    () => heicFile([grid([2, 2], [128, 128], [2, 3, 4, 9]), tile(), tile(), tile()]),
  ],
  [
    'heic of tiles that are itself',
    'photo_unreadable',
    () => heicFile([grid([2, 2], [128, 128], [1, 1, 1, 1])]),
  ],
  [
    'heic whose transparency claims 16384 pixels each way',
    'photo_too_many_pixels',
    () => heicFile([corners(), { ...corners({ claimed: [16_384, 16_384] }), auxiliaryOf: 1 }]),
  ],
  [
    'heic that is its own transparency',
    'photo_unreadable',
    () => heicFile([{ ...corners({ more: [isAlpha] }), auxiliaryOf: 1 }]),
  ],
  [
    'heic of 2000 items',
    'photo_unreadable',
    () => heicFile([corners(), ...Array.from({ length: 2_000 }, () => exif(1))]),
  ],
  [
    'heic that is another item turned',
    'photo_unreadable',
    () => heicFile([{ type: 'iden', data: Buffer.alloc(0), properties: [], tiles: [2] }, corners()]),
  ],
  [
    'heic with a profile that is none',
    'stored',
    () => heicFile([corners({ more: [['colr', Buffer.from('profnonsense')]] })]),
  ],
]
