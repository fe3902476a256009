import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { type Reason, reasonOf, sayInLog } from '../../kernel/phrase.ts'
import {
  actorOfBuild,
  type LeaseKey,
  heldStep,
  imageOfTrigger,
  imagesOfBuild,
  stepOfBuild,
} from '../pipelines/public.ts'
import { deployImage, deployKey } from '../stacks/public.ts'

interface Answer {
  cancel: boolean
  state: 'running' | 'success' | 'failed'
  log: string[]
  reason: Reason | null
}

/**
 * Runs a deploy step. The agent that holds the build calls it every second: the first call starts the deployment, later
 * ones report its progress. A build triggered by an image deploys that image. The server deploys with the permissions
 * of the user who triggered the build, because an agent has no access to any cluster.
 */
export async function deployStep(ctx: Ctx, lease: LeaseKey, index: number): Promise<Answer> {
  const job = await heldStep(ctx, lease, index)
  const step = await stepOfBuild(ctx.db, job.buildId, index)
  if (step?.type !== 'deploy') throw new Fault('missing', 'resource-missing')
  const images = await imagesOfBuild(ctx.db, job.buildId)
  const made = step.imageFrom === undefined ? images.at(-1) : images.find((one) => one.step === step.imageFrom)
  const given = await imageOfTrigger(ctx.db, job.buildId)
  // the image of the trigger replaces only the one of its own name: a step for another image still deploys that one
  const image = given && (step.imageFrom === undefined || !made || made.image === given.image) ? given : made
  if (!image) {
    const reason = { key: 'agents-no-image-to-deploy', vars: { step: step.imageFrom ?? '' } }
    return { cancel: job.cancelled, state: 'failed', log: ['no image to deploy'], reason }
  }
  try {
    const actor = await actorOfBuild(ctx, job.buildId)
    const { state, line, reason } = await deployImage(
      { ...ctx, actor },
      {
        teamId: job.teamId,
        step,
        image: `${image.image}:${image.tag}`,
        digest: image.digest,
        registryId: image.registryId,
        // another image starts another deployment
        key: deployKey(job.buildId, index, image.digest),
        attempt: job.attempt,
        by: actor.name,
      },
    )
    return { cancel: job.cancelled, state, log: [line], reason }
  } catch (error) {
    // a refusal fails the step; after any other error the agent calls again
    if (!(error instanceof Fault) || error.status >= 500) throw error
    return {
      cancel: job.cancelled,
      state: 'failed',
      log: [`refused: ${sayInLog(error)}`],
      reason: reasonOf(error),
    }
  }
}
