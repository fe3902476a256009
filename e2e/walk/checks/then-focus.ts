import type { Page } from 'playwright-core'
import type { Check } from '../visit.ts'

interface Walk {
  /** The end of the content has been reached. */
  ended: boolean
  /** Stops watching; answers the faults. */
  finish: () => string[]
}

declare global {
  interface Window {
    focusWalk?: Walk
  }
}

/** The most tab stops visited on a screen: all of them, except in the longest forms. */
const most = 60
const keysAtOnce = 10

/**
 * At every tab stop in a screen's content the focus is in the window and visible, and it is never lost. The page
 * watches itself while keys arrive, so that a stop costs one key press. One user walks each screen.
 */
export const check: Check = async ({ name, who, page }) => {
  if (who !== (name.startsWith('sys-') ? 'admin' : 'leader')) return []
  const faults = await walk(page)
  // Late content may have moved the focused element: only faults of a settled screen count.
  return faults.length === 0 ? [] : walk(page)
}

async function walk(page: Page): Promise<string[]> {
  await page.evaluate(watch)
  for (let keys = 0; keys < most; keys += keysAtOnce) {
    for (let key = 0; key < keysAtOnce; key += 1) await page.keyboard.press('Tab')
    if (await page.evaluate(() => window.focusWalk?.ended)) break
  }
  return page.evaluate(() => window.focusWalk?.finish() ?? ['the screen was left by Tab'])
}

/** Runs in the page: puts the start of the walk before the content, and its end after everything. */
function watch(): void {
  const end = document.createElement('button')
  document.body.append(end)
  document.querySelector<HTMLElement>('#content')?.focus()

  const name = (element: Element) => element.outerHTML.replaceAll(/\s+/g, ' ').slice(0, 160)
  /** Elements that may show the focus of an element: itself, its box, the drawing that replaces a radio button. */
  const around = (element: Element): Element[] => {
    const boxes = [element, element.nextElementSibling ?? element]
    for (let at = element.parentElement; at && boxes.length < 6; at = at.parentElement) boxes.push(at)
    return boxes
  }
  const look = (element: Element): string => {
    const { outlineStyle, outlineColor, boxShadow, borderTopColor } = getComputedStyle(element)
    return [outlineStyle === 'none' ? '' : `${outlineStyle} ${outlineColor}`, boxShadow, borderTopColor].join('; ')
  }
  interface Stop {
    element: Element
    boxes: Element[]
    looks: string[]
  }
  const looksAlike = ({ element, boxes, looks }: Stop) =>
    element.isConnected && boxes.every((box, at) => look(box) === looks[at])
  const isInWindow = (element: Element): boolean => {
    // The radio button of a drawn choice has no size; its label has.
    const box = element.getBoundingClientRect().width > 0 ? element : (element.closest('label') ?? element)
    const { left, top, right, bottom, width, height } = box.getBoundingClientRect()
    return width > 0 && height > 0 && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight
  }

  let last: Stop | undefined
  /** Elements that look the same with the focus; a field's box may stay highlighted while its button has the focus. */
  const doubtful: Stop[] = []
  const faults: string[] = []
  let stops = 0
  const walk: Walk = {
    ended: false,
    finish: () => {
      if (last) doubtful.push(last)
      removeEventListener('keyup', arrive)
      end.focus()
      faults.push(...doubtful.filter(looksAlike).map(({ element }) => `shows no focus: ${name(element)}`))
      end.remove()
      return faults
    },
  }
  const arrive = ({ key }: KeyboardEvent) => {
    if (key !== 'Tab' || walk.ended) return
    if (last && looksAlike(last)) doubtful.push(last)
    last = undefined
    const element = document.activeElement
    if (element === end) {
      walk.ended = true
      return
    }
    stops += 1
    if (!element || element === document.body) {
      faults.push(`the focus is lost after ${stops - 1} stops`)
      return
    }
    if (!isInWindow(element)) faults.push(`is not in the window: ${name(element)}`)
    const boxes = around(element)
    last = { element, boxes, looks: boxes.map(look) }
  }
  window.focusWalk = walk
  addEventListener('keyup', arrive)
}
