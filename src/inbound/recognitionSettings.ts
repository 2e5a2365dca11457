import { Property } from '../building/building.js'
import { config } from '../platform/process/config.js'
import { texts } from '../text/index.js'
import { messageKey } from '../vocabulary/email/messageName.js'
import { emailHostOf, ownAddress } from '../vocabulary/email/ownEmail.js'
import { readSender } from './parse/sender.js'
import type { RecognitionSettings } from './recognise.js'
import { storedTexts } from './storedTexts.js'

/** How we recognise our own emails, by the settings and the building of this moment. */
export async function recognitionSettings(): Promise<RecognitionSettings> {
  const property = await Property.current()
  const { from, inboundAddress, authserv } = config.email
  const addresses = inboundAddress ? [from, inboundAddress] : [from]
  const catalogues = Object.values(texts)
  return {
    addresses,
    host: emailHostOf(config.publicUrl, from),
    key: messageKey(config.sessionSecret),
    quoteMarks: {
      writeAbove: catalogues.map(({ emails }) => emails.writeAbove),
      closing: [property.name, property.address].filter(Boolean).join(', '),
      names: [
        ...addresses.flatMap((address) => [ownAddress(address), readSender(address, null).name]),
        property.name,
      ]
        .filter((name) => name !== null)
        .map((name) => name.toLowerCase()),
    },
    authserv,
    locales: Object.keys(texts),
    storedTexts,
  }
}
