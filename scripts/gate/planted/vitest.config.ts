import { defineConfig } from 'vitest/config'

/** Of what ../gate.full.test.ts plants. */
export default defineConfig({ test: { include: ['scripts/gate/planted/*.planted.ts'] } })
