import { sample } from './samples.js'

/** A property of an item: its four letters, and its bytes. */
type Property = [type: string, body: Buffer]

/** An item of a HEIC: `tiles` and `auxiliaryOf` are places in the list of items, from one. */
type Item = {
  type: 'hvc1' | 'grid' | 'iden' | 'Exif'
  data: Buffer
  properties: Property[]
  tiles?: number[]
  auxiliaryOf?: number
}

const u8 = (...values: number[]) => Buffer.from(values)
const u16 = (...values: number[]) =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(2)
      bytes.writeUInt16BE(value)
      return bytes
    }),
  )
const u32 = (...values: number[]) =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(value)
      return bytes
    }),
  )
const letters = (text: string) => Buffer.from(text, 'latin1')

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length + 8), letters(type), body])
}

/**
 * A picture of corners (red, green, blue, light grey), coded by heif-enc: 120 ×
 * 80, or a tile of 64 × 64.
 */
function coded(name: 'plain-heic' | 'tile-heic'): { data: Buffer; decoder: Property } {
  const file = sample(name)
  const at = file.indexOf('hvcC')
  const decoder = file.subarray(at + 4, at - 4 + file.readUInt32BE(at - 4))
  return { data: file.subarray(file.indexOf('mdat') + 4), decoder: ['hvcC', decoder] }
}

export const size = (width: number, height: number): Property => ['ispe', u32(0, width, height)]
/** Quarter turns against the clock. */
export const turned = (quarters: number): Property => ['irot', u8(quarters)]
/** What was left is right, or what was above is below. */
export const mirrored = (how: 'left and right' | 'above and below'): Property => [
  'imir',
  u8(how === 'left and right' ? 1 : 0),
]
export const ofDisplayP3: Property = ['colr', Buffer.concat([letters('nclx'), u16(12, 13, 6), u8(0x80)])]
export const withProfile = (profile: Buffer): Property => ['colr', Buffer.concat([letters('prof'), profile])]

/** The picture of corners as an item, with more properties; `claimed`: the size it claims. */
export function corners({ claimed = [120, 80], more = [] as Property[] } = {}): Item {
  const { data, decoder } = coded('plain-heic')
  return { type: 'hvc1', data, properties: [decoder, size(claimed[0]!, claimed[1]!), ...more] }
}

export function tile({ claimed = [64, 64] } = {}): Item {
  const { data, decoder } = coded('tile-heic')
  return { type: 'hvc1', data, properties: [decoder, size(claimed[0]!, claimed[1]!)] }
}

/** A picture put together from tiles, as phones write it. */
export function grid(
  [columns, rows]: [number, number],
  [width, height]: [number, number],
  tiles: number[],
  { claimed = [width, height], more = [] as Property[] } = {},
): Item {
  const data = Buffer.concat([u8(0, 1, rows - 1, columns - 1), u32(width, height)])
  return { type: 'grid', data, tiles, properties: [size(claimed[0]!, claimed[1]!), ...more] }
}

/** Exif that claims an orientation, as phones write it beside 'irot'. */
export function exif(orientation: number): Item {
  const tiff = Buffer.concat([
    letters('MM\0*'),
    u32(8),
    u16(1, 0x0112, 3),
    u32(1),
    u16(orientation, 0),
    u32(0),
  ])
  return { type: 'Exif', data: Buffer.concat([u32(6), letters('Exif\0\0'), tiff]), properties: [] }
}

/** A HEIC of these items; the first one is its picture. */
export function heicFile(items: Item[]): Buffer {
  // Items share what they have in common, as in files of phones.
  const boxOf = ([type, body]: Property) => box(type, body)
  const different = new Map(
    items.flatMap((item) => item.properties.map((each) => [boxOf(each).toString('hex'), boxOf(each)])),
  )
  const order = [...different.keys()]
  const associations = items.map((item, i) => {
    // Counted from one; the highest bit says that a reader must know it.
    const indexes = item.properties.map((each) => 0x8001 + order.indexOf(boxOf(each).toString('hex')))
    return Buffer.concat([u16(i + 1), u8(indexes.length), u16(...indexes)])
  })
  const references = items.flatMap(({ tiles, auxiliaryOf }, i) => [
    ...(tiles ? [box('dimg', u16(i + 1, tiles.length, ...tiles))] : []),
    ...(auxiliaryOf ? [box('auxl', u16(i + 1, 1, auxiliaryOf))] : []),
  ])
  const start = box('ftyp', letters('heic'), u32(0), letters('mif1heic'))
  const described = (first: number) => {
    let at = first
    const places = items.map(({ data }, i) => {
      const place = Buffer.concat([u16(i + 1, 0, 1), u32(at, data.length)])
      at += data.length
      return place
    })
    return box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), letters('pict'), Buffer.alloc(13)),
      box('pitm', u32(0), u16(1)),
      box('iloc', u32(0), u8(0x44, 0), u16(items.length), ...places),
      box(
        'iinf',
        u32(0),
        u16(items.length),
        ...items.map(({ type }, i) =>
          box('infe', u8(2, 0, 0, i === 0 ? 0 : 1), u16(i + 1, 0), letters(type), u8(0)),
        ),
      ),
      ...(references.length > 0 ? [box('iref', u32(0), ...references)] : []),
      box(
        'iprp',
        box('ipco', ...different.values()),
        box('ipma', u32(1), u32(items.length), ...associations),
      ),
    )
  }
  const first = start.length + described(0).length + 8
  return Buffer.concat([start, described(first), box('mdat', ...items.map(({ data }) => data))])
}
