import type { Locator, Page } from 'playwright-core'

/** How somebody works who has no mouse: Tab to what is wanted, arrows inside of it, Enter. */
export interface Keyboard {
  /** Walks by Tab, forwards or back, and by arrows inside a table, until this has the focus. */
  reach: (target: Locator) => Promise<void>
  /** Walks there and presses Enter. */
  press: (target: Locator) => Promise<void>
  /** Walks there and presses Space: checkboxes, switches. */
  tick: (target: Locator) => Promise<void>
  /** Walks to a field and puts this text in the place of what is there. */
  write: (target: Locator, text: string) => Promise<void>
  /** Walks to a selector, opens it and goes down to the option of this name. */
  choose: (selector: Locator, option: string | RegExp) => Promise<void>
  /** The same in a selector that searches, by typing this name: there may be more of them than it shows. */
  find: (selector: Locator, option: string) => Promise<void>
  /** Opens a menu and goes to the entry of this name. */
  pick: (opener: Locator, entry: string | RegExp) => Promise<void>
}

/** More stops than any screen has. */
const stops = 250

export function keyboardOf(page: Page): Keyboard {
  const reach = async (target: Locator) => {
    // attached, not visible: a radio button may be drawn by its label alone
    await target.waitFor({ state: 'attached' })
    for (let stop = 0; stop < stops; stop += 1) {
      const way = await target.evaluate(wayTo)
      if (way === 'here') return
      await page.keyboard.press(way)
    }
    throw new Error(`no way by keyboard to ${target.toString()}`)
  }
  const press = async (target: Locator) => {
    await reach(target)
    await page.keyboard.press('Enter')
  }
  /** Arrow down until the lit one of a menu or a list bears this name. It lights up a moment after the key. */
  const descend = async (lit: string, name: string | RegExp) => {
    const fits = (text: string) => (typeof name === 'string' ? text === name : name.test(text))
    const now = page.locator(lit).first()
    for (let stop = 0; stop < stops; stop += 1) {
      const text = await now.innerText()
      if (fits(text.trim())) return page.keyboard.press('Enter')
      await page.keyboard.press('ArrowDown')
      await page.waitForFunction(
        ([selector, old]) => document.querySelector<HTMLElement>(selector)?.innerText !== old,
        [lit, text] as const,
      )
    }
    throw new Error(`nothing is called ${String(name)} in ${lit}`)
  }
  /** Chooses in the selector that has just been opened. */
  const chooseIn = async (selector: Locator, option: string | RegExp) => {
    const list = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
    await list.locator('.ant-select-item-option').filter({ hasText: option }).first().waitFor()
    await descend('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option-active', option)
    // the list of one that takes many stays open
    if (await selector.evaluate((field) => field.closest('.ant-select-multiple'))) await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
  }
  return {
    reach,
    press,
    tick: async (target) => {
      await reach(target)
      await page.keyboard.press('Space')
    },
    write: async (target, text) => {
      await reach(target)
      await page.keyboard.press('Control+A')
      await page.keyboard.press('Delete')
      await page.keyboard.insertText(text)
    },
    choose: async (selector, option) => {
      await press(selector)
      await chooseIn(selector, option)
    },
    find: async (selector, option) => {
      await press(selector)
      await page.keyboard.insertText(option)
      await chooseIn(selector, option)
    },
    pick: async (opener, entry) => {
      await press(opener)
      await page.getByRole('menuitem', { name: entry }).first().waitFor()
      await descend('[role=menuitem]:focus', entry)
      await page.locator('.ant-dropdown:not(.ant-dropdown-hidden)').waitFor({ state: 'hidden' })
    },
  }
}

/** The key that brings the focus nearer: Tab between the stops of a page, arrows between those of a table. */
function wayTo(target: Element): 'here' | 'Tab' | 'Shift+Tab' | 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' {
  const now = document.activeElement
  if (!now || now === document.body) return 'Tab'
  if (target === now || target.contains(now)) return 'here'
  const isBehind = (from: Element, to: Element) =>
    Boolean(from.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_PRECEDING)
  const group = target.closest('[data-roving]')
  if (group?.contains(now) && target.getAttribute('tabindex') === '-1') {
    const [row, goal] = [now.closest('tr'), target.closest('tr')]
    if (row && goal && row !== goal) return isBehind(row, goal) ? 'ArrowUp' : 'ArrowDown'
    return isBehind(now, target) ? 'ArrowLeft' : 'ArrowRight'
  }
  return isBehind(now, target) ? 'Shift+Tab' : 'Tab'
}
