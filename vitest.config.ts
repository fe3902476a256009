import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { longestFirst } from './scripts/longest-first.ts'

const tests = {
  node: ['packages/**/*.test.ts', 'apps/{server,agent,launcher}/**/*.test.ts', 'scripts/**/*.test.ts'],
  console: ['apps/console/**/*.test.{ts,tsx}'],
}
const whose = (patterns: string[], text: RegExp): string[] =>
  globSync(patterns, { cwd: import.meta.dirname, exclude: ['**/node_modules'] }).filter((file) =>
    text.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
  )
/** They replace a module: no other file may meet the replacement, nor they the module as it was loaded before. */
const mocks = { node: whose(tests.node, /vi\.mock\(/), console: whose(tests.console, /vi\.mock\(/) }
/** They start the simulated cluster, an agent or a launcher, or walk through all calls: half of the time in a tenth of the files. */
const integration = [
  ...whose(tests.node, /\b(startSandbox|sandboxApp|sharedSandbox|sampleApp|agentProcess|launch|walk)\(/),
  'apps/server/test/**/*.test.ts',
]
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

/**
 * What runs in Node, with one PostgreSQL for the whole run; the console in a simulated browser; the product as it is
 * started. `npm test` without arguments leaves `integration` and `product` to `npm run test:integration`.
 */
export default defineConfig({
  test: {
    reporters: ['default', './scripts/slowest-tests.ts'],
    // More than the cores of a small machine: with two on two cores, half of them idles.
    maxWorkers: 3,
    sequence: { sequencer: longestFirst(/\/fuzz\.test\.ts$/) },
    projects: [
      {
        test: {
          ...node,
          name: 'node',
          isolate,
          include: tests.node,
          exclude: [...notHere, ...mocks.node, ...integration],
        },
      },
      {
        test: {
          ...node,
          name: 'integration',
          isolate,
          include: integration,
          exclude: [...notHere, ...mocks.node],
        },
      },
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
