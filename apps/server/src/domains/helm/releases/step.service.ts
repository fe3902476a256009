import { permissionsOf } from '@gantry/contract/endpoint'
import { releases } from '@gantry/contract/helm/releases'
import type { Step } from '@gantry/contract/pipelines/definition'
import { mustHold } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { isReason, sayInLog } from '../../../kernel/phrase.ts'
import { attemptKey, findStack, type Progress } from '../../stacks/public.ts'
import { deployChart } from './deploy.service.ts'
import { findByName, lastDeploy, type StoredRelease } from './releases.store.ts'

export interface ChartDeployment {
  teamId: number
  step: Extract<Step, { type: 'helm' }>
  values: string
  /** There is one deployment per key and attempt, however often it is requested. */
  key: string
  attempt: number
}

const running = (line: string): Progress => ({ state: 'running', line, reason: null })

/** Deploys a chart for a step of a build. The first call of an attempt starts it, later ones report the progress. */
export async function deployChartOfStep(ctx: Ctx, wanted: ChartDeployment): Promise<Progress> {
  const { teamId, step, values } = wanted
  await mustHold(ctx, teamId, ...permissionsOf(releases.deploy.access))
  const stack = await findStack(ctx.db, step.stackUuid)
  if (stack?.teamId !== teamId) throw new Fault('missing', 'stacks-stack-unknown', { stack: step.stackUuid })
  const followed = await followedDeploy(ctx, stack.id, wanted)
  if (followed) return progressOf(followed.release, followed.generation)
  const { repositoryId, chart, version, release: name } = step
  const body = { name, stackId: stack.id, repositoryId, chart, version, values }
  try {
    await deployChart(ctx, teamId, stack.envId, body, false, attemptKey(wanted.key, wanted.attempt))
  } catch (error) {
    if (!(error instanceof Fault) || !mayPass(error)) throw error
    return running(`not begun yet: ${sayInLog(error)}`)
  }
  return running(`deploying ${chart} ${version} as ${stack.name}/${name}`)
}

/** Another deployment of the release ends by itself, and an outage passes: the step waits up to its own time limit. */
const mayPass = ({ key, status }: Fault): boolean =>
  key === 'helm-release-busy' || (status >= 500 && key !== 'helm-missing')

/** This attempt's deployment; or an earlier attempt's, as long as it is the release's last and has not failed. */
async function followedDeploy(
  ctx: Ctx,
  stackId: number,
  { step, key, attempt }: ChartDeployment,
): Promise<{ release: StoredRelease; generation: number } | undefined> {
  const release = await findByName(ctx.db, stackId, step.release)
  const last = release && (await lastDeploy(ctx.db, release.id, key))
  if (!last) return undefined
  const { generation } = last
  const isOwn = last.deployKey === attemptKey(key, attempt)
  return isOwn || (generation === release.generation && release.state !== 'failed')
    ? { release, generation }
    : undefined
}

function progressOf({ name, state, generation: now, reason }: StoredRelease, generation: number): Progress {
  if (now !== generation)
    return {
      state: 'failed',
      line: `${name} was changed by somebody else meanwhile`,
      reason: { key: 'helm-changed-meanwhile', vars: { name } },
    }
  if (state === 'deployed') return { state: 'success', line: `${name} is deployed`, reason: null }
  if (state !== 'failed') return running(`${name} is ${state}`)
  const why = isReason(reason) ? reason : { key: 'helm-changed-meanwhile', vars: { name } }
  return { state: 'failed', line: `${name} was not deployed`, reason: why }
}
