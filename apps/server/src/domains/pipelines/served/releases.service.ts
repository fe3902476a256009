import type { Step } from '@gantry/contract/pipelines/definition'
import type { Ctx } from '../../../kernel/context.ts'
import { upgradeOfStep } from '../../blueprints/public.ts'
import { deployChartOfStep } from '../../helm/public.ts'
import { deployKey } from '../../stacks/public.ts'
import { actorOfBuild } from '../builds/builds.service.ts'
import type { Done, StepOfBuild } from './answer.ts'

type ReleaseStep = Extract<Step, { type: 'helm' | 'blueprint' }>

export const isReleaseStep = (step: Step): step is ReleaseStep => step.type === 'helm' || step.type === 'blueprint'

/** Deploys a chart or a version of a product on behalf of the build's actor, like a deploy step deploys an image. */
export async function releaseOfStep(
  ctx: Ctx,
  { buildId, teamId, index, attempt }: StepOfBuild,
  step: ReleaseStep,
  texts: Record<string, string>,
  masked: readonly string[],
): Promise<Done> {
  const of = { teamId, key: deployKey(buildId, index), attempt }
  const asker = { ...ctx, actor: await actorOfBuild(ctx, buildId) }
  const { state, line, reason } =
    step.type === 'helm'
      ? await deployChartOfStep(asker, { ...of, step, values: texts['values'] ?? step.values })
      : await upgradeOfStep(asker, { ...of, step, inputs: filledIn(step.inputs, texts), masked })
  return { state, log: [line], reason, outputs: {} }
}

/** The step's inputs with the values that the agent filled in; other values of the agent are ignored. */
const filledIn = (inputs: Record<string, string>, texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, texts[name] ?? value]))
