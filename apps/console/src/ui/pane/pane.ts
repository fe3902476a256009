import { useEffect, type RefObject } from 'react'

/**
 * Keeps a pane within the window: where the screen is higher than that, it opens scrolled to the pane, and stays there
 * while something above grows, until the user scrolls the pane's end away. A pane that is not `main` only keeps its size.
 */
export function usePane(pane: RefObject<HTMLElement | null>, main = true): void {
  useEffect(() => {
    const element = pane.current
    const screen = element?.closest('main')
    const sheet = screen?.parentElement
    if (!main || !element || !screen || !sheet) return undefined
    let stays = true
    const onScroll = () => {
      stays = element.getBoundingClientRect().bottom <= sheet.getBoundingClientRect().bottom + 1
    }
    const watcher = new ResizeObserver(() => {
      if (stays) element.scrollIntoView({ block: 'nearest' })
    })
    watcher.observe(screen)
    sheet.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      watcher.disconnect()
      sheet.removeEventListener('scroll', onScroll)
    }
  }, [pane, main])
}
