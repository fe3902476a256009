import type { Check } from '../visit.ts'

/** Every character has a glyph: none is drawn as the box for a missing glyph. */
export const check: Check = ({ page }) =>
  page.evaluate(() => {
    const { context, drawn } = (globalThis.glyphs ??= {
      context: new OffscreenCanvas(24, 24).getContext('2d', { willReadFrequently: true }),
      drawn: new Map<string, string>(),
    })
    if (!context) return ['has no canvas']
    const picture = (character: string, font: string): string => {
      context.clearRect(0, 0, 24, 24)
      context.font = `16px ${font}`
      context.fillText(character, 2, 18)
      return context
        .getImageData(0, 0, 24, 24)
        .data.filter((_, at) => at % 4 === 3)
        .join()
    }
    const look = (character: string, font: string): string => {
      const key = character + font
      const known = drawn.get(key) ?? picture(character, font)
      drawn.set(key, known)
      return known
    }
    const missing = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement, nodeValue } = walker.currentNode
      if (!parentElement?.checkVisibility() || parentElement.closest('script, style')) continue
      const { fontFamily } = getComputedStyle(parentElement)
      for (const character of new Set(nodeValue?.match(/[^\s\u0020-\u00ff]/gu)))
        // an unassigned character is drawn as that box
        if (look(character, fontFamily) === look('\u{10ffff}', fontFamily)) missing.add(character)
    }
    return [...missing].map((character) => `${character} (U+${character.codePointAt(0)?.toString(16)}) is in no font`)
  })

declare global {
  /** Pictures of characters, by character and font. */
  var glyphs: { context: OffscreenCanvasRenderingContext2D | null; drawn: Map<string, string> } | undefined
}
