/** For a box that may scroll: a stop of Tab, so that the arrow keys scroll it, while there is more than it shows. */
export function scrollStop(box: HTMLElement | null): (() => void) | undefined {
  if (!box) return undefined
  const look = () => {
    const scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1
    if (scrolls) box.tabIndex = 0
    else box.removeAttribute('tabindex')
  }
  const watch = new ResizeObserver(look)
  watch.observe(box)
  for (const child of box.children) watch.observe(child)
  look()
  return () => watch.disconnect()
}
