import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

const files = ['**/*.cluster.test.ts', 'e2e/clusters/*.e2e.ts']
/**
 * What others would notice: the only host is drained, another one is there, metrics are gone, what the default storage
 * class is, objects whose name is fixed.
 */
const alone = [
  '**/{drain,sampling,storage,zones,cluster-agents}.cluster.test.ts',
  'e2e/clusters/{hosts,storage}.e2e.ts',
]
const outage = ['**/outage.cluster.test.ts']
const elsewhere = ['**/node_modules/**']

let groups = 0
const group = (
  name: string,
  maxWorkers: number,
  include: string[],
  exclude: string[],
): TestProjectInlineConfiguration => ({
  test: {
    name,
    include,
    exclude: [...elsewhere, ...exclude],
    // The stories that are told on the sandbox else (e2e/clusters/cluster.ts).
    env: { GANTRY_STORIES: 'lab' },
    maxWorkers,
    sequence: { groupOrder: groups++ },
    testTimeout: 120_000,
    // What a real cluster does, it does in its own time.
    expect: { poll: { timeout: 60_000, interval: 250 } },
    hookTimeout: 300_000,
  },
})

/**
 * The suites against a real Kubernetes, all on the lab's one: without it they skip and say so. Those that keep to
 * namespaces of their own run beside each other, the others after them, and what takes the API server down comes last.
 */
export default defineConfig({
  test: {
    reporters: ['default', './scripts/slowest-tests.ts'],
    // Databases for the suites that ask the whole server.
    globalSetup: ['e2e/real-cluster.ts', 'apps/server/test/global-setup.ts'],
    projects: [
      group('beside', 2, files, [...alone, ...outage]),
      group('alone', 1, alone, []),
      group('outage', 1, outage, []),
    ],
  },
})
