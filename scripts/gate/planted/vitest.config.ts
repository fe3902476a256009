import { defineConfig } from 'vitest/config'

/** The configuration of the files that ../gate.full.test.ts runs. */
export default defineConfig({ test: { include: ['scripts/gate/planted/*.planted.ts'] } })
