import { resolve } from 'node:path/posix'
import type { Files } from './files.ts'

/** A shell's request to its driver. `unknown` is a command that it cannot run: the driver reports it, or runs it. */
export type Effect = { out: string } | { err: string } | { unknown: string } | { sleep: number } | { read: true }

/**
 * Ends with an exit code. A read is answered with input, or null at its end; a sleep with null if it is interrupted.
 */
export type Run = Generator<Effect, number, string | null | undefined>

/** The part of a busybox shell for looking around. Without loops, so that a script's length bounds its steps. */
export interface Shell {
  env: Map<string, string>
  cwd: string
  files: Files
  /** A user types, and sees a prompt. */
  terminal: boolean
  state: 'scripted' | 'interactive' | 'ended'
  /** The exit code of the last command. */
  status: number
  /** The number of characters that the script may still expand and read. */
  left: number
}

const longestScript = 64 * 1024
const maxText = 1024 * 1024
const [mostVariables, longestVariable] = [1000, 4096]
const [interrupted, killed] = [130, 137]

class Failed extends Error {
  code = 1
}
function fail(message: string, code = 1): never {
  throw Object.assign(new Failed(message), { code })
}

/** Deducts a text from the script's limit. */
function used(shell: Shell, text: string): string {
  shell.left -= text.length
  return shell.left < 0 ? fail('sh: out of memory', killed) : text
}

function assign({ env }: Shell, text: string): void {
  const [name = '', ...value] = text.split('=')
  if (value.length > 0 && (env.has(name) || env.size < mostVariables))
    env.set(name, value.join('=').slice(0, longestVariable))
}

const lines = (all: string[]): string => all.map((line) => `${line}\n`).join('')

/** The result of a command is its output, or a run of its own; undefined if the shell cannot simulate it. */
const commands: Record<string, (shell: Shell, args: string[]) => string | Run | undefined> = {
  cat(shell, paths) {
    const missing = (path: string): never => fail(`cat: can't open '${path}': No such file or directory`)
    const read = (path: string): string => shell.files.read(resolve(shell.cwd, path)) ?? missing(path)
    return paths.length === 0 ? copy() : paths.map((path) => used(shell, read(path))).join('')
  },
  cd(shell, [path = shell.env.get('HOME') ?? '/']) {
    const to = resolve(shell.cwd, path)
    if (!shell.files.list(to)) fail(`sh: cd: can't cd to ${path}: No such file or directory`)
    shell.cwd = to
    return ''
  },
  command: (_, [, name = '']) => (knows(name) ? `${name}\n` : fail('', 127)),
  echo: (_, args) => (args[0] === '-n' ? args.slice(1).join(' ') : `${args.join(' ')}\n`),
  env: (shell) => used(shell, lines([...shell.env].map((entry) => entry.join('=')))),
  exit(shell, [code = shell.status]) {
    shell.state = 'ended'
    return fail('', Number(code) & 255)
  },
  export(shell, args) {
    for (const arg of args) assign(shell, arg)
    return ''
  },
  false: () => fail(''),
  help: () => `A simulated shell in a simulated container. It knows: ${commandNames.join(' ')}\n`,
  ls: (shell, [path = '.']) =>
    used(shell, lines(shell.files.list(resolve(shell.cwd, path)) ?? fail(`ls: ${path}: No such file or directory`))),
  pwd: ({ cwd }) => `${cwd}\n`,
  sh: (shell, args) => (args.length === 0 ? interact(shell) : undefined),
  sleep: (_, [text = '']) => sleep(text),
  touch({ cwd, files }, paths) {
    for (const path of paths) if (!files.touch(resolve(cwd, path))) fail(`touch: ${path}: No space left on device`)
    return ''
  },
  true: () => '',
}

const commandNames = [...Object.keys(commands), 'exec'].sort()
const base = (name: string): string => name.replace(/^(\/usr)?\/bin\//, '')
export const knows = (name: string): boolean => commandNames.includes(base(name))

/** Outputs its input. */
function* copy(): Run {
  for (;;) {
    const piece = yield { read: true }
    if (typeof piece !== 'string') return 0
    yield { out: piece }
  }
}

function* sleep(text: string): Run {
  const unit = { m: 60, h: 3600, d: 86_400 }[text.at(-1) ?? ''] ?? 1
  const seconds = text === 'infinity' ? Number.MAX_SAFE_INTEGER : Number.parseFloat(text) * unit
  if (!(seconds >= 0)) fail(`sleep: invalid number '${text}'`)
  return (yield { sleep: seconds * 1000 }) === null ? interrupted : 0
}

function* interact(shell: Shell): Run {
  // A shell within a shell is simulated by the same shell.
  if (shell.state === 'interactive') return 0
  shell.state = 'interactive'
  for (;;) {
    if (shell.terminal) yield { out: `${shell.cwd} # ` }
    const line = yield { read: true }
    if (typeof line === 'string') yield* runScript(shell, line)
    else if (shell.terminal) yield { out: 'exit\n' }
    if (typeof line !== 'string') shell.state = 'ended'
    if (shell.state !== 'interactive') return shell.status
  }
}

interface Command {
  /** The operator between it and the command before it. */
  join: string
  /** As written. */
  words: string[]
  /** The targets of its output and its errors; an empty target discards. */
  sinks: Record<string, string>
}
const joinedBy = (join: string): Command => ({ join, words: [], sinks: { 1: '1', 2: '2' } })

const token =
  /[ \t\r]+|#[^\n]*|(&&|\|\||[;\n])|([12]?)>(?:&([12])|[ \t]*\/dev\/null(?=[\s;&|]|$))|((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s;&|<>()`'"\\])+)/gsy

/** The commands of a script, or a part of it that is not supported. */
function parse(source: string): Command[] | string {
  if (source.length > longestScript) return 'the script is too long'
  let last = joinedBy(';')
  const all = [last]
  let at = 0
  for (const [text, join, from, to = '', word] of source.matchAll(token)) {
    at += text.length
    if (join) all.push((last = joinedBy(join)))
    else if (word) last.words.push(word)
    else if (from !== undefined) last.sinks[from || '1'] = last.sinks[to] ?? ''
  }
  const [rest] = source.slice(at)
  return rest === undefined ? all.filter(({ words }) => words.length > 0) : `syntax error: unexpected ${rest}`
}

const part = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|\$(\w+|\?|\{\w+\})|([^'"\\$]+|\$)/gs
const quoted = /\\([\\"$`])|\$(\w+|\?|\{\w+\})/g

/** The text of a word; none if it is just a variable without a value. A variable's value is not split into words. */
function expand(shell: Shell, word: string): string[] {
  const value = (name = ''): string =>
    used(shell, name === '?' ? String(shell.status) : (shell.env.get(name.replace(/[{}]/g, '')) ?? ''))
  const inQuotes = (text: string): string =>
    text.replace(quoted, (_, sign?: string, name?: string) => sign ?? value(name))
  const parts = [...word.matchAll(part)].map(
    ([, single, double, escaped, name, plain]) =>
      single ?? (double === undefined ? (escaped ?? plain ?? value(name)) : inQuotes(double)),
  )
  return parts.some((text) => text !== '') || /['"]/.test(word) ? [parts.join('')] : []
}

function* runCommand(shell: Shell, { words, sinks }: Command): Run {
  const write = (text: string, sink = ''): Effect[] =>
    text === '' || sink === '' ? [] : [sink === '1' ? { out: text } : { err: text }]
  try {
    const at = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
    for (const word of at < 0 ? words : words.slice(0, at)) assign(shell, expand(shell, word).join(''))
    const given = at < 0 ? [] : words.slice(at).flatMap((word) => expand(shell, word))
    const first = given.findIndex((word) => word !== 'exec')
    if (first < 0) return 0
    const [name = '', ...args] = given.slice(first)
    const program = base(name)
    if (first > 0 && program !== 'sh') shell.state = 'ended'
    const said = knows(name) ? commands[program]?.(shell, args) : undefined
    if (said === undefined) yield { unknown: `${name}: not found` }
    else if (typeof said === 'string') yield* write(said, sinks[1])
    else return yield* said
    return said === undefined ? 127 : 0
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    yield* write(error.message && `${error.message}\n`, sinks[2])
    return error.code
  }
}

function* runScript(shell: Shell, source: string): Run {
  const script = parse(source)
  shell.left = maxText
  if (typeof script === 'string') {
    yield { unknown: script }
    return (shell.status = 2)
  }
  for (const one of script) {
    if ((one.join === '&&' && shell.status !== 0) || (one.join === '||' && shell.status === 0)) continue
    shell.status = yield* runCommand(shell, one)
    if (shell.state === 'ended' || shell.status === interrupted || shell.status === killed) break
  }
  return shell.status
}

/** Runs a program with its arguments, for the start of a container and for commands in it. */
export function* run(shell: Shell, argv: string[]): Run {
  shell.left = maxText
  const script = argv.findIndex((arg) => /^-\w*c$/.test(arg)) + 1
  if (base(argv[0] ?? '') === 'sh' && script > 0) return yield* runScript(shell, argv[script] ?? '')
  const words = argv.map((arg) => `'${arg.replaceAll("'", String.raw`'\''`)}'`)
  return yield* runCommand(shell, { ...joinedBy(';'), words })
}
