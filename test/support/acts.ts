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
  const field = async (target: Locator, answer: () => Promise<unknown>) => {
    await reach(target)
    counts.fields++
    await answer()
  }
  return {
    async tap(target: Locator): Promise<void> {
      await reach(target)
      counts.taps++
      await target.click()
    },
    fill: (target: Locator, text: string) => field(target, () => target.fill(text)),
    choose: (target: Locator, option: string) => field(target, () => target.selectOption(option)),
    attach: (target: Locator, file: Parameters<Locator['setInputFiles']>[0]) =>
      field(target, () => target.setInputFiles(file)),
    /** The key that sends what is typed, or goes to the next stop. */
    async press(key: string): Promise<void> {
      counts.taps++
      await page.keyboard.press(key)
    },
    counts,
    total: () => counts.taps + counts.fields + counts.scrolls,
    /** How many screens high the page is. */
    screens: () => page.evaluate<number>('document.documentElement.scrollHeight / innerHeight'),
  }
}
