import type { Step } from '../protocol.ts'
import { StepFailure } from '../reasons.ts'
import { runScript } from './script.ts'
import type { RunStep, StepContext } from './step.ts'

const later: RunStep = () => Promise.reject(new StepFailure('agents-defect', { message: 'not built yet' }))

/** The rarer steps are loaded when the first of them comes: an agent that only runs scripts stays small. */
export const steps: Record<Step['type'], RunStep> = {
  script: (ctx) => runScript(ctx as StepContext<Parameters<typeof runScript>[0]['step']>),
  checkout: later,
  report: later,
  artifact: later,
  image: later,
  deploy: later,
}
