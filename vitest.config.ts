import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

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
// Suites against real servers have a configuration of their own.
const notHere = ['**/node_modules/**', '**/*.{services,cluster}.test.ts']
const node = { globalSetup: 'apps/server/test/global-setup.ts', testTimeout: 20_000, hookTimeout: 60_000 }
const page = {
  environment: 'happy-dom',
  // It loads no sheets; who waits for one is told that it is there.
  environmentOptions: { happyDOM: { settings: { handleDisabledFileLoadingAsSuccess: true } } },
  css: { include: /widgets\.css/ },
  testTimeout: 20_000,
}

/** What runs in Node, with one PostgreSQL for the whole run; the console in a simulated browser; the product as it is started. */
export default defineConfig({
  test: {
    reporters: ['default', './scripts/slowest-tests.ts'],
    // More than the cores of a small machine: a good part of the time is waiting.
    maxWorkers: 3,
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
        },
      },
    ],
  },
})
