import { describe } from 'vitest'
import { images, ownNamespace, whyNoKube } from '../apps/agent/test/kube.ts'
import { scenariosOf, scenarioSuite } from './scenario-suite.ts'

describe.skipIf(whyNoKube !== '')(`builds in a real Kubernetes (${whyNoKube || 'it is there'})`, () => {
  scenarioSuite(scenariosOf('kubernetes'), async () => {
    const namespace = await ownNamespace()
    return {
      executor: 'kubernetes',
      agent: { ...namespace.environment, GANTRY_AGENT_BUILD_MEMORY_MB: '256' },
      image: images.shell,
      address: namespace.serve,
      close: namespace.close,
    }
  })
})
