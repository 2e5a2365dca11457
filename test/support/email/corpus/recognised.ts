import type { ReadEmail, RecognisedEmail } from '../../../../src/inbound/message.js'
import { contractEmail } from '../../../../src/inbound/parse/contractEmail.js'
import { parseWholeEmail } from '../../../../src/inbound/parse/wholeEmail.js'
import { EmailPost, read } from '../../../../src/inbound/read.js'
import { type RecognitionSettings, recognise } from '../../../../src/inbound/recognise.js'

export type Recognised = { email: ReadEmail; recognised: RecognisedEmail }

/** The first two steps alone, without a database; null where there is no sender. */
export async function readAndRecognise(
  bytes: Buffer,
  settings: RecognitionSettings,
): Promise<Recognised | null> {
  const post = EmailPost.safeParse(contractEmail(await parseWholeEmail(new Uint8Array(bytes))))
  if (!post.success) return null
  const [email] = read(post.data)
  return { email, recognised: await recognise(email, settings) }
}
