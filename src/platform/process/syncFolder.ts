import { open } from 'node:fs/promises'

/** A new name in the folder survives a power cut only after this. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
