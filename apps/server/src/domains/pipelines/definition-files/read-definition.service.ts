import type { Definition } from '@gantry/contract/pipelines/definition'
import { isEnded } from '@gantry/contract/pipelines/states'
import type { CommitFile } from '../../../adapters/git/file.ts'
import type { WantedFile } from '../../../adapters/git/git.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Reason, reasonOf } from '../../../kernel/phrase.ts'
import { lockBuildById } from '../builds/builds.store.ts'
import { insertJobs } from '../builds/insert.store.ts'
import { setCommit } from '../builds/steps.store.ts'
import { buildToRun } from '../builds/to-run.store.ts'
import type { Facts } from '../jobs/conditions.ts'
import { advance, failUnread } from '../jobs/jobs.service.ts'
import { setApprovers } from '../jobs/gates.store.ts'
import { lockJobs } from '../jobs/jobs.store.ts'
import { planOf } from '../jobs/plan.ts'
import { lintOf, reaches } from '../lint/lint.service.ts'
import { validateDefinition } from '../pipelines/changes.service.ts'
import { findPipeline, type StoredPipeline } from '../pipelines/pipelines.store.ts'
import { readRepositoryFile } from '../pipelines/repository.service.ts'
import { type Approvers, noApprovers } from '../reviews/approvers.ts'
import { buildToRead, isUnread, setRead } from './definition-files.store.ts'
import { pathOfNamed, type PlacedReason, type ReadText, readDefinitionText } from './definition-text.ts'

type Wanting = NonNullable<Awaited<ReturnType<typeof buildToRead>>>

/**
 * The commit whose file decides what a build runs: the build's own. For a fork's merge request it is the head of the
 * target branch: only those who may push there decide what runs, and with which permissions.
 */
function wantedBy({ path, branch, tag, commit, mergeRequest }: Wanting): WantedFile {
  if (mergeRequest?.fork) return { path, at: { ref: mergeRequest.target } }
  if (commit !== '') return { path, at: { commit } }
  return { path, at: tag === '' ? { ref: branch } : { tag } }
}

interface Judged {
  problems: PlacedReason[]
  approvers: Approvers
}

/** The problems for which a build with this definition is refused, with their places; and the approvers it names. */
async function checkDefinition(
  ctx: Ctx,
  pipeline: StoredPipeline,
  definition: Definition,
  { place }: ReadText,
  facts: Facts,
): Promise<Judged> {
  const refused = (problems: PlacedReason[]): Judged => ({ problems, approvers: noApprovers })
  if (definition.stages.length === 0)
    return refused([{ line: 1, column: 1, path: 'stages', reason: { key: 'pipelines-file-empty', vars: {} } }])
  let approvers: Approvers | undefined
  try {
    approvers = await validateDefinition(ctx, pipeline.teamId, { definition })
  } catch (error) {
    if (!(error instanceof Fault) || error.status >= 500) throw error
    if (error.key === 'pipelines-approver-strangers') {
      const path = error.problems?.[0]?.path ?? 'stages'
      return refused([{ ...place(path), path, reason: reasonOf(error) }])
    }
    const named = error.vars['step'] ?? error.vars['job']
    const path = (named !== undefined && pathOfNamed(definition, String(named))) || 'stages'
    return refused([{ ...place(path), path, reason: reasonOf(error) }])
  }
  const problems = (await lintOf(ctx, pipeline, definition))
    .filter(({ fatal, path }) => fatal && reaches(definition, facts, path))
    .map(({ path, key, vars }) => ({ ...place(path), path, reason: { key, vars } }))
  return { problems, approvers: approvers ?? noApprovers }
}

/**
 * Reads the definition of a build whose pipeline keeps it in its repository, and plans its jobs. A build without a
 * valid one fails with the place in the file. Idempotent: a build that has its jobs is left alone.
 */
export async function readDefinitionOf(ctx: Ctx, buildId: number): Promise<void> {
  const wanting = await buildToRead(ctx.db, buildId)
  if (!wanting || !(await isUnread(ctx.db, buildId))) return
  const pipeline = await findPipeline(ctx.db, wanting.pipelineId)
  if (!pipeline) return
  let file: CommitFile
  try {
    file = await readRepositoryFile(ctx, pipeline, wantedBy(wanting))
  } catch (error) {
    if (ctx.signal.aborted || !(error instanceof Fault)) throw error
    // even if the file does not exist, the commit is known
    const seen = commitOf(error)
    const file = seen === undefined ? undefined : { commit: seen, message: '', text: '' }
    return fail(ctx, buildId, { file, own: wanting.mergeRequest?.fork ? undefined : file, reason: reasonOf(error) })
  }
  const read = readDefinitionText(file.text)
  const { definition } = read
  const facts: Facts = { ...(await buildToRun(ctx.db, buildId)), outputs: new Map() }
  const { problems, approvers } = definition
    ? await checkDefinition(ctx, pipeline, definition, read, facts)
    : { problems: read.problems, approvers: noApprovers }
  // the commit is known now, whatever becomes of the build
  const own = wanting.mergeRequest?.fork ? undefined : file
  if (!definition || problems.length > 0)
    return fail(ctx, buildId, { file, own, reason: wrong(wanting.path, file, problems), problems })
  await inTx(ctx, async (ctx) => {
    if (!(await waits(ctx, buildId))) return
    await setRead(ctx.db, buildId, { commit: file.commit, definition, problems: [] })
    await setApprovers(ctx.db, buildId, approvers)
    if (own) await setCommit(ctx.db, buildId, own.commit, own.message)
    await insertJobs(ctx.db, buildId, planOf(definition))
    await advance(ctx, buildId)
  })
}

/** Locks a build; returns whether it still waits for its definition. */
async function waits(ctx: Ctx, buildId: number): Promise<boolean> {
  await lockJobs(ctx.db, buildId)
  const build = await lockBuildById(ctx.db, buildId)
  return build !== undefined && !isEnded(build.state) && (await isUnread(ctx.db, buildId))
}

const wrong = (path: string, { commit }: CommitFile, problems: readonly PlacedReason[]): Reason => ({
  key: 'pipelines-file-wrong',
  vars: {
    path,
    commit: commit.slice(0, 8),
    count: problems.length,
    line: problems[0]?.line ?? 1,
    column: problems[0]?.column ?? 1,
  },
})

const commitOf = ({ key, vars }: Fault): string | undefined =>
  key.startsWith('git-file-') && vars['commit'] !== undefined ? String(vars['commit']) : undefined

interface Failure {
  /** The file that was read. */
  file: CommitFile | undefined
  /** The same file, if it is from the build's own commit. */
  own: CommitFile | undefined
  reason: Reason
  problems?: PlacedReason[]
}

const fail = (ctx: Ctx, buildId: number, { file, own, reason, problems = [] }: Failure): Promise<void> =>
  inTx(ctx, async (ctx) => {
    if (!(await waits(ctx, buildId))) return
    if (file) await setRead(ctx.db, buildId, { commit: file.commit, definition: undefined, problems })
    if (own) await setCommit(ctx.db, buildId, own.commit, own.message)
    await failUnread(ctx, buildId, reason)
  })
