import { defineConfig } from 'vitest/config'

/** The suites against a real Kubernetes: each starts the lab's cluster if need be, or skips and says so. */
export default defineConfig({
  test: {
    include: ['**/*.cluster.test.ts'],
    exclude: ['**/node_modules/**'],
    maxWorkers: 1,
    testTimeout: 120_000,
    // What a real cluster does, it does in its own time.
    expect: { poll: { timeout: 60_000, interval: 250 } },
    hookTimeout: 300_000,
  },
})
