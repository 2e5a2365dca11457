import type { House } from '../../house/house.js'
import { endpoints } from '../endpoints.js'

/** Addresses with an id that nothing has; links by email say that they are over instead. */
const addressed = endpoints.filter(({ path }) => path.startsWith('/api/') && /:(?!token)\w+|\{\*/.test(path))

/**
 * Asks each address with an id for something that does not exist. `titles`: the names
 * that programs read of it; `faults`: where it has no name, or is called a page.
 */
export async function askForNothing(house: House) {
  const titles = new Set<string>()
  const faults: string[] = []
  for (const { method, path } of addressed) {
    const address = path.replace(/:\w+|\{\*\w+\}/g, '999999')
    const answer = await house.ask('admin', address, { method, headers: { accept: 'application/json' } })
    if (answer.status !== 404) continue
    const { title, detail } = (await answer.json()) as { title: string; detail: string }
    titles.add(title)
    if (!/^\w.+ not found$/.test(title) || /page/i.test(title + detail))
      faults.push(`${method} ${path}: ${title}`)
  }
  return { titles, faults }
}
