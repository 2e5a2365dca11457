import { z } from 'zod'
import { passwordLength } from '../../vocabulary/people/password.js'

const lengthOf = (text: string) => [...text].length

/**
 * A new password, unchanged to the character. Whether it is the person's address is checked
 * elsewhere.
 */
export const newPassword = z
  .string({ error: (issue) => (issue.input === undefined ? 'password_short' : 'not_text') })
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'not_storable')
  .refine((text) => lengthOf(text) >= passwordLength.least, 'password_short')
  .refine((text) => lengthOf(text) <= passwordLength.most, 'password_long')
