import { Fault } from '../../../kernel/fault.ts'

/** The measured lines of a file, and whether a test has run each. */
export type Lines = Map<number, boolean>

/** Masks the name of a file before it is stored. */
export type Mask = (text: string) => string

/** No real code base has more files in a report. */
const maxFiles = 20_000
/** Per file; further lines are not counted. */
const maxLines = 100_000
const lastLine = 10_000_000
const longestName = 1000

/** Collects the records of a report: a line is covered if any record says so. */
export function measured(mask: Mask) {
  const files = new Map<string, Lines>()
  return {
    files,
    /** The lines of a file, including those of earlier records; undefined if the name cannot be a path. */
    open(name: string): Lines | undefined {
      const file = mask(name)
        .trim()
        .replaceAll('\\', '/')
        .replace(/^(\.\/)+/, '')
        .toWellFormed()
      if (file === '' || file.length > longestName || /\p{Cc}/u.test(file)) return undefined
      const known = files.get(file)
      if (known) return known
      if (files.size >= maxFiles) throw new Fault('invalid', 'coverage-too-many-files', { most: maxFiles })
      const lines: Lines = new Map()
      files.set(file, lines)
      return lines
    },
    note(lines: Lines, line: number, hits: number): void {
      if (!Number.isInteger(line) || line < 1 || line > lastLine) return
      const known = lines.get(line)
      if (known === undefined && lines.size >= maxLines) return
      lines.set(line, known === true || hits > 0)
    },
  }
}

/** The lines with this outcome in PostgreSQL's notation of a multirange: `{[1,4),[9,10)}`. */
export function rangesOf(lines: Lines, hit: boolean): string {
  const numbers = [...lines].flatMap(([line, ran]) => (ran === hit ? [line] : [])).sort((a, b) => a - b)
  const ranges: [from: number, to: number][] = []
  for (const line of numbers) {
    const last = ranges.at(-1)
    if (last && last[1] === line) last[1] = line + 1
    else ranges.push([line, line + 1])
  }
  return `{${ranges.map(([from, to]) => `[${from},${to})`).join(',')}}`
}
