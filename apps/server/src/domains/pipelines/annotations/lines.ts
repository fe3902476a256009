import type { AnnotationLevel } from '@gantry/contract/pipelines/findings/annotations'

export interface Found {
  level: AnnotationLevel
  file: string
  line: number
  column: number | null
  message: string
}

/** No compiler prints longer lines; the rest of a longer one is ignored. */
const lineCharacters = 2000
const messageCharacters = 1000
/** PostgreSQL's greatest int. */
const most = 2_147_483_647

const levels: Record<string, AnnotationLevel> = {
  error: 'error',
  fatal: 'error',
  warning: 'warning',
  warn: 'warning',
  note: 'notice',
  notice: 'notice',
  info: 'notice',
}
const levelOf = (word: string | undefined): AnnotationLevel =>
  levels[(word ?? 'error').toLowerCase().split(' ')[0] ?? ''] ?? 'error'

/** A path: it ends in an extension and is not a URL. */
const file = String.raw`(?<file>(?:[A-Za-z]:)?[^\s\x00-\x1f:()[\]"'<>|]{1,400}\.[A-Za-z][A-Za-z0-9+]{0,9})`
const word = String.raw`(?<level>fatal error|error|warning|warn|note|notice|info)`

/** Tried in this order; the first match counts. */
const patterns: readonly RegExp[] = [
  // gcc, clang, mypy, javac: src/a.c:3:5: error: expected ';'
  new RegExp(
    String.raw`^\s{0,8}${file}:(?<line>\d{1,10})(?::(?<column>\d{1,10}))?:\s{0,4}${word}\b:?\s*(?<message>.*)$`,
    'i',
  ),
  // MSVC, tsc, C#: src/a.ts(3,5): error TS2304: Cannot find name 'x'.
  new RegExp(
    String.raw`^\s{0,8}${file}\((?<line>\d{1,10})(?:,(?<column>\d{1,10}))?\)\s{0,2}:\s{0,2}${word}\b:?\s*(?<message>.*)$`,
    'i',
  ),
  // tsc --pretty: src/a.ts:3:5 - error TS2304: Cannot find name 'x'.
  new RegExp(String.raw`^\s{0,8}${file}:(?<line>\d{1,10}):(?<column>\d{1,10})\s-\s${word}\b:?\s*(?<message>.*)$`, 'i'),
  // Maven: [ERROR] /src/A.java:[12,8] cannot find symbol
  new RegExp(String.raw`^\[${word}\]\s${file}:\[(?<line>\d{1,10})(?:,(?<column>\d{1,10}))?\]:?\s*(?<message>.*)$`, 'i'),
  // go, flake8, shellcheck: ./main.go:12:2: undefined: x
  new RegExp(String.raw`^\s{0,8}${file}:(?<line>\d{1,10}):(?<column>\d{1,10}):\s(?<message>\S.*)$`),
]

/** rustc prints the message in one line and the place in the next. */
const rustSays = /^(?<level>error|warning)(?:\[[A-Z]\d{1,6}\])?: (?<message>\S.*)$/
const rustPlace = new RegExp(String.raw`^\s*--> ${file}:(?<line>\d{1,10}):(?<column>\d{1,10})$`)

/** No pattern matches unless a number follows one of these characters, so most lines are skipped early. */
const mayBePlaced = /[:([]\d/

// oxlint-disable-next-line no-control-regex -- colours begin with the escape character
const colours = /\x1b\[[0-9;]{0,20}m/g

/** PostgreSQL accepts neither NUL nor half of a surrogate pair. */
const cleanMessage = (text: string): string =>
  text.replaceAll('\0', '').trim().slice(0, messageCharacters).toWellFormed()

function toFound(groups: Record<string, string | undefined>): Found | undefined {
  const line = Number(groups['line'])
  const column = groups['column'] === undefined ? null : Number(groups['column'])
  const path = groups['file'] ?? ''
  if (line < 1 || line > most || (column ?? 0) > most || path.includes('//')) return undefined
  const message = cleanMessage(groups['message'] ?? '')
  if (message === '') return undefined
  return { level: levelOf(groups['level']), file: path.replace(/^\.\//, ''), line, column, message }
}

/** Returns a function that is given a log line by line and returns the annotation of each line, if it has one. */
export function annotationScanner(): (text: string) => Found | undefined {
  let said: { level?: string | undefined; message?: string | undefined } | undefined
  return (text) => {
    const plain = text.slice(0, lineCharacters).replaceAll(colours, '').trimEnd()
    const place = said && rustPlace.exec(plain)?.groups
    if (place) return toFound({ ...place, ...said })
    said = rustSays.exec(plain)?.groups
    if (!mayBePlaced.test(plain)) return undefined
    for (const pattern of patterns) {
      const groups = pattern.exec(plain)?.groups
      if (groups) return toFound(groups)
    }
    return undefined
  }
}

const trace = [
  // Python: File "tests/test_a.py", line 3, in test
  /File "(?<file>[^"\n]{1,400})", line (?<line>\d{1,10})/,
  // pytest, go, rspec: tests/test_a.py:3: AssertionError; JavaScript, in brackets or not: at f (src/a.ts:3:5)
  new RegExp(String.raw`(?:^|[\s(])${file}:(?<line>\d{1,10})(?::(?<column>\d{1,10}))?`),
]
/** Stack frames of the test runner and of libraries do not say where the test failed. */
const foreign = /(?:^|[/\\])(?:node_modules|site-packages|dist-packages|node:internal)(?:[/\\]|$)|^node:|^\/usr\/lib\//

/** The first place in the team's own code that a failed test's message names. */
export function placeOfFailure(test: string, message: string): Found | undefined {
  for (const text of message.slice(0, 20_000).split('\n')) {
    const line = text.slice(0, lineCharacters)
    for (const pattern of trace) {
      const groups = pattern.exec(line)?.groups
      if (!groups || foreign.test(groups['file'] ?? '')) continue
      const [first = ''] = message.trim().split('\n')
      const place = toFound({ ...groups, level: 'error', message: first === '' ? test : `${test}: ${first}` })
      if (place) return place
    }
  }
  return undefined
}
