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

/** Verified where there is nothing to verify with, so that an answer takes as long for a pipeline that does not exist. */
const noSecret = randomBytes(32).toString('base64')

/**
 * A forge's report, for the trigger whose secret signs it. A wrong signature is refused exactly like a pipeline that
 * does not exist.
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

/** What a signed report says, or why that cannot be used. */
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

/** GitHub sends a report again on request for three days. What has started a build is remembered for longer. */
const mostDays = 3
const dayMs = 24 * 3600 * 1000
/** By how much the clock of a forge may be ahead. */
const aheadMs = 3600 * 1000

/** A report whose signature says that it is too old, or of a time to come: somebody may be repeating it. */
async function doubtOfTime(ctx: Ctx, { at }: ForgeEvent): Promise<Fault | undefined> {
  if (!at) return undefined
  const late = (await databaseNow(ctx.db)).getTime() - at.getTime()
  const time = at.toISOString()
  if (late > mostDays * dayMs) return new Fault('invalid', 'pipelines-report-late', { time, days: mostDays })
  return late < -aheadMs ? new Fault('invalid', 'pipelines-report-early', { time }) : undefined
}

/**
 * A report about a repository of another name than the pipeline's. Its host is not compared: a forge may call itself
 * otherwise than it is reached from here.
 */
function doubtOfRepository({ repository }: StoredPipeline, { repository: name }: ForgeEvent): Fault | undefined {
  if (!repository || !name) return undefined
  const path = repository.url.toLowerCase().replace(/(\.git)?\/*$/, '')
  const isOwn = ['/', ':'].some((before) => path.endsWith(`${before}${name.toLowerCase()}`))
  return isOwn ? undefined : new Fault('invalid', 'pipelines-report-foreign', { name, url: repository.url })
}

/** Gitea waits for an answer to its report for five seconds, GitHub and GitLab for ten. */
const askMs = 4000

/** The files that a merge request changes, as its forge says; where it does not, why. */
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

/** What happened, for people. */
function spoken(event: ForgeEvent | Unbuilt): string {
  if ('reason' in event) return event.event.slice(0, 300)
  const { kind, branch, tag, mergeRequest } = event
  if (mergeRequest) return `merge request ${mergeRequest.number}`
  return kind === 'tag' ? `tag ${tag}` : `push ${branch}`
}
