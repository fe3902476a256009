/**
 * The product's colours: one calm surface, one accent (harbour petrol), other colours for status only. antd computes
 * with these; tokens.css repeats them for our own styles (a test compares the two). Every text colour reaches AA on
 * every surface of its theme.
 */
export interface Palette {
  bg: string
  surface: string
  raised: string
  sunken: string
  line: string
  lineStrong: string
  text: string
  text2: string
  text3: string
  accent: string
  accentHover: string
  accentSoft: string
  onAccent: string
  ok: string
  okSoft: string
  warn: string
  warnSoft: string
  bad: string
  badSoft: string
  info: string
  infoSoft: string
  idle: string
  idleSoft: string
}

export const light: Palette = {
  bg: '#f3f5f4',
  surface: '#ffffff',
  raised: '#ffffff',
  sunken: '#f7f9f8',
  line: '#e1e6e5',
  lineStrong: '#c5cecc',
  text: '#12201f',
  text2: '#465452',
  text3: '#5f6d6b',
  accent: '#0b6470',
  accentHover: '#08525c',
  accentSoft: '#e2f0f1',
  onAccent: '#ffffff',
  ok: '#17703f',
  okSoft: '#e3f3e9',
  warn: '#8a5300',
  warnSoft: '#fbf0dc',
  bad: '#b3261e',
  badSoft: '#fce9e7',
  info: '#2458b8',
  infoSoft: '#e6edfb',
  idle: '#566361',
  idleSoft: '#ecf0ef',
}

export const dark: Palette = {
  bg: '#0b1011',
  surface: '#12191a',
  raised: '#182122',
  sunken: '#0e1516',
  line: '#222d2e',
  lineStrong: '#37464a',
  text: '#e6eceb',
  text2: '#aab8b6',
  text3: '#8d9c9a',
  accent: '#56c4cf',
  accentHover: '#7ad4dd',
  accentSoft: '#12323a',
  onAccent: '#04262b',
  ok: '#5cc98a',
  okSoft: '#112c1e',
  warn: '#e3ab4a',
  warnSoft: '#30240f',
  bad: '#f28b82',
  badSoft: '#391a19',
  info: '#8fb4ff',
  infoSoft: '#172544',
  idle: '#a0aeac',
  idleSoft: '#1d2728',
}
