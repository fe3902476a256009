import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const takesItDown = ({ moduleId }: TestSpecification): number => Number(moduleId.endsWith('outage.cluster.test.ts'))

/** What makes trouble for the one cluster that all suites share comes last. */
class TroubleLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => takesItDown(a) - takesItDown(b))
  }
}

/** The suites against a real Kubernetes: each starts the lab's cluster if need be, or skips and says so. */
export default defineConfig({
  test: {
    reporters: ['default', './scripts/slowest-tests.ts'],
    include: ['**/*.cluster.test.ts', 'e2e/clusters/*.e2e.ts'],
    // The stories that are told on the sandbox else (e2e/clusters/cluster.ts).
    env: { GANTRY_STORIES: 'lab' },
    exclude: ['**/node_modules/**'],
    // Databases for the suites that ask the whole server.
    globalSetup: ['apps/server/test/global-setup.ts'],
    maxWorkers: 1,
    sequence: { sequencer: TroubleLast },
    testTimeout: 120_000,
    // What a real cluster does, it does in its own time.
    expect: { poll: { timeout: 60_000, interval: 250 } },
    hookTimeout: 300_000,
  },
})
