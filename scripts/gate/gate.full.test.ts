import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { eventually } from '@gantry/waiting/eventually'
import { describe, expect, test, vi } from 'vitest'
import {
  isGreen,
  mostFlaky,
  type Outcome,
  runSuites,
  runToEnd,
  type Suite,
  summaryOf,
  type Surroundings,
} from './run.ts'
import type { SuiteReport } from './report.ts'
import { suites } from './suites.ts'

const root = resolve(import.meta.dirname, '../..')

/** A suite of these planted files. */
const planted = (...names: string[]): Suite => ({
  name: 'planted',
  command: [
    process.execPath,
    'node_modules/vitest/vitest.mjs',
    'run',
    '-c',
    'scripts/gate/planted/vitest.config.ts',
    '--root',
    root,
  ],
  gate: {
    why: 'a test of the gate',
    files: names.map((name) => `planted/${name}.planted.ts`),
    env: { GANTRY_PLANTED: join(tmpdir(), `gantry-planted-${randomBytes(4).toString('hex')}`) },
  },
  full: { why: 'a test of the gate' },
})
const surroundings: Surroundings = {
  start: () => Promise.reject(new Error('nothing of the lab is asked')),
  run: (command, env, to) => runToEnd(command, { env, output: to ?? 'ignore' }),
  say: () => undefined,
}
const ran = (suite: Suite): Promise<Outcome> => runSuites([suite], 'gate', surroundings)

describe('the gate', () => {
  test('adds up passed and skipped tests', async () => {
    const outcome = await ran(planted('passes'))
    expect(outcome).toMatchObject({ passed: 1, failed: 0, skipped: 1, flaky: [], broken: [], crashes: [] })
    expect(isGreen(outcome)).toBe(true)
  })

  test('passes a file that fails once, and reports it with its first error', async () => {
    const outcome = await ran(planted('passes', 'flakes'))
    expect(outcome).toMatchObject({ passed: 2, failed: 0, broken: [], crashes: [] })
    expect(summaryOf(outcome).join('\n')).toMatch(
      /^FLAKY planted: scripts\/gate\/planted\/flakes\.planted\.ts > passes at the second try\n.*expected false to be true/,
    )
    expect(isGreen(outcome)).toBe(true)
  })

  test.each([
    ['fails', 'fails each time', 1],
    ['breaks', 'the file itself', 0],
    ['throws', 'an error that no test caught', 1],
    ['skips', 'fails at first', 0],
  ])('fails if a file %s each time', async (name, what, passed) => {
    const outcome = await ran(planted(name))
    expect(outcome).toMatchObject({ passed, failed: 1, flaky: [], crashes: [] })
    expect(summaryOf(outcome)[0]).toBe(`FAILED planted: scripts/gate/planted/${name}.planted.ts > ${what}`)
    expect(isGreen(outcome)).toBe(false)
  })

  test.each([
    ['a suite that crashes', planted('passes', 'ends'), 'left no report'],
    ['a suite that ran no test', planted('not-there'), 'it ran no test'],
    ['a suite that cannot be started', { ...planted(), command: ['/not/there'] }, 'left no report'],
    [
      'a suite that ends with an error after its tests have passed',
      { ...planted('passes'), command: ['sh', '-c', '"$@"; exit 3', 'sh', ...planted().command] },
      'it ended with 3, though no test failed',
    ],
  ])('fails over %s', async (_, suite, why) => {
    const outcome = await ran(suite)
    expect(summaryOf(outcome).join('\n')).toContain(why)
    expect(outcome.failed).toBeGreaterThan(0)
    expect(isGreen(outcome)).toBe(false)
  })

  test('starts each lab program once; if one does not start, fails and still runs the other suites', async () => {
    const start = vi.fn<(program: string) => Promise<boolean>>((program) =>
      Promise.resolve(program !== 'services/ldap'),
    )
    const asks = (...lab: string[]): Suite => ({ ...planted('passes'), lab })
    const list = [asks('services/smtp', 'services/ldap'), asks('services/ldap'), asks('services/smtp')]
    const outcome = await runSuites(list, 'gate', { ...surroundings, start })
    expect(start.mock.calls).toEqual([['services/smtp'], ['services/ldap']])
    expect(outcome).toMatchObject({ passed: 1, failed: 1, crashes: ['services/ldap did not start'] })
  })

  describe('with a suite beside the others', () => {
    const beside = (suite: Suite, name: string): Suite => ({
      ...suite,
      name,
      gate: { why: 'a test of the gate', ...suite.gate, beside: true },
    })

    test('runs both at once, and prints its output whole after the one in turn', async () => {
      const said: string[] = []
      const both = Promise.withResolvers<void>()
      let running = 0
      const outcome = await runSuites([planted(), beside(planted(), 'beside')], 'gate', {
        ...surroundings,
        run: async (_command, { GANTRY_REPORT: report = '' }, to) => {
          const say = (line: string) => (to === undefined ? said.push(line) : appendFileSync(to, `${line}\n`))
          say(to === undefined ? 'of the one in turn' : 'of the one beside')
          running += 1
          if (running === 2) both.resolve()
          await both.promise
          say('more')
          const files = [{ file: 'a.test.ts', passed: 1, failed: 0, skipped: 0, errors: [] }]
          writeFileSync(report, JSON.stringify({ files, crashes: [] } satisfies SuiteReport))
          return 0
        },
        // all arguments, because the console prints all
        say: (...lines) => said.push(...lines),
      })
      expect(outcome).toMatchObject({ passed: 2, failed: 0, crashes: [] })
      const output = (name: string, which: string) =>
        `== ${name} (a test of the gate)\n${which}\nmore\n== ${name} (a test of the gate): … s`
      expect(said.join('\n').replaceAll(/: \d+ s$/gm, ': … s')).toBe(
        `${output('planted', 'of the one in turn')}\n${output('beside', 'of the one beside')}`,
      )
    })

    test('gives its files a second chance, and fails over its crash', async () => {
      const outcome = await runSuites(
        [planted('passes'), beside(planted('flakes'), 'one'), beside(planted('ends'), 'other')],
        'gate',
        surroundings,
      )
      expect(outcome).toMatchObject({ passed: 2, failed: 2, flaky: [{ suite: 'one' }] })
      expect(outcome.crashes).toEqual([expect.stringMatching(/^other: .*left no report/), 'other: it ran no test'])
      expect(isGreen(outcome)).toBe(false)
    })
  })

  test.each([
    [true, { failed: 0, crashes: [] }],
    [false, { failed: 1, crashes: ['check'] }],
  ])('is as the checks are: %s', async (passes, expected) => {
    const outcome = await runSuites([planted('passes')], 'gate', {
      ...surroundings,
      check: () => Promise.resolve(passes),
    })
    expect(outcome).toMatchObject({ passed: 1, ...expected })
    expect(isGreen(outcome)).toBe(passes)
  })

  test('ends a command that takes too long together with all processes it started', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'gantry-group-')), 'pid')
    const command = ['sh', '-c', 'sleep 600 & echo $! >"$1"; wait', 'sh', file]
    expect(await runToEnd(command, { output: 'ignore', limitMs: 3_000 })).toBeNull()
    const started = Number(readFileSync(file, 'utf8'))
    await eventually(() => expect(() => process.kill(started, 0)).toThrow('ESRCH'))
    rmSync(dirname(file), { recursive: true })
  })

  test('is not green with more flaky files than allowed', () => {
    const flaky = { suite: 'test', file: 'a.test.ts', passed: 0, failed: 1, skipped: 0, errors: [] }
    const outcome = { passed: 100, failed: 0, skipped: 0, broken: [], crashes: [] }
    const files = (length: number) => Array.from({ length }, () => flaky)
    expect(isGreen({ ...outcome, flaky: files(mostFlaky) })).toBe(true)
    expect(isGreen({ ...outcome, flaky: files(mostFlaky + 1) })).toBe(false)
  })
})

describe('the list of suites', () => {
  test('names only existing files', () => {
    const there = globSync(['apps/**/*.ts', 'e2e/**/*.ts'], { cwd: root, exclude: ['**/node_modules'] })
    const named = suites.flatMap(({ gate, full }) => [...(gate?.files ?? []), ...(full.files ?? [])])
    expect(named.filter((part) => !there.some((file) => file.includes(part)))).toEqual([])
  })

  test('includes every test file', () => {
    const files = globSync(['{apps,packages,scripts}/**/*.test.{ts,tsx}', 'e2e/**/*.{test,e2e}.ts'], {
      cwd: root,
      exclude: ['**/node_modules'],
    })
    const list = (config: string): string[] =>
      execFileSync('npx', ['vitest', 'list', '--filesOnly', '--json', '-c', config], {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, GANTRY_FULL: 'on' },
      })
        .match(/^ *"file": "(.*)",?$/gm)
        ?.map((line) => relative(root, line.split('"')[3] ?? '')) ?? []
    const configs = globSync('vitest*.config.ts', { cwd: root })
    expect(configs).toHaveLength(4)
    const listed = new Set(configs.flatMap(list))
    expect(listed.size).toBeGreaterThan(100)
    expect(files.filter((file) => !listed.has(file))).toEqual([])
  })
})
