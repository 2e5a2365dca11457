import { type QrCode, qrCode } from '../../adapters/exchange/qr.js'

/** The code that opens the report form, whatever is broken. `origin`: where people reach us. */
export function reportCode(origin: string): QrCode {
  return qrCode(`${origin}/report`)
}
