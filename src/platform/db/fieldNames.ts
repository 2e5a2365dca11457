/** The column of a field: `created_at` of `createdAt`. */
export const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The field of a column: `createdAt` of `created_at`. */
export const fieldOf = (column: string) =>
  column.replace(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase())
