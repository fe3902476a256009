import type { Page } from 'playwright-core'
import type { Check } from '../visit.ts'

/** Longer than any column: an address that could wrap at its hyphens, dots and the @. */
const long = 'a-colleague.with-a.long-name-n72x7@subsidiary.of-gantry.example.com'

const faultsOf = (page: Page): Promise<string[]> =>
  page.evaluate((text) => {
    const faults = new Set<string>()
    const textsOf = (within: Node): Node[] => {
      const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT)
      const found: Node[] = []
      while (walker.nextNode()) found.push(walker.currentNode)
      return found
    }
    const isBroken = (node: Node): boolean => {
      const range = document.createRange()
      range.selectNodeContents(node)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
    }
    const look = (table: HTMLTableElement, how: string) => {
      const say = (fault: string) => faults.add(`${table.ariaLabel ?? ''}, ${how}: ${fault}`)
      const rows = [...table.tBodies].flatMap((body) => [...body.rows])
      const heights = new Set(rows.map((row) => Math.round(row.getBoundingClientRect().height)))
      if (heights.size > 1 || Math.max(...heights) > 62) say(`rows are ${[...heights].join(', ')} px high`)
      const box = table.parentElement?.getBoundingClientRect()
      for (const row of rows) {
        const [name, last] = [row.querySelector('.g-td-first'), row.querySelector('.g-td-actions')].map((cell) =>
          cell?.getBoundingClientRect(),
        )
        if (!box || !name) continue
        if (name.left < box.left - 1) say('the name of a row is out of sight')
        if (last && last.right > box.right + 1) say('the actions of a row are out of sight')
        if (last && name.right > last.left + 1) say('the name of a row covers its actions')
        const broken = textsOf(row).find((node) => node.parentElement?.checkVisibility() && isBroken(node))
        if (broken) say(`broken: ${broken.nodeValue ?? ''}`)
      }
      for (const mono of table.querySelectorAll('.g-mono'))
        if (!getComputedStyle(mono).fontFeatureSettings.includes('"calt" 0')) say(`ligated: ${mono.textContent}`)
      for (const state of table.querySelectorAll('.g-state')) {
        const { verticalAlign, alignItems } = getComputedStyle(state)
        if (verticalAlign !== 'baseline' || alignItems !== 'baseline') say('a state is beside the baseline')
      }
    }
    for (const table of document.querySelectorAll<HTMLTableElement>('.g-table')) {
      if (!table.checkVisibility() || table.rows.length < 2) continue
      look(table, 'as it is')
      const before = [...(table.tBodies[0]?.rows[0]?.querySelectorAll('.g-cell') ?? [])]
        .flatMap(textsOf)
        .map((node) => [node, node.nodeValue] as const)
      for (const [node] of before) node.nodeValue = text
      look(table, 'with long texts')
      for (const [node, value] of before) node.nodeValue = value
    }
    return [...faults]
  }, long)

/**
 * Every table in every tab: its rows have texts of one or two lines, and one height; no text is broken; name and
 * actions of a row stay visible. Checked as it is, and with a long text in every cell. On a telephone rows are cards.
 */
export const check: Check = async ({ page, who, look }) => {
  if (look.width < 640 || who === 'member') return []
  const faults = await faultsOf(page)
  const tabs = page.locator('main [role=tab][aria-selected=false]')
  const names = who === 'admin' ? await tabs.allInnerTexts() : []
  for (const name of names) {
    await page.getByRole('tab', { name, exact: true }).evaluate((tab: HTMLElement) => tab.click())
    await page.waitForFunction(() => !document.querySelector('.g-skeleton'))
    faults.push(...(await faultsOf(page)))
  }
  return faults
}
