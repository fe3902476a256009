import type { Locator, Page } from 'playwright-core'

/** Operates a page without a mouse: Tab to an element, arrow keys within it, Enter. */
export interface Keyboard {
  /** Moves by Tab, forwards or backwards, and by arrow keys within a table, until this element has the focus. */
  reach: (target: Locator) => Promise<void>
  /** Moves to the element and presses Enter. */
  press: (target: Locator) => Promise<void>
  /** Moves to the element and presses Space: checkboxes, switches. */
  tick: (target: Locator) => Promise<void>
  /** Moves to a field and replaces its content. */
  write: (target: Locator, text: string) => Promise<void>
  /** Moves to a select field, opens it and moves down to the option of this name. */
  choose: (selector: Locator, option: string | RegExp) => Promise<void>
  /** The same in a select field with search, by typing the name: there may be more options than it shows. */
  find: (selector: Locator, option: string) => Promise<void>
  /** Opens a menu and selects the entry of this name. */
  pick: (opener: Locator, entry: string | RegExp) => Promise<void>
}

/** More tab stops than any screen has. */
const stops = 250

export function keyboardOf(page: Page): Keyboard {
  const reach = async (target: Locator) => {
    // attached, not visible: a radio button may be invisible beside its label
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
  /** Presses arrow down until the highlighted item has this name. The highlight follows the key with a delay. */
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
  /** Selects in the select field that has just been opened. */
  const chooseIn = async (selector: Locator, option: string | RegExp) => {
    const list = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
    await list.locator('.ant-select-item-option').filter({ hasText: option }).first().waitFor()
    await descend('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option-active', option)
    // the list of a multiple select stays open
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

/** The key that moves the focus closer: Tab between the stops of a page, arrow keys between those of a table. */
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
