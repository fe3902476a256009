import type { Definition } from '@gantry/contract/pipelines/definition'
import type { Finding } from '@gantry/contract/pipelines/editing/lint'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { say } from '../../../kernel/phrase.ts'
import { imagesForJobs } from '../../build-images/public.ts'
import { dockerfilesOf } from '../../dockerfiles/public.ts'
import { usableAmong } from '../../images/public.ts'
import { type Facts, holdsFor, stepHolds } from '../jobs/conditions.ts'
import type { StoredPipeline } from '../pipelines/pipelines.store.ts'
import { demandsOf, namedBy } from './lint.read.ts'
import { lintDefinition, type LintFinding } from './rules.ts'

type Of = Pick<StoredPipeline, 'id' | 'teamId' | 'agentLabels' | 'parameters'>

const namesIn = (ctx: Ctx, of: Of, definition: Definition) =>
  namedBy(ctx.db, of, definition, {
    dockerfiles: (ids) => dockerfilesOf(ctx.db, of.teamId, ids),
    buildImages: (ids) => imagesForJobs(ctx.db, of.teamId, ids),
    registries: (ids) => usableAmong(ctx.db, of.teamId, ids),
  })

/** What in a definition cannot run at present. */
export async function lintOf(ctx: Ctx, of: Of, definition: Definition): Promise<LintFinding[]> {
  return lintDefinition(definition, { ...(await demandsOf(ctx.db, of)), ...(await namesIn(ctx, of, definition)) })
}

/** The same in the caller's language. */
export const lintPipeline = async (ctx: Ctx, of: Of, stages: Definition['stages']): Promise<Finding[]> =>
  (await lintOf(ctx, of, { stages })).map(({ path, key, vars, fatal }) => ({
    path,
    key,
    text: say(ctx.lang, key, vars),
    fatal,
  }))

/** The part of a definition that a build may reach as far as its trigger decides; outputs and results are unknown. */
const reached = ({ stages }: Definition, facts: Facts): Definition => ({
  stages: stages
    .filter((stage) => holdsFor(stage.when, facts))
    .map((stage) => ({
      ...stage,
      steps: stage.steps.filter((step) => stepHolds(step, facts)),
      jobs: stage.jobs
        .filter((job) => holdsFor(job.when, facts))
        .map((job) => ({ ...job, steps: job.steps.filter((step) => stepHolds(step, facts)) })),
    })),
})

/** Whether a build may reach the place at a path of its definition, as far as its trigger decides. */
export function reaches({ stages }: Definition, facts: Facts, path: string): boolean {
  const [, at, list, row, , inner] = path.split('.')
  const stage = stages[Number(at)]
  if (!stage) return true
  const job = list === 'jobs' ? stage.jobs[Number(row)] : undefined
  const step = list === 'steps' ? stage.steps[Number(row)] : job?.steps[Number(inner)]
  return [stage.when, job?.when].every((when) => holdsFor(when, facts)) && (!step || stepHolds(step, facts))
}

/**
 * Refuses a build that would reach a step that can never run. Findings that may be resolved before the step's turn,
 * such as a missing agent or service, do not count.
 */
export async function mustBeAbleToRun(
  ctx: Ctx,
  of: Of & { projectName: string },
  definition: Definition,
  facts: Facts,
) {
  const steps = reached(definition, facts)
  const things = await namesIn(ctx, of, steps)
  const wrong = lintDefinition(steps, { agents: [], agentLabels: [], parameters: [], ...things }).filter(
    ({ fatal }) => fatal,
  )
  if (wrong.length > 0)
    throw new Fault('conflict', 'pipelines-cannot-run', {
      name: of.projectName,
      problems: wrong.map(({ key, vars }) => say(ctx.lang, key, vars)).join(' '),
    })
}
