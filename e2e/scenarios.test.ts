import { isFull } from '../apps/server/test/full.ts'
import { scenariosOf, scenarioSuite } from './scenario-suite.ts'

/** The gate runs one of each kind: a plain build, a failure, a stop, parallel jobs, an agent that dies. */
const sample = ['environment-of-a-step', 'retries', 'stopped-in-a-step', 'matrix', 'agent-dies-and-comes-back']

scenarioSuite(isFull ? scenariosOf('process') : sample, async () => ({
  executor: 'process',
  agent: {},
  close: () => Promise.resolve(),
}))
