import { SaxesParser } from 'saxes'
import { Fault } from '../../../../kernel/fault.ts'
import { maskedStart } from '../../../../kernel/secrets/masking.ts'

export type TestState = 'passed' | 'failed' | 'error' | 'skipped'

export interface TestCase {
  /** The names of the enclosing suites, outermost first, joined by ` › `. */
  suite: string
  className: string
  name: string
  state: TestState
  /** Null if the file has none that can be read. */
  seconds: number | null
  /** Why it failed or was skipped: its message, then the first lines of its detail. Empty if it passed. */
  message: string
}

export interface TestReport {
  total: number
  passed: number
  failed: number
  errors: number
  skipped: number
  /** The duration of all cases together. */
  seconds: number
  /** At most `maxCases`, preferring failed ones; in the order of the file. */
  cases: TestCase[]
  /** Whether there are more cases than `cases` contains. */
  truncated: boolean
}

export interface JunitLimits {
  /** Default: 50 MiB. */
  maxBytes?: number
  /** Default: 20,000. */
  maxCases?: number
  /** Masks a text before it is truncated. */
  mask?: (text: string) => string
}

/** An open element that holds cases. */
interface Suite {
  /** Its part in the path of its cases; empty for the outermost element. */
  name: string
  /** The name of the case that stands for the suite itself. */
  title: string
  /** The failures and errors that its attributes claim, including nested suites. */
  claimed: number
  /** The tag with these attributes. */
  claims: string
  /** How many failures and errors were found in the file. */
  found: number
}

const maxDepth = 64
const maxName = 500
const maxMessage = 4000
const maxLines = 20

/**
 * Parses a JUnit XML file as it streams. Throws Fault `junit-invalid` with line and column (not XML, a DTD, an entity,
 * another root, too deep) and `junit-too-large`. Counts the cases in the file rather than what its attributes claim;
 * but if a suite claims more failures than its cases have, the suite itself counts as a case with an error.
 */
export async function parseJunit(source: AsyncIterable<Uint8Array>, limits: JunitLimits = {}): Promise<TestReport> {
  const { maxBytes = 50 * 1_048_576, maxCases = 20_000, mask = (text: string) => text } = limits
  const reader = junitReader(maxCases, mask)
  let decoder: TextDecoder | undefined
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > maxBytes)
      throw new Fault('tooLarge', 'junit-too-large', { limit: `${Math.floor(maxBytes / 1_048_576)} MB` })
    decoder ??= decoderFor(chunk)
    reader.write(decoder.decode(chunk, { stream: true }))
  }
  reader.write(decoder?.decode() ?? '')
  return reader.end()
}

/** By byte order mark, else by the XML declaration, else UTF-8. */
function decoderFor(first: Uint8Array): TextDecoder {
  const [a, b] = first
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff))
    return new TextDecoder(a === 0xff ? 'utf-16le' : 'utf-16be')
  const head = Buffer.from(first.subarray(0, 200)).toString('latin1')
  const label = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(/^utf-?16/i.test(label) ? 'utf-8' : label)
  } catch {
    return new TextDecoder()
  }
}

function junitReader(maxCases: number, mask: (text: string) => string) {
  const parser = new SaxesParser({ xmlns: false, position: true })
  const suites: Suite[] = []
  const tags: string[] = []
  const report = { total: 0, passed: 0, failed: 0, errors: 0, skipped: 0, seconds: 0 }
  const kept: { failed: TestCase[]; others: TestCase[]; order: Map<TestCase, number> } = {
    failed: [],
    others: [],
    order: new Map(),
  }
  let current: TestCase | undefined
  /** The text of the open <failure>, <error> or <skipped>, up to the length that is kept. */
  let detail: string | undefined

  const short = (text: string): string =>
    maskedStart(text, 4 * maxName, mask)
      .slice(0, maxName)
      .toWellFormed()
  const masked = (text: string): string => maskedStart(text, 4 * maxMessage, mask)

  const invalid = (): Fault => new Fault('invalid', 'junit-invalid', { line: parser.line, column: parser.column })

  parser.on('error', (error) => {
    const fault = invalid()
    fault.cause = error
    throw fault
  })
  parser.on('doctype', () => {
    throw invalid()
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (tags.length === 0 && !isSuite(name)) throw invalid()
    if (tags.length >= maxDepth) throw invalid()
    const parent = tags.at(-1)
    tags.push(name)
    if (isSuite(name)) suites.push(suiteOf(name, short(attributes['name'] ?? ''), attributes))
    else if (name === 'testcase' && current === undefined) {
      current = {
        suite: path(),
        className: short(attributes['classname'] ?? ''),
        name: short(attributes['name'] ?? ''),
        state: 'passed',
        seconds: secondsOf(attributes['time']),
        message: '',
      }
      if (attributes['status'] === 'notrun' || attributes['status'] === 'skipped') current.state = 'skipped'
    } else if (current !== undefined && parent === 'testcase') open(current, name, attributes)
    else if (current === undefined && isSuite(parent) && (name === 'error' || name === 'failure')) {
      current = caseOfSuite()
      open(current, name, attributes)
    }
  })
  const text = (part: string): void => {
    if (detail !== undefined && detail.length <= 4 * maxMessage) detail += part.slice(0, 4 * maxMessage + 1)
  }
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('closetag', ({ name }) => {
    tags.pop()
    const parent = tags.at(-1)
    if (isSuite(name)) closeSuite()
    else if (name === 'testcase' && current !== undefined && !tags.includes('testcase')) close(current)
    else if (current !== undefined && detail !== undefined && (parent === 'testcase' || isSuite(parent))) {
      current.message = joined(current.message, masked(detail))
      detail = undefined
      if (isSuite(parent)) close(current)
    }
  })

  const states = new Map<string, TestState>([
    ['failure', 'failed'],
    ['error', 'error'],
    ['skipped', 'skipped'],
  ])
  const rank: Record<TestState, number> = { passed: 0, skipped: 1, failed: 2, error: 3 }

  function open(testCase: TestCase, name: string, attributes: Record<string, string>): void {
    const state = states.get(name)
    if (state === undefined) return
    const suite = suites.at(-1)
    if (suite !== undefined && isBad(state)) suite.found++
    // A case with several outcomes counts as the worst.
    if (rank[state] > rank[testCase.state]) testCase.state = state
    testCase.message = joined(testCase.message, masked(attributes['message'] ?? attributes['type'] ?? ''))
    detail = ''
  }

  function close(testCase: TestCase): void {
    current = undefined
    report.total++
    report.seconds += testCase.seconds ?? 0
    if (testCase.state === 'error') report.errors++
    else report[testCase.state]++
    const list = isBad(testCase.state) ? kept.failed : kept.others
    if (list.length >= maxCases) return
    list.push(testCase)
    kept.order.set(testCase, report.total)
  }

  /** If a suite claims more failures than it lists, the unlisted ones count as an error of the suite. */
  function closeSuite(): void {
    const suite = suites.at(-1)
    if (suite === undefined) return
    const { claimed, claims, found } = suite
    if (claimed > found) close({ ...caseOfSuite(), state: 'error', message: claims })
    suites.pop()
    const around = suites.at(-1)
    if (around !== undefined) around.found += Math.max(claimed, found)
  }

  const path = (): string =>
    suites
      .map(({ name }) => name)
      .filter((name) => name !== '')
      .join(' › ')
      .slice(0, maxName)
      .toWellFormed()
  /** A case that stands for the suite itself. */
  const caseOfSuite = (): TestCase => ({
    suite: path(),
    className: '',
    name: suites.at(-1)?.title ?? '',
    state: 'passed',
    seconds: null,
    message: '',
  })

  return {
    write(part: string): void {
      parser.write(part)
    },
    end(): TestReport {
      parser.close()
      const cases = [...kept.failed, ...kept.others.slice(0, maxCases - kept.failed.length)]
      cases.sort((a, b) => (kept.order.get(a) ?? 0) - (kept.order.get(b) ?? 0))
      return {
        ...report,
        seconds: Math.round(report.seconds * 1000) / 1000,
        cases,
        truncated: cases.length < report.total,
      }
    },
  }
}

/** The message and the detail, but only the detail if it begins with the message, as most writers repeat it there. */
function joined(message: string, detail: string): string {
  const lines = detail.replaceAll('\r', '').trim().split('\n')
  const text = lines.slice(0, maxLines).join('\n') + (lines.length > maxLines ? '\n…' : '')
  if (message === '' || text.startsWith(message)) return text.slice(0, maxMessage).toWellFormed()
  return (text === '' ? message : `${message}\n${text}`).slice(0, maxMessage).toWellFormed()
}

const isSuite = (name: string | undefined): boolean => name === 'testsuite' || name === 'testsuites'

const isBad = (state: TestState): boolean => state === 'failed' || state === 'error'

function suiteOf(tag: string, name: string, { failures, errors }: Record<string, string>): Suite {
  const counts = Object.entries({ failures, errors }).filter(([, count]) => /^\d{1,9}$/.test(count ?? ''))
  return {
    name: tag === 'testsuite' ? name : '',
    title: name || tag,
    claimed: counts.reduce((sum, [, count]) => sum + Number(count), 0),
    claims: `<${[tag, ...counts.map(([key, count]) => `${key}="${count ?? ''}"`)].join(' ')}>`,
    found: 0,
  }
}

/** Seconds, also as `1,234.5` or `1,234,567`. A lone comma is ambiguous: it may separate thousands or decimals. */
const readable = /^(\d+|[1-9]\d{0,2}(,\d{3}){2,}|[1-9]\d{0,2}(,\d{3})+(?=\.))?(\.\d*)?(e[+-]?\d{1,3})?$/i

/** Null if unreadable: better no duration than a wrong one. */
function secondsOf(text: string | undefined): number | null {
  const given = (text ?? '').trim()
  const seconds = Number(given.replaceAll(',', ''))
  return given !== '' && readable.test(given) && seconds < 1e7 ? seconds : null
}
