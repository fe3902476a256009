import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const tests = {
  node: ['packages/**/*.test.ts', 'apps/{server,agent,launcher}/**/*.test.ts', 'scripts/**/*.test.ts'],
  console: ['apps/console/**/*.test.{ts,tsx}'],
}
/** Those that replace a module: no other file may meet the replacement, nor they the module as it was loaded before. */
const withMocks = (patterns: string[]): string[] =>
  globSync(patterns, { cwd: import.meta.dirname, exclude: ['**/node_modules'] }).filter((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8').includes('vi.mock('),
  )
const mocks = { node: withMocks(tests.node), console: withMocks(tests.console) }
// Modules are loaded once a worker; each test has a database, a team, a folder or a page of its own.
const isolate = false
// Suites against real servers have a configuration of their own; what is slow and seldom breaks belongs to the full run.
const notHere = [
  '**/node_modules/**',
  '**/*.{services,cluster}.test.ts',
  ...(process.env['GANTRY_FULL'] === 'on' ? [] : ['**/*.full.test.ts']),
]
// As long as `eventually` waits: a busy machine takes more than a second.
const poll = { timeout: 15_000 }
const node = {
  globalSetup: 'apps/server/test/global-setup.ts',
  // A test that hangs is stopped; one that a busy machine slows down is not.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll },
}
const page = {
  environment: 'happy-dom',
  // It loads no sheets; who waits for one is told that it is there.
  environmentOptions: {
    happyDOM: {
      settings: {
        handleDisabledFileLoadingAsSuccess: true,
        // A download's link would lead the window away, and with it all files of its worker.
        navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true },
      },
    },
  },
  css: { include: /widgets\.css/ },
  testTimeout: 60_000,
  expect: { poll },
}

/** Starts the simulated cluster, an agent, a launcher or a long walk, and waits for them more than it computes. */
const startsOthers = /\b(startSandbox|sandboxApp|sharedSandbox|sampleApp|agentProcess|launch|walk)\(/
const waits = ({ project, moduleId }: TestSpecification): boolean =>
  project.name === 'product' || startsOthers.test(readFileSync(moduleId, 'utf8'))

/** The last part of a run is without files that wait: none of them goes on alone when all others are done. */
const withWaiters = 0.75

/**
 * Files that wait are spread among those of Node that compute meanwhile; in the order of projects and sizes they would
 * come together, and the cores would idle. Pages come first and together: a worker of theirs runs nothing else.
 */
class WaitersBetween extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const pages = sorted.filter(({ project }) => project.name.startsWith('console'))
    const [first, ...waiters] = sorted
      .filter((file) => !pages.includes(file) && waits(file))
      .toSorted((one, other) => Number(other.project.name === 'product') - Number(one.project.name === 'product'))
    const others = sorted.filter((file) => file !== first && !pages.includes(file) && !waiters.includes(file))
    if (first === undefined) return sorted
    const step = (others.length * withWaiters) / Math.max(waiters.length, 1)
    const among = waiters.flatMap((file, at) => [
      file,
      ...others.slice(Math.ceil(at * step), Math.ceil((at + 1) * step)),
    ])
    return [first, ...pages, ...among, ...others.slice(Math.ceil(waiters.length * step))]
  }
}

/** What runs in Node, with one PostgreSQL for the whole run; the console in a simulated browser; the product as it is started. */
export default defineConfig({
  test: {
    reporters: ['default', './scripts/slowest-tests.ts'],
    // More than the cores of a small machine: with two on two cores, half of them idles.
    maxWorkers: 3,
    sequence: { sequencer: WaitersBetween },
    projects: [
      { test: { ...node, name: 'node', isolate, include: tests.node, exclude: [...notHere, ...mocks.node] } },
      { test: { ...node, name: 'node-mocks', include: mocks.node } },
      { test: { ...page, name: 'console', isolate, include: tests.console, exclude: [...notHere, ...mocks.console] } },
      { test: { ...page, name: 'console-mocks', include: mocks.console } },
      {
        test: {
          name: 'product',
          include: ['e2e/**/*.test.ts'],
          exclude: notHere,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll },
        },
      },
    ],
  },
})
