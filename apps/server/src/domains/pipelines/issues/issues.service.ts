import type { idOrUuid } from '@gantry/contract/ids'
import type { BuildState } from '@gantry/contract/pipelines/states'
import type { BuildIssue } from '@gantry/contract/trackers/issues'
import type { z } from 'zod'
import type { Tracker } from '../../../adapters/tracker.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { reasonOf, sayReasonTo } from '../../../kernel/phrase.ts'
import { jirasOfTeam, pageOf, type StoredJira, trackerOf } from '../../trackers/public.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import { issueKeysIn, tapdKeysIn } from './keys.ts'
import { updateIssues } from './issues.queue.ts'
import {
  knownIssues,
  type NamingBuild,
  namingBuild,
  namingBuildById,
  putRead,
  type Read,
  takeUnread,
  issueUpdates,
  requestUpdates,
} from './issues.store.ts'

interface Named {
  jira: StoredJira
  keys: string[]
}

async function namedBy(ctx: Ctx, { message, branch, teamId }: NamingBuild): Promise<Named[]> {
  const jiras = await jirasOfTeam(ctx.db, teamId)
  return jiras
    .map((jira) => {
      const keysIn = jira.kind === 'tapd' ? tapdKeysIn : issueKeysIn
      return { jira, keys: keysIn(`${message}\n${branch}`, new Set(jira.projects)) }
    })
    .filter(({ keys }) => keys.length > 0)
}

/** After one failure of the tracker the rest are not requested: they would fail likewise, after the same wait. */
async function readEach(ctx: Ctx, jira: StoredJira, keys: string[]): Promise<void> {
  const tracker = trackerOf(ctx, jira)
  const waiting = [...keys]
  let failed: Read | undefined
  const work = async (): Promise<void> => {
    for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
      const read = failed ?? (await readOne(tracker, key))
      if (read.state === 'failed') failed = read
      await putRead(ctx.db, jira.id, key, read)
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
}

const readOne = (tracker: Tracker, key: string): Promise<Read> =>
  // not bound to the caller: if they leave, the next reader uses the answer
  tracker.issue(key).then(
    (issue): Read => (issue ? { state: 'known', issue } : { state: 'missing' }),
    (error: unknown): Read => {
      if (error instanceof Fault) return { state: 'failed', problem: reasonOf(error) }
      throw error
    },
  )

/** The issues of a build. Each is requested from its tracker once a minute at most; other calls get what is stored. */
export async function readBuildIssues(
  ctx: Ctx,
  pipeline: z.infer<typeof idOrUuid>,
  number: number,
): Promise<BuildIssue[]> {
  const { id } = await getPipeline(ctx, pipeline)
  const build = mustExist(await namingBuild(ctx.db, id, number))
  const updates = await issueUpdates(ctx.db, build.id)
  const named = await namedBy(ctx, build)
  const all = await Promise.all(
    named.map(async ({ jira, keys }) => {
      await readEach(ctx, jira, await takeUnread(ctx.db, jira.id, keys))
      const known = new Map((await knownIssues(ctx.db, jira.id, keys)).map((row) => [row.key, row]))
      return keys.map((key): BuildIssue => {
        const {
          state = 'reading',
          title = '',
          status = '',
          category = 'unknown',
          problem,
          path = '',
        } = known.get(key) ?? {}
        const tell = updates.find((one) => one.jiraId === jira.id && one.key === key)
        return {
          jiraId: jira.id,
          jira: jira.name,
          key,
          url: pageOf(jira, key, path),
          state,
          title,
          status,
          category,
          problem: sayReasonTo(ctx, problem ?? null),
          told: tell ? { state: tell.state, problem: sayReasonTo(ctx, tell.problem) } : null,
        }
      })
    }),
  )
  return all.flat()
}

/**
 * Notes the issues to update because a build succeeded, in the transaction that ends it. Builds of forks and of drafts
 * update none: anyone may write any key into a merge request.
 */
export async function enqueueIssueUpdates(ctx: Ctx, buildId: number, state: BuildState): Promise<void> {
  if (state !== 'success') return
  const build = await namingBuildById(ctx.db, buildId)
  if (build.fork || build.draft) return
  const named = (await namedBy(ctx, build)).filter(({ jira }) => jira.comment || jira.transition !== '')
  const wanted = named.flatMap(({ jira, keys }) => keys.map((key) => ({ jiraId: jira.id, key })))
  if (wanted.length === 0) return
  await requestUpdates(ctx.db, buildId, wanted)
  await enqueue(ctx, updateIssues, {}, { key: 'now' })
}
