import { defineConfig } from 'vitest/config'
import { longestFirst } from './scripts/longest-first.ts'

/** Browser stories: each needs a Chromium, or skips and says so. */
export default defineConfig({
  test: {
    reporters: ['default', './scripts/slowest-tests.ts'],
    include: ['e2e/**/*.e2e.ts'],
    globalSetup: ['e2e/shared-product.ts'],
    // A story waits for its page half of the time.
    maxWorkers: 3,
    sequence: { sequencer: longestFirst(/\/walk\/\w+\.e2e\.ts$/) },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
