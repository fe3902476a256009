import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../../kernel/fault.ts'
import { parseJunit, type JunitLimits, type TestReport } from './junit.ts'

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const parse = (xml: string | Uint8Array, limits?: JunitLimits, size = 65_536): Promise<TestReport> =>
  parseJunit(pieces(typeof xml === 'string' ? Buffer.from(xml) : xml, size), limits)
const fault = (key: string) => expect.objectContaining({ name: 'Fault', key })

const typical = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="all" tests="99" skipped="99" failures="1">
  <testsuite name="api">
    <properties><property name="x" value="y"/></properties>
    <testcase classname="a.B" name="works" time="0.012"/>
    <testcase classname="a.B" name="breaks" time="1,234.5">
      <failure message="expected 1 &lt; 0" type="AssertionError">expected 1 &lt; 0
    at b.ts:1</failure>
      <system-out><![CDATA[<noise>]]></system-out>
    </testcase>
    <testsuite name="inner">
      <testcase name="explodes"><error type="TypeError"><![CDATA[x is <undefined>]]></error></testcase>
      <testcase name="waits"><skipped message="not on Windows"/></testcase>
      <testcase name="sleeps"><skipped/></testcase>
    </testsuite>
  </testsuite>
</testsuites>`

describe('a report', () => {
  test.each([1, 7, 65_536])('is parsed in chunks of %i', async (size) => {
    const report = await parse(typical, {}, size)
    expect(report).toMatchObject({
      total: 5,
      passed: 1,
      failed: 1,
      errors: 1,
      skipped: 2,
      seconds: 1234.512,
      truncated: false,
    })
    expect(report.cases).toEqual([
      { suite: 'api', className: 'a.B', name: 'works', state: 'passed', seconds: 0.012, message: '' },
      {
        suite: 'api',
        className: 'a.B',
        name: 'breaks',
        state: 'failed',
        seconds: 1234.5,
        message: 'expected 1 < 0\n    at b.ts:1',
      },
      {
        suite: 'api › inner',
        className: '',
        name: 'explodes',
        state: 'error',
        seconds: null,
        message: 'TypeError\nx is <undefined>',
      },
      {
        suite: 'api › inner',
        className: '',
        name: 'waits',
        state: 'skipped',
        seconds: null,
        message: 'not on Windows',
      },
      { suite: 'api › inner', className: '', name: 'sleeps', state: 'skipped', seconds: null, message: '' },
    ])
  })

  test('may consist of one suite, and may be empty', async () => {
    expect(await parse('<testsuite/>')).toMatchObject({ total: 0, cases: [] })
    expect(await parse('<testsuites></testsuites>')).toMatchObject({ total: 0 })
  })

  test.each([
    ['0', 0],
    ['0.012', 0.012],
    ['.5', 0.5],
    [' 2.5 ', 2.5],
    ['1.5E-4', 0.00015],
    ['1,234.5', 1234.5],
    ['1,234,567', 1_234_567],
    ['1,234,567.5', 1_234_567.5],
    // for some programs a thousands separator, for others a decimal point
    ['1,234', null],
    ['0,125', null],
    ['12,5', null],
    ['1.234,5', null],
    ['1,23.5', null],
    ['3s', null],
    ['-0.01', null],
    ['NaN', null],
    ['Infinity', null],
    ['0x10', null],
    ['1e99', null],
    ['.', null],
    ['', null],
    [undefined, null],
  ])('with the time %j lasts %j seconds', async (time, seconds) => {
    const attribute = time === undefined ? '' : ` time="${time}"`
    const report = await parse(`<testsuite><testcase name="x"${attribute}/><testcase name="y" time="2"/></testsuite>`)
    expect(report.cases[0]?.seconds).toBe(seconds)
    expect(report.seconds).toBe(Math.round(((seconds ?? 0) + 2) * 1000) / 1000)
  })

  test.each([
    [
      'says what broke, and lists no case',
      '<testsuites><testsuite name="broken" tests="0" errors="1"><error message="collection failed">ImportError</error></testsuite></testsuites>',
      [['broken', 'broken', 'error', 'collection failed\nImportError']],
    ],
    [
      'only counts an error',
      '<testsuites><testsuite name="broken" tests="0" errors="1"/></testsuites>',
      [['broken', 'broken', 'error', '<testsuite errors="1">']],
    ],
    [
      'is the root, has no name, and only counts failures',
      '<testsuite tests="3" failures="3" errors="0"/>',
      [['', 'testsuite', 'error', '<testsuite failures="3" errors="0">']],
    ],
    [
      'counts more failures than it lists',
      '<testsuite name="s" tests="2" failures="2"><testcase name="a"><failure message="m"/></testcase><testcase name="b"/></testsuite>',
      [
        ['s', 'a', 'failed', 'm'],
        ['s', 'b', 'passed', ''],
        ['s', 's', 'error', '<testsuite failures="2">'],
      ],
    ],
    [
      'sums up what its inner suites say',
      '<testsuites failures="1" errors="1"><testsuite name="o" failures="1" errors="1"><testsuite name="i" errors="1"/><testcase name="a"><failure/></testcase></testsuite></testsuites>',
      [
        ['o › i', 'i', 'error', '<testsuite errors="1">'],
        ['o', 'a', 'failed', ''],
      ],
    ],
    [
      'counts a case with two outcomes twice',
      '<testsuite failures="1" errors="1"><testcase name="a"><failure message="f"/><error message="e"/></testcase></testsuite>',
      [['', 'a', 'error', 'f\ne']],
    ],
    [
      'counts what nobody can read',
      '<testsuite failures="-1" errors="many"><testcase name="a"/><constructor/></testsuite>',
      [['', 'a', 'passed', '']],
    ],
  ])('of a suite that %s', async (_, xml, expected) => {
    const report = await parse(xml)
    expect(report.cases.map(({ suite, name, state, message }) => [suite, name, state, message])).toEqual(expected)
    expect(report.total).toBe(expected.length)
    expect(report.errors).toBe(expected.filter(([, , state]) => state === 'error').length)
  })

  test('counts the worst outcome of a case that has several', async () => {
    const report = await parse(
      '<testsuite><testcase name="x"><skipped/><error message="e"/><failure message="f"/></testcase></testsuite>',
    )
    expect(report.cases).toEqual([expect.objectContaining({ state: 'error', message: 'e\nf' })])
  })

  test.each([
    ['utf-16le', Buffer.from('\ufeff<testsuite name="测试"><testcase name="é"/></testsuite>', 'utf16le')],
    ['utf-8 with a mark', Buffer.from('\ufeff<testsuite name="测试"><testcase name="é"/></testsuite>')],
    [
      'gbk',
      Buffer.concat([
        Buffer.from('<?xml version="1.0" encoding="GBK"?><testsuite name="'),
        Buffer.from([0xb2, 0xe2, 0xca, 0xd4]),
        Buffer.from('"><testcase name="&#233;"/></testsuite>'),
      ]),
    ],
  ])('is read in its own encoding: %s', async (_, bytes) => {
    expect((await parse(bytes)).cases).toEqual([expect.objectContaining({ suite: '测试', name: 'é' })])
  })

  test('returns any names and messages unchanged', async () => {
    const escaped = (text: string): string => text.replace(/[&<>"'\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`)
    const name = fc
      .string({ unit: 'grapheme', maxLength: 50 })
      .filter((text) => /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u.test(text))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name, failed: fc.boolean() })),
        fc.integer({ min: 1, max: 50 }),
        async (cases, size) => {
          const xml = cases
            .map((one) => `<testcase name="${escaped(one.name)}">${one.failed ? '<failure/>' : ''}</testcase>`)
            .join('')
          const report = await parse(`<testsuite>${xml}</testsuite>`, {}, size)
          expect(report.cases.map((one) => ({ name: one.name, failed: one.state === 'failed' }))).toEqual(cases)
          expect(report.failed).toBe(cases.filter((one) => one.failed).length)
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('a hostile report', () => {
  test.each([
    ['nothing', ''],
    ['text', 'all tests passed'],
    ['JSON', '{"tests":1}'],
    ['a page', '<html><body/></html>'],
    ['an open end', '<testsuite><testcase>'],
    ['a DTD', '<!DOCTYPE testsuite SYSTEM "http://127.0.0.1/x"><testsuite/>'],
    [
      'an entity bomb',
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>',
    ],
    ['an outside entity', '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><testsuite name="&a;"/>'],
    ['an unknown entity', '<testsuite name="&nope;"/>'],
    ['nesting', '<testsuite>'.repeat(100_000)],
    ['a control character', '<testsuite name="\u0001"/>'],
    ['two roots', '<testsuite/><testsuite/>'],
  ])('is refused: %s', async (_, xml) => {
    await expect(parse(xml)).rejects.toEqual(fault('junit-invalid'))
  })

  test('is refused with the position of the error', async () => {
    await expect(parse('<testsuite>\n  <testcase></wrong>\n</testsuite>')).rejects.toEqual(
      expect.objectContaining({ vars: { line: 2, column: expect.any(Number) } }),
    )
  })

  test('is not read beyond the limit if it has 100 MB', async () => {
    let given = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('<testsuite><testcase><failure>')
      const chunk = Buffer.alloc(65_536, 'x')
      for (; given < 100_000_000; given += chunk.length) yield chunk
    }
    await expect(parseJunit(endless(), { maxBytes: 1_000_000 })).rejects.toEqual(fault('junit-too-large'))
    expect(given).toBeLessThan(1_200_000)
  })

  test('keeps the failed ones of very many cases and counts all', async () => {
    const cases = Array.from(
      { length: 1000 },
      (_, i) => `<testcase name="${i}">${i >= 995 ? '<failure/>' : ''}</testcase>`,
    )
    const report = await parse(`<testsuite>${cases.join('')}</testsuite>`, { maxCases: 10 })
    expect(report).toMatchObject({ total: 1000, passed: 995, failed: 5, truncated: true })
    expect(report.cases.map((one) => one.name)).toEqual(['0', '1', '2', '3', '4', '995', '996', '997', '998', '999'])
  })

  test('has long names and messages truncated', async () => {
    const long = 'x'.repeat(100_000)
    const report = await parse(
      `<testsuite name="${long}"><testcase name="${long}"><failure message="${long}">${'line\n'.repeat(1000)}</failure></testcase></testsuite>`,
    )
    const [only] = report.cases
    expect(only?.name.length).toBe(500)
    expect(only?.suite.length).toBe(500)
    expect(only?.message.length).toBe(4000)
  })

  test('of any bytes is parsed or refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array(),
          fc.string().map((text) => Buffer.from(`<testsuite>${text}`)),
        ),
        async (bytes) => {
          await parse(bytes).then(
            (report) => expect(report.total).toBeGreaterThanOrEqual(0),
            (error: unknown) => expect(error).toBeInstanceOf(Fault),
          )
        },
      ),
    )
  })
})
