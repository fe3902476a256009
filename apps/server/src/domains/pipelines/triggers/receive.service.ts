import { randomBytes } from 'node:crypto'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { open } from '../../../kernel/secrets/secrets.ts'
import { findPipeline, type PipelineKey } from '../pipelines/pipelines.store.ts'
import { type Fired, fire, skip } from './fire.service.ts'
import { type Delivery, deliveryId, eventOf, isSignedWith } from './forges/delivery.ts'
import type { ForgeEvent } from './forges/report.ts'
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
  if (trigger?.rule.kind !== 'webhook') throw new Fault('missing', 'resource-missing')
  const event = eventOf(delivery, bodyOf())
  const occasion = { delivery: deliveryId(delivery), event: event ? spoken(event) : 'ping' }
  if (!event) return skip(ctx, trigger, occasion, { key: 'pipelines-trigger-no-event', vars: {} })
  const reason = trigger.enabled ? mismatch(trigger.rule, event) : { key: 'pipelines-trigger-off', vars: {} }
  if (reason) return skip(ctx, trigger, occasion, reason)
  if (trigger.saver) ctx.actor = trigger.saver
  const { branch, tag, commit, paths, people, mergeRequest } = event
  return fire(ctx, trigger, occasion, {
    cause: 'webhook',
    ...(mergeRequest ? { branch: mergeRequest.source, mergeRequest } : { branch, tag }),
    commit,
    changedPaths: paths ?? undefined,
    requesters: await accountsCalled(ctx.db, people),
  })
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

const spoken = ({ kind, branch, tag, mergeRequest }: ForgeEvent): string =>
  (mergeRequest ? `merge request ${mergeRequest.number}` : kind === 'tag' ? `tag ${tag}` : `push ${branch}`).slice(
    0,
    300,
  )
