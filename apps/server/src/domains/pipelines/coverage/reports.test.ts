import { expect, test } from 'vitest'
import { rangesOf } from './measured.ts'
import { parseCoverage } from './reports.ts'

const rangesByFile = (text: string) =>
  Object.fromEntries(
    [...parseCoverage(text)].map(([file, lines]) => [file, `${rangesOf(lines, true)} ${rangesOf(lines, false)}`]),
  )

test('LCOV: records of one file are merged, and a line is covered if any of them says so', () => {
  const first = 'TN:\nSF:./src/a.ts\nFN:1,f\nDA:1,2\nDA:2,0\nDA:3,0\nBRDA:1,0,0,1\nLF:3\nLH:1\nend_of_record\n'
  const second = 'SF:src/a.ts\nDA:2,1,checksum\nDA:9,-1\nend_of_record\nSF:src/empty.ts\nend_of_record\n'
  expect(rangesByFile(first + second)).toEqual({ 'src/a.ts': '{[1,3)} {[3,4),[9,10)}' })
})

test('Cobertura: lines of methods count as lines of the class', () => {
  const line = (number: number, hits: number) => `<line number="${number}" hits="${hits}"/>`
  const xml = `<?xml version="1.0"?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage line-rate="1"><packages><package><classes><class name="A" filename="src\\A.java">
<methods><method><lines>${line(4, 1)}</lines></method></methods><lines>${line(4, 1)}${line(5, 0)}</lines>
</class></classes></package></packages></coverage>`
  expect(rangesByFile(xml)).toEqual({ 'src/A.java': '{[4,5)} {[5,6)}' })
})

test.each([
  ['text of another kind', 'hello\n', 'coverage-invalid', 1],
  ['a line outside of a file', 'TN:\nDA:1,1\n', 'coverage-invalid', 2],
  ['XML of another kind', '<testsuite/>', 'coverage-invalid', 1],
  ['XML that ends too early', '<coverage>\n<packages>', 'coverage-invalid', 2],
  ['an entity', '<!DOCTYPE coverage [<!ENTITY a "b">]><coverage/>', 'coverage-invalid', 1],
  ['nothing', '', 'coverage-empty', undefined],
  ['no line', '<coverage/>', 'coverage-empty', undefined],
])('%s is refused with its line', (_, text, key, line) => {
  expect(() => parseCoverage(text)).toThrow(expect.objectContaining({ key, ...(line && { vars: { line } }) }) as Error)
})
