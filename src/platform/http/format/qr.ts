/** One SVG path: black squares of one unit on a white one of `size` units, with the quiet zone. */
export type QrCode = { size: number; path: string }

/** Modules kept white around the code: with fewer, cameras miss it (ISO/IEC 18004). */
const quietZone = 4

/** The QR code of a text; readable with a quarter of it scratched or covered (level Q). */
export async function qrCode(text: string): Promise<QrCode> {
  const { default: QRCode } = await import('qrcode')
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'Q' })
  const rows = Array.from({ length: modules.size }, (_, y) =>
    Array.from({ length: modules.size }, (_, x) => (modules.get(y, x) ? '1' : '0')).join(''),
  )
  return { size: modules.size + 2 * quietZone, path: rows.map(rowPath).join('') }
}

/** One rectangle per run of dark modules: single squares would show hairlines in print. */
function rowPath(row: string, y: number): string {
  return [...row.matchAll(/1+/g)]
    .map(({ index, 0: run }) => {
      const width = run.length
      return `M${index + quietZone} ${y + quietZone}h${width}v1h-${width}z`
    })
    .join('')
}
