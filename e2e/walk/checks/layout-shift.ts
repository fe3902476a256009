import type { Page } from 'playwright-core'
import type { Check } from '../visit.ts'

/** Stricter than 0.1, below which Google rates a page as good. */
const limit = 0.05

interface Shift extends PerformanceEntry {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

/** How much has moved on the page since it began to load without input of the user, and which elements. */
export const shiftOf = (page: Page): Promise<{ sum: number; moved: string[] }> =>
  page.evaluate(() => {
    const observer = new PerformanceObserver(() => undefined)
    observer.observe({ type: 'layout-shift', buffered: true })
    const shifts = (observer.takeRecords() as Shift[]).filter(({ hadRecentInput }) => !hadRecentInput)
    observer.disconnect()
    const moved = shifts.flatMap(({ value, sources }) =>
      sources.slice(0, 2).map(({ node, previousRect: { x, y }, currentRect }) => {
        const { nodeName, className } = (node instanceof Element ? node : node?.parentElement) ?? document.body
        return `${value.toFixed(3)} ${nodeName}.${className} from ${x},${y} to ${currentRect.x},${currentRect.y}`
      }),
    )
    return { sum: shifts.reduce((all, { value }) => all + value, 0), moved }
  })

/** Visible elements stay in place while the rest of the page loads. */
export async function shifts(page: Page): Promise<string[]> {
  const { sum, moved } = await shiftOf(page)
  return sum <= limit ? [] : [`moves by ${sum.toFixed(3)}: ${moved.join('; ')}`]
}

export const check: Check = ({ page }) => shifts(page)
