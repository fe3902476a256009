import { defineConfig } from 'vitest/config'

/** Browser stories: each needs a Chromium, or skips and says so. */
export default defineConfig({
  test: {
    reporters: ['default', './scripts/slowest-tests.ts'],
    include: ['e2e/**/*.e2e.ts'],
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
