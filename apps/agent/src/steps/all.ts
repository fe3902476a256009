import type { Step } from '../protocol.ts'
import { runDeploy } from './deploy.ts'
import { runScript } from './script.ts'
import type { RunStep, StepContext } from './step.ts'

/** Passes the context to a step's own function; the step's type has selected both. */
const of =
  <S extends Step>(run: (ctx: StepContext<S>) => ReturnType<RunStep>): RunStep =>
  (ctx) =>
    run(ctx as StepContext<S>)

/** Rare kinds of steps are loaded when the first one comes, so that an agent which only runs scripts stays small. */
export const steps: Record<Step['type'], RunStep> = {
  script: of(runScript),
  deploy: of(runDeploy),
  checkout: async (ctx) => of((await import('./checkout.ts')).runCheckout)(ctx),
  report: async (ctx) => of((await import('./report.ts')).runReport)(ctx),
  artifact: async (ctx) => of((await import('./artifact.ts')).runArtifact)(ctx),
  coverage: async (ctx) => of((await import('./findings.ts')).runCoverage)(ctx),
  scan: async (ctx) => of((await import('./findings.ts')).runScan)(ctx),
  cache: async (ctx) => of((await import('./cache.ts')).runCache)(ctx),
  'code-quality': async (ctx) => of((await import('./code-quality.ts')).runCodeQuality)(ctx),
  http: async (ctx) => of((await import('./served.ts')).runServed)(ctx),
  pipeline: async (ctx) => of((await import('./served.ts')).runServed)(ctx),
  mail: async (ctx) => of((await import('./served.ts')).runServed)(ctx),
  helm: async (ctx) => of((await import('./served.ts')).runServed)(ctx),
  blueprint: async (ctx) => of((await import('./served.ts')).runServed)(ctx),
  copy: async (ctx) => of((await import('./copy.ts')).runCopy)(ctx),
  image: async (ctx) => of((await import('./image.ts')).runImage)(ctx),
}
