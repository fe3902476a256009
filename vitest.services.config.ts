import { defineConfig } from 'vitest/config'

/** The suites against real servers: each starts what it needs from the lab, or skips and says so. */
export default defineConfig({
  test: {
    reporters: ['default', './scripts/slowest-tests.ts'],
    include: ['**/*.services.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: 'apps/server/test/global-setup.ts',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
})
