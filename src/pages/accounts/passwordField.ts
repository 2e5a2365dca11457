import { z } from 'zod'
import { passwordLength } from '../../domain/accounts/password.js'

const lengthOf = (text: string) => [...text].length

/** A new password, to the character as given; that it is not the person's address is looked at where that is known. */
export const newPassword = z
  .string({ error: (issue) => (issue.input === undefined ? 'password_short' : 'not_text') })
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'not_storable')
  .refine((text) => lengthOf(text) >= passwordLength.least, 'password_short')
  .refine((text) => lengthOf(text) <= passwordLength.most, 'password_long')
