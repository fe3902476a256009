import { randomBytes } from 'node:crypto'
import { type Forge, isHttpUrl, repositoryHost } from '@gantry/contract/pipelines/repository-url'
import { ZodError } from 'zod'
import { databaseNow } from '../../../db/clock.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { flatIssue, phraseOfIssue } from '../../../kernel/issues.ts'
import type { Reason } from '../../../kernel/phrase.ts'
import { open } from '../../../kernel/secrets/secrets.ts'
import { findPipeline, type PipelineKey, type StoredPipeline } from '../pipelines/pipelines.store.ts'
import { openedRepository } from '../pipelines/repository.service.ts'
import { type Fired, fire, refuse, skip } from './fire.service.ts'
import { type Delivery, deliveryId, eventName, eventOf, forgeOf, isSignedWith } from './forges/delivery.ts'
import type { ForgeEvent, Unbuilt } from './forges/report.ts'
import { mismatch } from './matching.ts'
import { accountsCalled, listTriggers, type StoredTrigger } from './triggers.store.ts'

/** Verifies a delivery without a trigger, so that a missing pipeline takes as long to answer as an existing one. */
const noSecret = randomBytes(32).toString('base64')

/**
 * Handles a delivery of a git host for the trigger whose secret signs it. A wrong signature is refused exactly like a
 * missing pipeline.
 */
export async function receiveReport(
  ctx: Ctx,
  key: PipelineKey,
  delivery: Delivery,
  bodyOf: () => unknown,
): Promise<Fired> {
  const pipeline = await findPipeline(ctx.db, key)
  const trigger = await signedBy(ctx, pipeline?.id, delivery)
  if (!pipeline || trigger?.rule.kind !== 'webhook') throw new Fault('missing', 'resource-missing')
  const { rule } = trigger
  const id = deliveryId(delivery)
  const event = readEvent(delivery, bodyOf)
  if (event instanceof Fault) return refuse(ctx, trigger, { delivery: id, event: eventName(delivery) }, event)
  const occasion = { delivery: id, event: spoken(event) }
  if ('reason' in event) return skip(ctx, trigger, occasion, event.reason)
  const doubt = (await doubtOfTime(ctx, event)) ?? doubtOfRepository(pipeline, event)
  if (doubt) return refuse(ctx, trigger, occasion, doubt)
  const reason = trigger.enabled ? mismatch(rule, event) : { key: 'pipelines-trigger-off', vars: {} }
  if (reason) return skip(ctx, trigger, occasion, reason)
  const { branch, tag, commit, people, mergeRequest } = event
  const { paths, unknown } = mergeRequest
    ? await pathsOfRequest(ctx, pipeline, forgeOf(delivery.header), mergeRequest.number)
    : { paths: event.paths, unknown: undefined }
  const other = mismatch(rule, { ...event, paths })
  if (other) return skip(ctx, trigger, occasion, other)
  if (trigger.saver) ctx.actor = trigger.saver
  return fire(
    ctx,
    trigger,
    { ...occasion, unknown },
    {
      cause: 'webhook',
      ...(mergeRequest ? { branch: mergeRequest.source, mergeRequest, waits: rule.forksWait } : { branch, tag }),
      commit,
      changedPaths: paths ?? undefined,
      requesters: await accountsCalled(ctx.db, people),
    },
  )
}

/** The event of a signed delivery, or why it cannot be used. */
function readEvent(delivery: Delivery, bodyOf: () => unknown): ForgeEvent | Unbuilt | Fault {
  try {
    return eventOf(delivery, bodyOf())
  } catch (error) {
    if (error instanceof Fault) return error
    const [issue] = error instanceof ZodError ? error.issues.flatMap(flatIssue) : []
    if (!issue) throw error
    const fault = new Fault('invalid', 'pipelines-report-unusable', { field: issue.path.join('.') })
    fault.cause = new Fault('invalid', ...phraseOfIssue(issue))
    return fault
  }
}

/** GitHub resends a delivery on request for three days. Deliveries that started builds are remembered for longer. */
const maxDays = 3
const dayMs = 24 * 3600 * 1000
/** How far the clock of a git host may be ahead. */
const aheadMs = 3600 * 1000

/** Refuses a delivery whose signed time is too old or in the future, because somebody may be replaying it. */
async function doubtOfTime(ctx: Ctx, { at }: ForgeEvent): Promise<Fault | undefined> {
  if (!at) return undefined
  const late = (await databaseNow(ctx.db)).getTime() - at.getTime()
  const time = at.toISOString()
  if (late > maxDays * dayMs) return new Fault('invalid', 'pipelines-report-late', { time, days: maxDays })
  return late < -aheadMs ? new Fault('invalid', 'pipelines-report-early', { time }) : undefined
}

/**
 * Refuses a delivery about a repository with another name than the pipeline's. The host is not compared, because a git
 * host may be reached under another name from here.
 */
function doubtOfRepository({ repository }: StoredPipeline, { repository: name }: ForgeEvent): Fault | undefined {
  if (!repository || !name) return undefined
  const path = repository.url.toLowerCase().replace(/(\.git)?\/*$/, '')
  const isOwn = ['/', ':'].some((before) => path.endsWith(`${before}${name.toLowerCase()}`))
  return isOwn ? undefined : new Fault('invalid', 'pipelines-report-foreign', { name, url: repository.url })
}

/** Gitea waits five seconds for the answer to its delivery, GitHub and GitLab ten. */
const askMs = 4000

/** The files that a merge request changes, from its git host, or the reason why they are unknown. */
async function pathsOfRequest(
  ctx: Ctx,
  { teamId, repository }: StoredPipeline,
  forge: Forge,
  number: number,
): Promise<{ paths: string[] | null; unknown?: Reason }> {
  if (!repository || !isHttpUrl(repository.url))
    return { paths: null, unknown: { key: 'pipelines-paths-not-http', vars: {} } }
  const late = AbortSignal.timeout(askMs)
  try {
    const { url, username, password } = await openedRepository(ctx, teamId, repository)
    const access = { forge, repository: url, username, password }
    const paths = await ctx.ports.forges.changedFiles(access, number, AbortSignal.any([ctx.signal, late]))
    return paths ? { paths } : { paths, unknown: { key: 'pipelines-paths-many', vars: {} } }
  } catch (error) {
    if (ctx.signal.aborted || (!late.aborted && (!(error instanceof Fault) || error.status === 500))) throw error
    const denied = error instanceof Fault && ['forge-denied', 'forge-not-found'].includes(error.key)
    const vars = { host: repositoryHost(repository.url) ?? '' }
    return { paths: null, unknown: { key: denied ? 'pipelines-paths-denied' : 'pipelines-paths-unanswered', vars } }
  }
}

async function signedBy(
  ctx: Ctx,
  pipelineId: number | undefined,
  delivery: Delivery,
): Promise<StoredTrigger | undefined> {
  const all = pipelineId === undefined ? [] : await listTriggers(ctx.db, pipelineId)
  const candidates = all.filter(({ secret }) => secret !== null)
  if (candidates.length === 0) isSignedWith(noSecret, delivery)
  return candidates.find(({ secret }) => isSignedWith(open(ctx, secret ?? ''), delivery))
}

/** The description of an event for users. */
function spoken(event: ForgeEvent | Unbuilt): string {
  if ('reason' in event) return event.event.slice(0, 300)
  const { kind, branch, tag, mergeRequest } = event
  if (mergeRequest) return `merge request ${mergeRequest.number}`
  return kind === 'tag' ? `tag ${tag}` : `push ${branch}`
}
