import { decodeWords } from '../../vocabulary/email/encodedWords.js'
import { isSameAddress, readMailbox } from '../../vocabulary/email/mailbox.js'
import { cleanLine, cut } from '../../vocabulary/plainText.js'
import type { EmailHeaders, EmailSender } from '../message.js'

/**
 * The sender that `from` and the email's own From header name, both read by one parser. Neither an
 * address nor a name where they differ, where there is a second From header, or where one of them
 * is anything but one mailbox (decision 9.3): the mail server may have proven another of them.
 */
export function readSender(from: string, headers: EmailHeaders | null): EmailSender {
  const written = headers?.get('from') ?? []
  const [mailbox, header = mailbox] = [from, ...written].map(readMailbox)
  const isOne = written.length <= 1 && mailbox && header && isSameAddress(mailbox.address, header.address)
  if (!isOne) return { address: null, name: null }
  return { address: header.address, name: displayName(mailbox.name) ?? displayName(header.name) }
}

/** A public display name; null when it is empty or has an address in it (decision 2.10). */
function displayName(name: string): string | null {
  const plain = cleanLine(decodeWords(cleanLine(name)).replace(/[<>"]/g, ''))
  return plain === '' || plain.normalize('NFKC').includes('@') ? null : cut(plain, 100)
}
