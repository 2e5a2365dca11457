import type { Locator, Page } from 'playwright-core'

/** Counts what a person does on a page: taps, fields, and scrolls of three quarters of a screen. */
export function actsOn(page: Page) {
  const counts = { taps: 0, fields: 0, scrolls: 0 }
  const reach = async (target: Locator) => {
    await target.waitFor()
    const { y, height } = (await target.boundingBox())!
    const screen = page.viewportSize()!.height
    const distance = Math.max(0, -y, y + height - screen)
    counts.scrolls += Math.ceil(distance / (0.75 * screen))
  }
  return {
    async tap(target: Locator): Promise<void> {
      await reach(target)
      counts.taps++
      await target.click()
    },
    async fill(target: Locator, text: string): Promise<void> {
      await reach(target)
      counts.fields++
      await target.fill(text)
    },
    counts,
    total: () => counts.taps + counts.fields + counts.scrolls,
    /** How many screens high the page is. */
    screens: () => page.evaluate<number>('document.documentElement.scrollHeight / innerHeight'),
  }
}
