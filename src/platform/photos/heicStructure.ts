/** A part of an ISO media file (ISO/IEC 14496-12): four letters and its bytes. */
type Box = { type: string; body: Buffer }

/** What an item is made of: its kind, the items it is put together from, and its properties. */
type Item = { type: string; tiles: number[]; auxiliary: number[]; properties: Box[] }

/**
 * What a HEIC says of itself, read before a decoder sees it. `pixels`: all that is decoded for the
 * picture, in its tiles and its transparency; `edge`: the longest. `profile`: its ICC profile;
 * `primaries`: its colours by number (ISO/IEC 23091-2), where it has no profile.
 */
export type HeicStructure = {
  pixels: number
  edge: number
  profile: Buffer | null
  primaries: number | null
}

/** Bytes of everything that describes the items; phones write 5,000. */
const mostDescription = 1024 * 1024
/** A phone's 48 megapixels are 200 tiles, with as many again for their brightness. */
const mostItems = 1_000
/** Of a colour profile: those of phones have 600, of printers a million. */
const mostProfile = 1024 * 1024

/** Null for a file that is damaged, uses what no camera writes, or costs far more than its size. */
export function heicStructure(bytes: Buffer): HeicStructure | null {
  try {
    const meta = boxesIn(bytes).find(({ type }) => type === 'meta')
    if (!meta || meta.body.length > mostDescription) return null
    const { primary, items } = itemsIn(boxesIn(meta.body.subarray(4)))
    return structureOf(primary, items)
  } catch (error) {
    // A length that points behind the end.
    if (error instanceof RangeError) return null
    throw error
  }
}

function structureOf(primary: number, items: Map<number, Item>): HeicStructure | null {
  const item = items.get(primary)
  if (!item) return null
  const decoded = [primary, ...item.auxiliary].flatMap((id) => codedItems(id, items))
  const sizes = [item, ...decoded].map((each) => each && sizeOf(each))
  if (decoded.length > mostItems || sizes.some((size) => !size)) return null
  const [whole, ...parts] = sizes as [number, number][]
  const area = ([width, height]: [number, number]) => width * height
  return {
    pixels: Math.max(
      area(whole!),
      parts.map(area).reduce((sum, each) => sum + each, 0),
    ),
    edge: Math.max(...whole!, ...parts.flat()),
    ...coloursOf(item),
  }
}

/**
 * The items whose pixels are coded, once for each time they are shown; undefined for other kinds.
 */
function codedItems(id: number, items: Map<number, Item>): (Item | undefined)[] {
  const item = items.get(id)
  if (item?.type !== 'grid') return [item?.type === 'hvc1' ? item : undefined]
  return item.tiles.map((tile) => {
    const tileItem = items.get(tile)
    return tileItem?.type === 'hvc1' ? tileItem : undefined
  })
}

function sizeOf({ properties }: Item): [number, number] | undefined {
  const size = properties.find(({ type }) => type === 'ispe')?.body
  return size && [size.readUInt32BE(4), size.readUInt32BE(8)]
}

function coloursOf({ properties }: Item): Pick<HeicStructure, 'profile' | 'primaries'> {
  const colours = properties.filter(({ type }) => type === 'colr').map(({ body }) => body)
  const kind = (body: Buffer) => body.toString('latin1', 0, 4)
  const profile = colours.find((body) => ['prof', 'rICC'].includes(kind(body)))?.subarray(4)
  const numbers = colours.find((body) => kind(body) === 'nclx')
  return {
    profile: profile && profile.length <= mostProfile ? profile : null,
    primaries: profile ? null : (numbers?.readUInt16BE(4) ?? null),
  }
}

/** Reads the boxes that name items, say how they belong together, and describe them. */
function itemsIn(boxes: readonly Box[]): { primary: number; items: Map<number, Item> } {
  const body = (type: string) => boxes.find((box) => box.type === type)?.body ?? Buffer.alloc(0)
  const items = new Map<number, Item>()
  for (const { id, type } of itemKinds(body('iinf'))) {
    items.set(id, { type, tiles: [], auxiliary: [], properties: [] })
  }
  for (const { type, from, to } of references(body('iref'))) {
    if (type === 'dimg') items.get(from)?.tiles.push(...to)
    if (type === 'auxl') for (const id of to) items.get(id)?.auxiliary.push(from)
  }
  const described = boxesIn(body('iprp'))
  const properties = boxesIn(described.find(({ type }) => type === 'ipco')?.body ?? Buffer.alloc(0))
  for (const { type, body: list } of described) {
    if (type !== 'ipma') continue
    for (const { id, index } of associations(list)) {
      const property = properties[index - 1]
      if (property) items.get(id)?.properties.push(property)
    }
  }
  const pitm = body('pitm')
  return { primary: pitm[0] === 0 ? pitm.readUInt16BE(4) : pitm.readUInt32BE(4), items }
}

function itemKinds(iinf: Buffer): { id: number; type: string }[] {
  return boxesIn(iinf.subarray(iinf[0] === 0 ? 6 : 8)).map(({ body }) => {
    const isWide = body[0]! >= 3
    const at = isWide ? 10 : 8
    return {
      id: isWide ? body.readUInt32BE(4) : body.readUInt16BE(4),
      type: body.toString('latin1', at, at + 4),
    }
  })
}

function references(iref: Buffer): { type: string; from: number; to: number[] }[] {
  const size = iref[0] === 0 ? 2 : 4
  return boxesIn(iref.subarray(4)).map(({ type, body }) => {
    const count = body.readUInt16BE(size)
    const to = Array.from({ length: count }, (_, i) => body.readUIntBE(size + 2 + i * size, size))
    return { type, from: body.readUIntBE(0, size), to }
  })
}

/** Which property (counted from one) belongs to which item. */
function associations(ipma: Buffer): { id: number; index: number }[] {
  const idSize = ipma[0] === 0 ? 2 : 4
  const indexSize = ipma[3]! & 1 ? 2 : 1
  const pairs: { id: number; index: number }[] = []
  let at = 8
  for (let entries = ipma.readUInt32BE(4); entries > 0; entries -= 1) {
    const id = ipma.readUIntBE(at, idSize)
    const count = ipma.readUInt8(at + idSize)
    at += idSize + 1
    for (let i = 0; i < count; i += 1, at += indexSize) {
      // The highest bit says that a reader must know the property.
      const index = ipma.readUIntBE(at, indexSize) & (indexSize === 2 ? 0x7fff : 0x7f)
      pairs.push({ id, index })
    }
  }
  return pairs
}

/** The boxes in their order. Throws RangeError for one that is longer than what it stands in. */
function boxesIn(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  let at = 0
  while (at + 8 <= bytes.length) {
    const short = bytes.readUInt32BE(at)
    const start = short === 1 ? 16 : 8
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short || bytes.length - at
    if (size < start || at + size > bytes.length) throw new RangeError('a box is cut off')
    boxes.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      body: bytes.subarray(at + start, at + size),
    })
    at += size
  }
  return boxes
}
