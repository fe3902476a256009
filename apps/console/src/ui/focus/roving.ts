/** Tab stops except fields: a row's links, buttons and checkboxes. */
const stops = 'a[href], button:not(:disabled), input[type=checkbox]:not(:disabled), summary'

/** The visible stops in a part of the page, because a narrow window hides columns. */
const stopsIn = (part: Element): HTMLElement[] =>
  [...part.querySelectorAll<HTMLElement>(stops)].filter((stop) => stop.checkVisibility())

const groups = new WeakMap<Element, () => HTMLElement | undefined>()

/** The one tab stop of a group, with its present rows. */
export const stopOf = (group: Element): HTMLElement | undefined => groups.get(group)?.()

const keys = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'])

/**
 * Makes the head or the body of a table, or a bar of buttons, a single tab stop. Within it the arrow keys move: up and
 * down between rows, at the same position; left and right in a row; Home and End to the first and last row. Fields keep
 * their arrow keys, and are separate tab stops. A ref for the group.
 */
export function roving(group: HTMLElement | null): (() => void) | undefined {
  if (!group) return undefined
  let current: HTMLElement | undefined
  /** The position of `current`; if that is removed, the element at the position replaces it. */
  let place = { row: 0, column: 0 }

  const parts = () => (group instanceof HTMLTableSectionElement ? [...group.querySelectorAll('tr')] : [group])
  const rows = () =>
    parts()
      .map(stopsIn)
      .filter((row) => row.length > 0)
  const near = <T>(list: readonly T[], at: number): T | undefined => list[Math.max(0, Math.min(at, list.length - 1))]

  const settle = () => {
    const all = rows()
    if (!current?.isConnected || !all.some((row) => current && row.includes(current)))
      current = near(near(all, place.row) ?? [], place.column)
    for (const [row, stops] of all.entries())
      for (const [column, stop] of stops.entries()) {
        stop.tabIndex = stop === current ? 0 : -1
        if (stop === current) place = { row, column }
      }
  }

  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || !stopsIn(group).includes(target)) return
    current = target
    settle()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== current || !keys.has(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
    const all = rows()
    const { row, column } = place
    const last = Number.MAX_SAFE_INTEGER
    const next = {
      ArrowUp: () => near(near(all, row - 1) ?? [], column),
      ArrowDown: () => near(near(all, row + 1) ?? [], column),
      ArrowLeft: () => near(all[row] ?? [], column - 1),
      ArrowRight: () => near(all[row] ?? [], column + 1),
      Home: () => near(all[0] ?? [], column),
      End: () => near(near(all, last) ?? [], column),
    }[event.key]
    event.preventDefault()
    next?.()?.focus()
  }

  group.dataset['roving'] = ''
  groups.set(group, () => {
    settle()
    return current
  })
  settle()
  const watch = new MutationObserver(settle)
  watch.observe(group, { childList: true, subtree: true, attributeFilter: ['disabled', 'href'] })
  addEventListener('resize', settle)
  group.addEventListener('focusin', onFocus)
  group.addEventListener('keydown', onKey)
  return () => {
    watch.disconnect()
    removeEventListener('resize', settle)
    group.removeEventListener('focusin', onFocus)
    group.removeEventListener('keydown', onKey)
  }
}
