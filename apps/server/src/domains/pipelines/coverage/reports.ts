import { SaxesParser } from 'saxes'
import { Fault } from '../../../kernel/fault.ts'
import { type Lines, type Mask, measured } from './measured.ts'

/**
 * Parses an LCOV or Cobertura report. Throws Fault `coverage-invalid` with the line if it is neither, and
 * `coverage-empty` if it measures no line.
 */
export function parseCoverage(text: string, mask: Mask = (text) => text): Map<string, Lines> {
  const files = /^\s*</.test(text.slice(0, 1000)) ? ofCobertura(text, mask) : ofLcov(text, mask)
  for (const [name, lines] of files) if (lines.size === 0) files.delete(name)
  if (files.size === 0) throw new Fault('invalid', 'coverage-empty')
  return files
}

const invalid = (line: number): Fault => new Fault('invalid', 'coverage-invalid', { line })

/** Records of LCOV that are ignored: tests, functions, branches and sums. */
const others = /^(TN|FN|FNA|FNL|FNDA|FNF|FNH|BRDA|BRF|BRH|LF|LH|VER|MCDC|MCF|MCH):/

function ofLcov(text: string, mask: Mask): Map<string, Lines> {
  const { files, open, note } = measured(mask)
  let inside = false
  let lines: Lines | undefined
  let at = 0
  for (const [raw] of text.matchAll(/[^\n]*\n?/g)) {
    at += 1
    const line = raw.trim()
    if (line === '' || line.startsWith('#') || others.test(line)) continue
    if (line.startsWith('SF:')) {
      inside = true
      lines = open(line.slice(3))
    } else if (line === 'end_of_record') {
      inside = false
      lines = undefined
    } else {
      const [, number, hits] = /^DA:(\d{1,9}),(-?\d{1,18})(,|$)/.exec(line) ?? []
      if (number === undefined || !inside) throw invalid(at)
      if (lines) note(lines, Number(number), Number(hits))
    }
  }
  return files
}

const maxDepth = 64

function ofCobertura(text: string, mask: Mask): Map<string, Lines> {
  const { files, open, note } = measured(mask)
  const parser = new SaxesParser({ xmlns: false, position: true })
  let depth = 0
  let lines: Lines | undefined
  parser.on('error', (error) => {
    const fault = invalid(parser.line)
    fault.cause = error
    throw fault
  })
  parser.on('doctype', (doctype) => {
    // Cobertura writes a doctype itself; its DTD is never read, and a definition within it is refused
    if (doctype.includes('[')) throw invalid(parser.line)
  })
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    if (depth > maxDepth || (depth === 1 && name !== 'coverage')) throw invalid(parser.line)
    if (name === 'class') lines = open(attributes['filename'] ?? '')
    else if (name === 'line' && lines) note(lines, Number(attributes['number']), Number(attributes['hits']))
  })
  parser.on('closetag', ({ name }) => {
    depth -= 1
    if (name === 'class') lines = undefined
  })
  parser.write(text)
  parser.close()
  return files
}
