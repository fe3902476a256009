import { noBrowser, openBrowser } from '../e2e/browser.ts'
import type { Product } from '../e2e/product.ts'
import { figure, ms, repeat } from './figures.ts'
import { type Page, signIn } from './page.ts'

declare global {
  /** The time at which the table first shows 50 rows, in milliseconds since the page began to load. */
  var shown: Promise<number>
}

/** Watches from within the page, so that the measurement costs the page little. */
const noteRows = () => {
  globalThis.shown = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`no 50 rows at ${location.pathname} within 30 s`)), 30_000)
    const look = () => {
      if (document.querySelectorAll('.g-table tbody tr').length < 50) return void requestAnimationFrame(look)
      // The next frame begins when these rows are on the screen.
      requestAnimationFrame(() => resolve(performance.now()))
    }
    requestAnimationFrame(look)
  })
}

/** Presses the element that the selector finds and waits until other rows are drawn; answers milliseconds. */
const pressed = (page: Page, selector: string): Promise<number> =>
  page.evaluate(async (named) => {
    const rows = () => document.querySelector('.g-table tbody')?.textContent
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
    const before = rows()
    const started = performance.now()
    document.querySelector<HTMLElement>(named)?.click()
    while (rows() === before) await frame()
    await frame()
    return performance.now() - started
  }, selector)

/** The browser's time until 50 pods are on the screen: a page opened by its address, another order, the next page. */
export async function benchScreen({ url }: Product, env: string, count: number): Promise<void> {
  if (noBrowser) return console.log(`on screen: skipped, ${noBrowser}`)
  const browser = await openBrowser()
  try {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    await page.goto('/login')
    await signIn(page)
    await page.waitForURL('**/dashboard')
    const [team] = /\/teams\/\d+/.exec(page.url()) ?? ['']
    await page.addInitScript(noteRows)
    const address = `${team}/resourcemanager/cluster/environments-detail/${env}?tab=pods`
    // One load after the other, as people open pages. The first loads fill the caches of files and of compiled code.
    const open = async () => {
      await page.waitForTimeout(300)
      await page.goto(address)
      return page.evaluate(() => globalThis.shown)
    }
    await repeat(5, open)
    const opened = await repeat(15, open)
    figure(`${count}: on screen, opened by its address`, opened, ms, '< 300 ms')
    const ordered: number[] = []
    // namespace, host, address, age, name
    for (const column of [2, 6, 7, 10, 1]) {
      const button = `.g-table th:nth-child(${column}) button`
      for (let turn = 0; turn < 2; turn++) ordered.push(await pressed(page, button))
    }
    figure(`${count}: on screen, in another order`, ordered, ms, '< 300 ms')
    figure(
      `${count}: on screen, the next page`,
      await repeat(10, () => pressed(page, '.g-pager-numbers button:last-child')),
      ms,
      '< 300 ms',
    )
  } finally {
    await browser.close()
  }
}
