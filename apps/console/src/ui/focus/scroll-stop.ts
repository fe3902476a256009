/** Makes a box a tab stop while its content overflows, so that the arrow keys scroll it. */
export function scrollStop(box: HTMLElement | null): (() => void) | undefined {
  if (!box) return undefined
  const look = () => {
    const scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1
    if (scrolls) box.tabIndex = 0
    else box.removeAttribute('tabindex')
  }
  const sizes = new ResizeObserver(look)
  const contents = new MutationObserver(look)
  sizes.observe(box)
  for (const child of box.children) sizes.observe(child)
  contents.observe(box, { childList: true, characterData: true, subtree: true })
  // Texts grow when their font has loaded, which no other event reports.
  const { fonts }: { fonts?: FontFaceSet } = document
  fonts?.addEventListener('loadingdone', look)
  look()
  return () => {
    fonts?.removeEventListener('loadingdone', look)
    sizes.disconnect()
    contents.disconnect()
  }
}
