/** Whether a text an operator typed can be somebody's mail address. */
export const isMailAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)
