import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { ownPodman, whyNoPodman } from '../apps/agent/test/podman.ts'
import { isFull } from '../apps/server/test/full.ts'
import { scenariosOf, scenarioSuite } from './scenario-suite.ts'

const sample = ['retries', 'stopped-while-jobs-run', 'matrix', 'agent-dies-and-comes-back']

describe.skipIf(whyNoPodman !== '')(`builds in containers of podman (${whyNoPodman || 'it is there'})`, () => {
  scenarioSuite(isFull ? scenariosOf('container') : sample, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'gantry-podman-'))
    const podman = ownPodman(join(dir, 'engine'))
    return {
      executor: 'container',
      agent: { GANTRY_AGENT_CONTAINER_ENGINE: podman.program },
      image: podman.image,
      async close() {
        podman.close()
        rmSync(dir, { recursive: true, force: true })
      },
    }
  })
})
