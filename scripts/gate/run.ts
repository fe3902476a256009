import { spawn, type StdioNull, type StdioOptions } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileReport, SuiteReport } from './report.ts'

export type Tier = 'gate' | 'full'

/** The part of a suite that belongs to a tier, and why that part suffices or is needed. */
export interface Selection {
  why: string
  /** Arguments of vitest: parts of file names. Without them all files of the suite run. */
  files?: string[]
  env?: Record<string, string>
  /**
   * It waits for other servers: it runs beside the checks and the suites in turn, and its output is printed whole once
   * it and the suite in turn have ended.
   */
  beside?: true
}

/** A suite of tests: a command that accepts the arguments of vitest. */
export interface Suite {
  name: string
  command: string[]
  /** Lab programs that the suite needs, by their path in the lab; they are started before it. */
  lab?: string[]
  /** Without a lab the whole suite is skipped. */
  needsLab?: true
  /** Undefined if the suite belongs to `full` only. */
  gate?: Selection
  full: Selection
}

/** More flaky files than this mean that something is wrong with the product or the machine. */
export const mostFlaky = 12
/** How often a file that failed is run again. */
const secondChances = 2
/** A suite that still runs then hangs: it is killed, and the run names it. In full, the stories take an hour. */
export const suiteLimitMs: Record<Tier, number> = { gate: 40 * 60_000, full: 90 * 60_000 }

/** How a run reaches its environment. With `to`, an open file gets the output in place of the terminal. */
export interface Surroundings {
  /** Runs the checks; true if they pass. */
  check?: () => Promise<boolean>
  /** Starts a lab program; true if it is up. */
  start: (program: string, to?: number) => Promise<boolean>
  /** Runs a command to its end and resolves with its exit code; null where it was killed or could not be started. */
  run: (command: string[], env: Record<string, string>, to?: number) => Promise<number | null>
  say: (line: string) => void
}

/** Signals that end a run; a command does not receive them by itself, because it has its own process group. */
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a command whose output goes to this process's output, to an open file or nowhere. A command that takes too long is killed with
 * all processes that it started, for which it has its own process group; if this process is ended, so is the command.
 */
export function runToEnd(
  [file = '', ...args]: string[],
  {
    env = {},
    output = 'inherit',
    limitMs,
  }: { env?: Record<string, string>; output?: StdioNull | number | undefined; limitMs?: number } = {},
): Promise<number | null> {
  return new Promise((done) => {
    const stdio: StdioOptions = ['ignore', output, output]
    const child = spawn(file, args, { env: { ...process.env, ...env }, stdio, detached: true })
    const kill = (signal: NodeJS.Signals): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal)
      } catch (error) {
        // it has just ended by itself
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
    const limit = limitMs === undefined ? undefined : setTimeout(kill, limitMs, 'SIGKILL')
    const pass = (signal: NodeJS.Signals): void => {
      kill(signal)
      // only then, so that the other commands that run receive it too
      setImmediate(() => process.exit(1))
    }
    for (const signal of passedOn) process.on(signal, pass)
    const end = (code: number | null): void => {
      clearTimeout(limit)
      for (const signal of passedOn) process.off(signal, pass)
      done(code)
    }
    child.once('error', () => end(null))
    child.once('close', end)
  })
}

const reporters = ['default', './scripts/slowest-tests.ts', './scripts/gate/report.ts'].map(
  (name) => `--reporter=${name}`,
)

/** Runs files of a suite; answers their results, and why the suite crashed, if it did. */
async function runFiles(
  { run }: Surroundings,
  { suite, selection, files }: { suite: Suite; selection: Selection; files: string[] },
): Promise<SuiteReport> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-gate-'))
  const target = join(folder, 'report.json')
  const env = { ...selection.env, GANTRY_REPORT: target }
  const code = await run([...suite.command, ...files, ...reporters], env)
  const report: SuiteReport = existsSync(target)
    ? (JSON.parse(readFileSync(target, 'utf8')) as SuiteReport)
    : { files: [], crashes: [`it ended with ${code ?? 'a signal'} and left no report`] }
  rmSync(folder, { recursive: true })
  if (code !== 0 && report.crashes.length === 0 && !report.files.some(hasFailed))
    report.crashes.push(`it ended with ${code ?? 'a signal'}, though no test failed`)
  return report
}

const hasFailed = ({ failed, errors }: FileReport): boolean => failed > 0 || errors.length > 0

type SuiteFile = FileReport & { suite: string }

export interface Outcome {
  passed: number
  failed: number
  skipped: number
  /** Files that failed first and passed when they were run again. */
  flaky: SuiteFile[]
  /** Files that failed in every run, with the results of the last one. */
  broken: SuiteFile[]
  /** Why whole suites failed: a crash, or no test ran. */
  crashes: string[]
}

/** Surroundings whose output is kept in a file; `end` ends a part of it, and `print` prints the parts that have ended. */
function keepOutput({ start, run, say }: Surroundings) {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-gate-'))
  const file = join(folder, 'output')
  const to = openSync(file, 'a')
  const ended: string[] = []
  return {
    surroundings: {
      start: (program: string) => start(program, to),
      run: (command: string[], env: Record<string, string>) => run(command, env, to),
      say: (line: string) => appendFileSync(to, `${line}\n`),
    },
    end: (): void => {
      ended.push(readFileSync(file, 'utf8').trimEnd())
      truncateSync(file)
    },
    print: (): void => {
      for (const text of ended.splice(0)) say(text)
    },
    close: (): void => {
      closeSync(to)
      rmSync(folder, { recursive: true })
    },
  }
}

/**
 * Runs the checks and then the suites in turn, each after the lab programs that it needs, and beside them those that go
 * beside; a suite whose programs do not start is not run. Then runs each file with a failure again, alone and at most
 * twice. A file that passes then is flaky: it is counted, and does not fail the run.
 */
export async function runSuites(suites: Suite[], tier: Tier, surroundings: Surroundings): Promise<Outcome> {
  const { say } = surroundings
  const outcome: Outcome = { passed: 0, failed: 0, skipped: 0, flaky: [], broken: [], crashes: [] }
  const starts = new Map<string, Promise<boolean>>()
  const add = ({ passed, failed, skipped, errors }: FileReport): void => {
    outcome.passed += passed
    // a failure outside of a test counts as one
    outcome.failed += failed > 0 ? failed : Math.min(errors.length, 1)
    outcome.skipped += skipped
  }
  const again: { suite: Suite; selection: Selection; first: FileReport }[] = []

  async function stands(program: string, { start, say }: Surroundings): Promise<boolean> {
    const isUp = await timed(say, `start ${program}`, () => start(program))
    if (!isUp) outcome.crashes.push(`${program} did not start`)
    return isUp
  }
  async function runOnce(suite: Suite, where: Surroundings): Promise<void> {
    const selection = suite[tier]
    if (!selection) return
    let canRun = true
    for (const program of suite.lab ?? []) {
      const start = starts.get(program) ?? stands(program, where)
      starts.set(program, start)
      canRun = (await start) && canRun
    }
    // its tests would fail for the same reason, each only after its full timeout
    if (!canRun) {
      where.say(`== ${suite.name}: not run`)
      return
    }
    const report = await timed(where.say, `${suite.name} (${selection.why})`, () =>
      runFiles(where, { suite, selection, files: selection.files ?? [] }),
    )
    for (const file of report.files)
      if (hasFailed(file)) again.push({ suite, selection, first: file })
      else add(file)
    if (!report.files.some(({ passed, failed, errors }) => passed + failed + errors.length > 0))
      report.crashes.push('it ran no test')
    outcome.crashes.push(...report.crashes.map((why) => `${suite.name}: ${why}`))
  }

  const kept = keepOutput(surroundings)
  const isBeside = (suite: Suite): boolean => suite[tier]?.beside === true
  async function runInTurn(): Promise<void> {
    const { check } = surroundings
    if (check && !(await timed(say, 'check', check))) outcome.crashes.push('check')
    kept.print()
    for (const suite of suites.filter((one) => !isBeside(one))) {
      await runOnce(suite, surroundings)
      kept.print()
    }
  }
  async function runBeside(): Promise<void> {
    for (const suite of suites.filter(isBeside)) {
      await runOnce(suite, kept.surroundings)
      kept.end()
    }
  }
  await Promise.all([runInTurn(), runBeside()])
  kept.print()
  kept.close()

  for (const { suite, selection, first } of again) {
    let last = first
    for (let chance = 1; chance <= secondChances && hasFailed(last); chance++) {
      const report = await timed(say, `${first.file}, again (${chance} of ${secondChances})`, () =>
        runFiles(surroundings, { suite, selection, files: [first.file] }),
      )
      const found = report.files.find(({ file }) => file === first.file)
      // a file that now skips all its tests has not passed
      if (found && report.crashes.length === 0 && found.passed + found.failed > 0) last = found
    }
    add(last)
    ;(hasFailed(last) ? outcome.broken : outcome.flaky).push({ ...first, suite: suite.name })
  }
  outcome.failed += outcome.crashes.length
  return outcome
}

/** Prints what begins, and at its end how long it took. */
async function timed<T>(say: (line: string) => void, what: string, work: () => Promise<T>): Promise<T> {
  say(`== ${what}`)
  const started = performance.now()
  try {
    return await work()
  } finally {
    say(`== ${what}: ${Math.round((performance.now() - started) / 1000)} s`)
  }
}

/** The last lines of a run: failed and flaky files, each with its first error, and the figures. */
export function summaryOf({ passed, failed, skipped, flaky, broken, crashes }: Outcome): string[] {
  const lines = (word: string, files: SuiteFile[]): string[] =>
    files.flatMap(({ suite, file, errors }) => [
      `${word} ${suite}: ${file}${errors[0] ? ` > ${errors[0].test}` : ''}`,
      ...excerpt(errors[0]?.message ?? ''),
    ])
  return [
    ...lines('FLAKY', flaky),
    ...lines('FAILED', broken),
    ...crashes.map((why) => `FAILED ${why}`),
    `${flaky.length} flaky files${flaky.length > mostFlaky ? `: more than ${mostFlaky}, so the run fails` : ''}`,
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ]
}

const excerpt = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !/node_modules|^ +at new Promise/.test(line))
    .slice(0, 12)
    .map((line) => `    ${line.slice(0, 240)}`)

export const isGreen = ({ passed, failed, flaky }: Outcome): boolean =>
  failed === 0 && passed > 0 && flaky.length <= mostFlaky
