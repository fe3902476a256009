import { defineConfig } from 'vitest/config'

/** Three projects: what runs in Node, with one PostgreSQL for the whole run; the console in a simulated browser; the product as it is started. */
export default defineConfig({
  test: {
    reporters: ['default', './scripts/slowest-tests.ts'],
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'node',
          include: ['packages/**/*.test.ts', 'apps/{server,agent,launcher}/**/*.test.ts', 'scripts/**/*.test.ts'],
          // Suites against real servers have a configuration of their own.
          exclude: ['**/node_modules/**', '**/*.{services,cluster}.test.ts'],
          globalSetup: 'apps/server/test/global-setup.ts',
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
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
          exclude: ['**/node_modules/**', '**/*.{services,cluster}.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
