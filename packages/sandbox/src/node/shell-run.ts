import { commands } from './shell-commands.ts'
import { resolvePath, ShellBegins, ShellExit, type Effect, type Run, type Shell } from './shell.ts'
import { parseScript, ShellSyntaxError, type Command, type Redirect, type Script, type Word } from './shell-parse.ts'

class LoopJump extends Error {
  readonly kind: 'break' | 'continue'
  constructor(kind: 'break' | 'continue') {
    super(kind)
    this.kind = kind
  }
}

/** Runs a script to its end and answers its exit code. */
export function* runScript(shell: Shell, source: string): Run {
  try {
    return yield* runLine(shell, source)
  } catch (error) {
    if (error instanceof ShellExit) return error.code
    throw error
  }
}

/** The same in the shell itself: an `exit` in it reaches the caller as ShellExit. */
export function* runLine(shell: Shell, source: string): Run {
  let script: Script
  try {
    script = parseScript(source)
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error
    yield { err: `sh: ${error.message}\n` }
    return 2
  }
  try {
    return yield* runAll(shell, script)
  } catch (error) {
    if (error instanceof LoopJump) return 0
    throw error
  }
}

function* runAll(shell: Shell, script: Script): Run {
  for (const { join, command, background } of script) {
    if (join === '&&' && shell.status !== 0) continue
    if (join === '||' && shell.status === 0) continue
    if (background) shell.jobs.push(command)
    shell.status = background ? 0 : yield* runCommand(shell, command)
  }
  return shell.status
}

function* runCommand(shell: Shell, command: Command): Run {
  if (++shell.busy > 20_000) {
    shell.busy = 0
    yield { sleep: shell.pause }
    shell.pause = Math.min(shell.pause * 2, 3600_000)
  }
  switch (command.kind) {
    case 'simple':
      return yield* runSimple(shell, command)
    case 'pipe':
      return yield* runPipe(shell, command.commands, command.negated)
    case 'group':
      return yield* redirected(shell, command.redirects, runAll(shell, command.body))
    case 'loop': {
      for (;;) {
        const status = yield* runAll(shell, command.condition)
        if ((status === 0) === command.until) return 0
        if (yield* leftLoop(shell, command.body)) return 0
      }
    }
    case 'for': {
      const values: string[] = []
      for (const word of command.words) values.push(...(yield* expand(shell, word)))
      for (const value of values) {
        shell.env.set(command.variable, value)
        if (yield* leftLoop(shell, command.body)) return 0
      }
      return shell.status
    }
    case 'if': {
      for (const { condition, body } of command.branches)
        if ((yield* runAll(shell, condition)) === 0) return yield* runAll(shell, body)
      shell.status = 0
      return command.otherwise ? yield* runAll(shell, command.otherwise) : 0
    }
  }
}

function* leftLoop(shell: Shell, body: Script): Generator<Effect, boolean, string | null | undefined> {
  try {
    yield* runAll(shell, body)
    return false
  } catch (error) {
    if (!(error instanceof LoopJump)) throw error
    return error.kind === 'break'
  }
}

/** Each command's whole output is the next one's input: enough for filters, and nothing here runs beside anything. */
function* runPipe(shell: Shell, parts: Command[], negated: boolean): Run {
  let input: string | undefined
  let status = 0
  for (const [n, part] of parts.entries()) {
    const run: Run = input === undefined ? runCommand(shell, part) : fed(input, runCommand(shell, part))
    if (n === parts.length - 1) status = yield* run
    else [input] = yield* captured(run)
  }
  return negated ? Number(status === 0) : status
}

/** A run whose reads find this text and then its end. */
function* fed(input: string, run: Run): Run {
  let left: string | null = input
  let answer: string | null | undefined
  for (;;) {
    const step = run.next(answer)
    if (step.done) return step.value
    if ('read' in step.value) {
      answer = left
      left = null
    } else answer = yield step.value
  }
}

function* captured(run: Run): Generator<Effect, [text: string, status: number], string | null | undefined> {
  let text = ''
  let answer: string | null | undefined
  for (;;) {
    const step = run.next(answer)
    if (step.done) return [text, step.value]
    if ('out' in step.value) {
      text += step.value.out
      answer = undefined
    } else answer = yield step.value
  }
}

function* redirected(shell: Shell, redirects: Redirect[], run: Run): Run {
  let input: string | undefined
  const sinks = new Map<number, (text: string) => void>()
  const merged = new Map<number, number>()
  for (const { from, operator, to } of redirects) {
    const [target = ''] = yield* expand(shell, to)
    if (operator === '>&') {
      merged.set(from, Number(target))
      continue
    }
    const path = resolvePath(shell.cwd, target)
    if (operator === '<') {
      input = shell.files.read(path)
      if (input === undefined) {
        yield { err: `sh: can't open ${target}: no such file\n` }
        return 1
      }
    } else if (path === '/dev/null') sinks.set(from, () => undefined)
    else {
      if (operator === '>') shell.files.write(path, '')
      sinks.set(from, (text) => shell.files.write(path, (shell.files.read(path) ?? '') + text))
    }
  }
  const source = input === undefined ? run : fed(input, run)
  let answer: string | null | undefined
  for (;;) {
    const step = source.next(answer)
    answer = undefined
    if (step.done) return step.value
    const effect = step.value
    if (!('out' in effect) && !('err' in effect)) {
      answer = yield effect
      continue
    }
    const text = 'out' in effect ? effect.out : effect.err
    const own = 'out' in effect ? 1 : 2
    const fd = merged.get(own) ?? own
    const sink = sinks.get(fd)
    if (sink) sink(text)
    else yield fd === 2 ? { err: text } : { out: text }
  }
}

function* runSimple(shell: Shell, command: Extract<Command, { kind: 'simple' }>): Run {
  const assigned: [string, string][] = []
  for (const [name, word] of command.assigns) assigned.push([name, (yield* expand(shell, word)).join(' ')])
  const words: string[] = []
  for (const word of command.words) words.push(...(yield* expand(shell, word)))
  const [name, ...args] = words
  for (const [key, value] of assigned) shell.env.set(key, value)
  if (name === undefined) return yield* redirected(shell, command.redirects, nothing())
  return yield* redirected(shell, command.redirects, runNamed(shell, name, args))
}

// eslint-disable-next-line require-yield -- the shape of every run
function* nothing(): Run {
  return 0
}

/** One command by its name: a builtin, one of the simulated programs, or what the driver makes of the rest. */
export function* runNamed(shell: Shell, name: string, args: string[]): Run {
  const base = name.slice(name.lastIndexOf('/') + 1)
  if (base === 'exit') throw new ShellExit(args[0] === undefined ? shell.status : Number(args[0]) & 255)
  if (base === 'break' || base === 'continue') throw new LoopJump(base)
  if (base === 'exec' && args.length === 1 && shell.terminal && /^(\/bin\/)?(sh|bash|ash)$/.test(args[0] ?? ''))
    throw new ShellBegins({ ...shell, terminal: false })
  if (base === 'exec' && args[0] !== undefined) throw new ShellExit(yield* runNamed(shell, args[0], args.slice(1)))
  if (base === 'wait') {
    for (const job of shell.jobs.splice(0)) shell.status = yield* runCommand(shell, job)
    return shell.status
  }
  if (base === 'sh' || base === 'bash' || base === 'ash') {
    const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg))
    if (at >= 0) return yield* runScript({ ...shell, env: new Map(shell.env), status: 0 }, args[at + 1] ?? '')
    return yield* readAndRun(shell)
  }
  const known = commands[base]
  return known ? yield* known(shell, args) : yield* shell.unknown(name, args)
}

/** A shell that reads its script from its input. */
function* readAndRun(shell: Shell): Run {
  let source = ''
  for (;;) {
    const piece = yield { read: true }
    if (typeof piece !== 'string') break
    source += piece
  }
  return yield* runScript({ ...shell, env: new Map(shell.env), status: 0 }, source)
}

function* expand(shell: Shell, word: Word): Generator<Effect, string[], string | null | undefined> {
  let text = ''
  let fixed = word.length === 0
  const fields: string[] = []
  for (const part of word) {
    let value: string
    if ('text' in part) value = part.text
    else if ('command' in part) {
      const [output] = yield* captured(runAll({ ...shell, env: new Map(shell.env) }, part.command))
      value = output.replace(/\n+$/, '')
    } else {
      value = part.variable === '?' ? String(shell.status) : (shell.env.get(part.variable) ?? '')
      if (value === '' && part.fallback) value = (yield* expand(shell, part.fallback)).join(' ')
    }
    if (part.quoted || 'text' in part) {
      text += value
      fixed = true
      continue
    }
    // An unquoted value falls apart at white space.
    const pieces = value.split(/\s+/)
    text += pieces[0] ?? ''
    if (text !== '') fixed = true
    for (const piece of pieces.slice(1)) {
      if (fixed || text !== '') fields.push(text)
      text = piece
      fixed = piece !== ''
    }
  }
  if (fixed || text !== '') fields.push(text)
  return fields
}
