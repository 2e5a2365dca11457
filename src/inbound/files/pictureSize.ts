type Size = { width: number; height: number }

const startsOfFrame = /^[\xc0-\xc3\xc5-\xc7\xc9-\xcb\xcd-\xcf]$/

/**
 * The size that a JPEG, PNG, GIF or WebP claims in its first bytes; null for other files. Nothing
 * is decoded: logos of signatures come in dozens.
 */
export function pictureSize(bytes: Buffer): Size | null {
  const start = bytes.toString('latin1', 0, 16)
  try {
    if (start.startsWith('\x89PNG\r\n\x1a\n')) return sizeAt(bytes, 16, 'readUInt32BE', 4)
    if (/^GIF8[79]a/.test(start)) return sizeAt(bytes, 6, 'readUInt16LE', 2)
    if (/^RIFF.{4}WEBP/s.test(start)) return webpSize(bytes)
    return start.startsWith('\xff\xd8\xff') ? jpegSize(bytes) : null
  } catch (error) {
    // The file ends before it says its size.
    if (error instanceof RangeError) return null
    throw error
  }
}

function sizeAt(bytes: Buffer, at: number, read: 'readUInt32BE' | 'readUInt16LE', step: number): Size {
  return { width: bytes[read](at), height: bytes[read](at + step) }
}

/** Without loss, with loss, or with more than one part. */
function webpSize(bytes: Buffer): Size | null {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind !== 'VP8L') return null
  const packed = bytes.readUInt32LE(21)
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
}

/** Walks the segments to the first that describes pixels. */
function jpegSize(bytes: Buffer): Size | null {
  let at = 2
  while (bytes.readUInt8(at) === 0xff) {
    const marker = String.fromCharCode(bytes.readUInt8(at + 1))
    if (startsOfFrame.test(marker)) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    }
    at += marker === '\xff' ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}
