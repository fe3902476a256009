import { pathOfBuild } from '../builds/path.ts'
import { isHttpUrl } from '@gantry/contract/pipelines/repository-url'
import type { BuildState } from '@gantry/contract/pipelines/states'
import type { CommitStatus } from '../../../adapters/forges/forges.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { say } from '../../../kernel/phrase.ts'
import { publicUrl } from '../../settings/public.ts'
import { Problems } from '../definition-files/definition-files.store.ts'
import { saidProblem } from '../definition-files/definition-text.ts'
import { maskOfPipeline } from '../builds/masks.service.ts'
import { findPipeline, type StoredPipeline } from '../pipelines/pipelines.store.ts'
import { openedRepository } from '../pipelines/repository.service.ts'
import { buildToTell } from './statuses.store.ts'

const states: Record<BuildState, CommitStatus['state']> = {
  queued: 'pending',
  waiting: 'pending',
  building: 'running',
  success: 'success',
  failed: 'failed',
  aborted: 'aborted',
}

/** GitHub and GitLab refuse longer ones. */
const maxDescription = 140

/** The place of the first problem of the commit's definition; statuses are in English. */
async function placed(ctx: Ctx, problems: unknown, pipeline: StoredPipeline): Promise<string> {
  const [first] = Problems.parse(problems)
  if (!first) return ''
  const { line, column, text } = saidProblem('en', first)
  return `: ${line}:${column} ${(await maskOfPipeline(ctx, pipeline))(text)}`
}

/**
 * Sets the commit status of a build on its git host. It sends the present state, so that the last one is right however
 * often and in whichever order this runs.
 */
export async function sendCommitStatus(ctx: Ctx, buildId: number): Promise<void> {
  const build = await buildToTell(ctx.db, buildId)
  const pipeline = build && (await findPipeline(ctx.db, build.pipelineId))
  if (!build || !pipeline?.repository) return
  const { problems, number, state, commit, pipelineId, name, groupId, teamId, forge } = build
  const { url, username, password } = await openedRepository(ctx, teamId, pipeline.repository)
  if (!isHttpUrl(url)) return
  const path = pathOfBuild({ teamId, groupId, pipelineId, number })
  const status: CommitStatus = {
    commit,
    state: states[state],
    name: `${ctx.config.product.name}: ${name}`,
    description: `#${number} ${say('en', `state-${state}`)}${await placed(ctx, problems, pipeline)}`.slice(
      0,
      maxDescription,
    ),
    url: `${await publicUrl(ctx)}${path}`,
  }
  await ctx.ports.forges.setStatus({ forge, repository: url, username, password }, status, ctx.signal)
}
