/**
 * Colours of a chart's lines: distinguishable with colour blindness (after Okabe and Ito), each 3:1 against its theme's
 * surface. From the ninth line on they repeat, dashed.
 */
const light = ['#0b6470', '#b45309', '#5b4bb7', '#a12c6b', '#3f6f1f', '#1f5fb0', '#8a6a00', '#6b4a3a'] as const
const dark = ['#56c4cf', '#f0a350', '#a99cf5', '#ee86b7', '#93c965', '#84b2ff', '#e2c64f', '#cda48f'] as const

export const lineColour = (at: number, isDark: boolean): string => {
  const colours = isDark ? dark : light
  return colours[at % colours.length] ?? colours[0]
}

export const lineDash = (at: number): 'solid' | 'dashed' | 'dotted' =>
  at < light.length ? 'solid' : at < light.length * 2 ? 'dashed' : 'dotted'
