import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const isLong = ({ moduleId }: TestSpecification): number => Number(/\/walk\/\w+\.e2e\.ts$/.test(moduleId))

/** The longest files, which others go on beside, come first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => isLong(b) - isLong(a))
  }
}

/** Browser stories: each needs a Chromium, or skips and says so. */
export default defineConfig({
  test: {
    reporters: ['default', './scripts/slowest-tests.ts'],
    include: ['e2e/**/*.e2e.ts'],
    globalSetup: ['e2e/shared-product.ts'],
    // A story waits for its page half of the time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
