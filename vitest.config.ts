import { defineConfig } from 'vitest/config'

/** Tests that put something else in the place of a module, which no other file must meet. */
const withMocks = [
  'apps/server/src/domains/auth/bans/known-browsers.test.ts',
  'apps/server/src/domains/auth/session/{login,logout}.test.ts',
]
// Suites against real servers have a configuration of their own.
const notHere = ['**/node_modules/**', '**/*.{services,cluster}.test.ts']
const node = { globalSetup: 'apps/server/test/global-setup.ts', testTimeout: 20_000, hookTimeout: 60_000 }

/** What runs in Node, with one PostgreSQL for the whole run; the console in a simulated browser; the product as it is started. */
export default defineConfig({
  test: {
    reporters: ['default', './scripts/slowest-tests.ts'],
    // More than the cores of a small machine: a good part of the time is waiting.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...node,
          name: 'node',
          include: ['packages/**/*.test.ts', 'apps/{server,agent,launcher}/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...notHere, ...withMocks],
          // Modules are loaded once a worker; each test has a database, a team or a folder of its own.
          isolate: false,
        },
      },
      { test: { ...node, name: 'mocks', include: withMocks } },
      {
        test: {
          name: 'console',
          include: ['apps/console/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          testTimeout: 20_000,
        },
      },
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
