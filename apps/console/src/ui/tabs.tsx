import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { GoTo, type To } from './link.tsx'
import { useUrlState } from './table/url-state.ts'

export interface Tab {
  key: string
  label: ReactNode
  /** Rendered only while the tab is open. Absent: the page renders the content, by `useTab`. */
  content?: () => ReactNode
}

/** On a narrow screen a bar scrolls, and a link may open a tab beyond its edge. */
function reveal(bar: HTMLElement | null, entry: HTMLElement | null | undefined): void {
  if (!bar || !entry) return
  if (entry.offsetLeft < bar.scrollLeft) bar.scrollLeft = entry.offsetLeft
  bar.scrollLeft = Math.max(bar.scrollLeft, entry.offsetLeft + entry.offsetWidth - bar.clientWidth)
}

interface ScreensProps {
  label: string
  screens: readonly { key: string; label: string; to: To | string }[]
  /** The key of the open screen. */
  current: string
}

/** The screens of one object, each with its own address, side by side like tabs. */
export function Screens({ label, screens, current }: ScreensProps) {
  const bar = useRef<HTMLElement>(null)
  const at = screens.findIndex(({ key }) => key === current)
  useEffect(() => reveal(bar.current, bar.current?.querySelectorAll('a')[at]), [at])
  return (
    <nav className="g-screens" aria-label={label} ref={bar}>
      {screens.map(({ key, label: title, to }) => (
        <GoTo key={key} to={to} current={key === current}>
          {title}
        </GoTo>
      ))}
    </nav>
  )
}

/** Clears a list's state in the address, because another tab's list has other pages and columns. */
const clearedListState = { page: '', keyword: '', sort: '' }

/** The open tab's key, from the address. */
export function useTab(tabs: readonly Tab[], name = 'tab'): [string, (key: string) => void] {
  const first = tabs[0]?.key ?? ''
  const [{ [name]: key = first }, change] = useUrlState<string>({ [name]: first })
  const choose = (next: string) => change({ [name]: next, ...clearedListState })
  return [tabs.some((tab) => tab.key === key) ? key : first, choose]
}

/** Tabs whose selection is in the address, for links. Arrow keys move. A single tab shows no bar. */
export function Tabs({ tabs, name = 'tab' }: { tabs: readonly Tab[]; name?: string }) {
  const id = useId()
  const bar = useRef<HTMLDivElement>(null)
  const [open, choose] = useTab(tabs, name)
  const content = tabs.find((tab) => tab.key === open)?.content
  useEffect(() => reveal(bar.current, document.getElementById(`${id}-${open}`)), [id, open])
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = tabs.findIndex((tab) => tab.key === open)
    const next = (at + step + tabs.length) % tabs.length
    choose(tabs[next]?.key ?? open)
    bar.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  const isAlone = tabs.length === 1
  return (
    <>
      {!isAlone && (
        <div className="g-tabs" role="tablist" ref={bar}>
          {tabs.map((tab) => (
            <button
              key={tab.key}
              type="button"
              role="tab"
              id={`${id}-${tab.key}`}
              aria-selected={tab.key === open}
              {...(content ? { 'aria-controls': `${id}-panel` } : {})}
              tabIndex={tab.key === open ? 0 : -1}
              onClick={() => choose(tab.key)}
              onKeyDown={move}
            >
              {tab.label}
            </button>
          ))}
        </div>
      )}
      {content && (
        <div
          key={open}
          {...(isAlone ? {} : { role: 'tabpanel', id: `${id}-panel`, 'aria-labelledby': `${id}-${open}` })}
        >
          {content()}
        </div>
      )}
    </>
  )
}
