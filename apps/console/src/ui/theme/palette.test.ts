import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dark, light, type Palette } from './palette.ts'

const css = await readFile(join(import.meta.dirname, '../tokens.css'), 'utf8')
const variable = (name: string): string =>
  `--g-${name.replace(/\d/, '-$&').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** The contrast of two colours, by WCAG's formula. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string): number => {
    const [r = 0, g = 0, blue = 0] = [1, 3, 5].map((at) => {
      const value = parseInt(colour.slice(at, at + 2), 16) / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue
  }
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

test('the manual has the colours of the console', async () => {
  const manual = await readFile(join(import.meta.dirname, '../../../../../docs/manual/manual.css'), 'utf8')
  const [first = '', second = ''] = [...manual.matchAll(/:root \{[^}]*\}/g)].map(([block]) => block)
  for (const [block, palette] of [
    [first, light],
    [second, dark],
  ] as const)
    for (const [, name, colour] of block.matchAll(/(--g-[\w-]+): (#\w+);/g))
      expect([name, colour]).toEqual([name, Object.entries(palette).find(([key]) => variable(key) === name)?.[1]])
})

describe.each([
  ['light', light, ':root {'],
  ['dark', dark, "[data-theme='dark'] {"],
  ['dark by the system', dark, ':root:not([data-theme]) {'],
])('the %s palette', (_name, palette, selector) => {
  test('the palette equals tokens.css', () => {
    const block = css.slice(css.indexOf(selector)).split('}')[0] ?? ''
    const stated = Object.fromEntries(
      Object.keys(palette).map((name) => [name, new RegExp(`${variable(name)}: (#\\w+);`).exec(block)?.[1]]),
    )
    expect(stated).toEqual(palette)
  })

  test('every text colour reaches AA on every surface', () => {
    const surfaces: (keyof Palette)[] = ['bg', 'surface', 'raised', 'sunken']
    const texts: (keyof Palette)[] = ['text', 'text2', 'text3', 'accent', 'ok', 'warn', 'bad', 'info', 'idle']
    const pairs = [
      ...texts.flatMap((text) => surfaces.map((surface): [keyof Palette, keyof Palette] => [text, surface])),
      ...(['ok', 'warn', 'bad', 'info', 'idle', 'accent'] as const).map((tone): [keyof Palette, keyof Palette] => [
        tone,
        `${tone}Soft`,
      ]),
      ['onAccent', 'accent'] as [keyof Palette, keyof Palette],
      ['onAccent', 'accentHover'] as [keyof Palette, keyof Palette],
      ['text2', 'accentSoft'] as [keyof Palette, keyof Palette],
    ]
    const low = pairs.filter(([text, surface]) => contrast(palette[text], palette[surface]) < 4.5)
    expect(low).toEqual([])
  })
})
