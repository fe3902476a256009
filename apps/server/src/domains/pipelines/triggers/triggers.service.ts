import { databaseNow } from '../../../db/clock.ts'
import { randomBytes } from 'node:crypto'
import { type Forge, isHttpUrl } from '@gantry/contract/pipelines/repository-url'
import type { Trigger, TriggerRule } from '@gantry/contract/pipelines/triggers'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import type { Page } from '../../../kernel/paging.ts'
import { sayTo } from '../../../kernel/phrase.ts'
import { open, seal } from '../../../kernel/secrets/secrets.ts'
import { publicUrl } from '../../settings/public.ts'
import { parametersOfBuild } from '../pipelines/parameters.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import { openedRepository } from '../pipelines/repository.service.ts'
import { findPipeline, type PipelineKey, type StoredPipeline } from '../pipelines/pipelines.store.ts'
import { slotsAfter } from '../../../kernel/cron.ts'
import { saversOf } from './fire.service.ts'
import { newHookSecret } from './forges/delivery.ts'
import { listEvents, newestEvents } from './triggers.read.ts'
import {
  countTriggers,
  deleteTrigger,
  findTrigger,
  insertTrigger,
  listTriggers,
  lockFollowing,
  setHook,
  setSecret,
  type StoredTrigger,
  updateTrigger,
  wayBetween,
} from './triggers.store.ts'

/** Per pipeline. */
const most = 20

interface TriggerInput {
  enabled: boolean
  rule: TriggerRule
  parameters: Record<string, string>
}

export async function readTriggers(ctx: Ctx, key: PipelineKey): Promise<Trigger[]> {
  const { id } = await getPipeline(ctx, key)
  return toTriggers(ctx, await listTriggers(ctx.db, id))
}

async function toTriggers(ctx: Ctx, stored: StoredTrigger[]): Promise<Trigger[]> {
  const newest = await newestEvents(
    ctx,
    stored.map(({ id }) => id),
  )
  const savers = await saversOf(ctx, stored)
  return stored.map(({ id, enabled, rule, parameters, savedBy, hook, nextAt, follows, revision, updatedAt }, at) => {
    const saver = savers[at]
    return {
      id,
      enabled,
      rule,
      parameters,
      savedBy,
      problem: saver instanceof Fault ? sayTo(ctx, saver) : '',
      hook: hook?.forge ?? null,
      nextAt,
      follows,
      last: newest.get(id) ?? null,
      revision,
      updatedAt,
    }
  })
}

async function readTrigger(ctx: Ctx, pipelineId: number, id: number): Promise<Trigger> {
  const [trigger] = await toTriggers(ctx, [mustExist(await findTrigger(ctx.db, pipelineId, id))])
  if (!trigger) throw new Error(`trigger ${id} is not shown`)
  return trigger
}

const nounOf = (pipeline: StoredPipeline, rule: TriggerRule) => `${pipeline.projectName}: ${rule.kind}`

/** Checks a rule beyond its schema, and returns what to store. */
async function validateTrigger(ctx: Ctx, pipeline: StoredPipeline, { enabled, rule, parameters }: TriggerInput) {
  // the trigger's builds run for a user indefinitely, while a token expires
  if (ctx.actor.limit) throw new Fault('forbidden', 'token-not-here')
  // refuse now a build that the trigger could never start, not when it fires
  const { secrets } = parametersOfBuild(ctx, pipeline.parameters, parameters)
  const secret = secrets.find((name) => name in parameters)
  if (secret !== undefined) throw new Fault('invalid', 'pipelines-trigger-secret', { name: secret })
  if (rule.kind === 'pipeline') await mustNotCircle(ctx, pipeline, rule.pipelineId)
  const nextAt = rule.kind === 'schedule' ? slotsAfter(rule, await databaseNow(ctx.db))[0] : null
  return { enabled, rule, parameters, nextAt: enabled ? nextAt : null, saver: ctx.actor }
}

/** Refuses a pipeline of another team, and one that would then follow itself. */
async function mustNotCircle(ctx: Ctx, pipeline: StoredPipeline, followed: number): Promise<void> {
  await lockFollowing(ctx.db, pipeline.teamId)
  const source = await findPipeline(ctx.db, followed)
  if (source?.teamId !== pipeline.teamId) throw new Fault('missing', 'resource-missing')
  const way = await wayBetween(ctx.db, pipeline.id, followed)
  if (way.length > 0)
    throw new Fault('conflict', 'pipelines-trigger-circle', { way: [...way, pipeline.projectName].join(' → ') })
}

export const createTrigger = (ctx: Ctx, key: PipelineKey, input: TriggerInput): Promise<Trigger & { secret: string }> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key)
    note(ctx, { object: nounOf(pipeline, input.rule), after: input })
    const count = await countTriggers(ctx.db, pipeline.id)
    if (count >= most) throw new Fault('conflict', 'pipelines-trigger-most', { count })
    const sound = await validateTrigger(ctx, pipeline, input)
    const secret = input.rule.kind === 'webhook' ? newSecret(ctx) : ''
    const sealed = secret === '' ? null : seal(ctx, secret)
    const id = await insertTrigger(ctx.db, { pipelineId: pipeline.id, secret: sealed, ...sound })
    return { ...(await readTrigger(ctx, pipeline.id, id)), secret }
  })

function newSecret(ctx: Ctx): string {
  const secret = newHookSecret(randomBytes(32))
  ctx.told.add(secret)
  return secret
}

export const changeTrigger = (
  ctx: Ctx,
  key: PipelineKey,
  id: number,
  { revision, ...input }: TriggerInput & { revision?: number | undefined },
): Promise<Trigger> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key)
    const before = mustExist(await findTrigger(ctx.db, pipeline.id, id, { lock: true }))
    const { enabled, rule, parameters } = before
    note(ctx, { object: nounOf(pipeline, rule), before: { enabled, rule, parameters }, after: input })
    if (input.rule.kind !== rule.kind) throw new Fault('invalid', 'pipelines-trigger-kind')
    if (revision !== undefined && revision !== before.revision)
      throw new Fault('conflict', 'pipelines-trigger-changed', { by: before.savedBy })
    await updateTrigger(ctx.db, id, await validateTrigger(ctx, pipeline, input))
    return readTrigger(ctx, pipeline.id, id)
  })

export async function removeTrigger(ctx: Ctx, key: PipelineKey, id: number): Promise<{ hookRemoved: boolean | null }> {
  const pipeline = await getPipeline(ctx, key)
  const { rule, hook } = mustExist(await findTrigger(ctx.db, pipeline.id, id))
  note(ctx, { object: nounOf(pipeline, rule), before: { rule } })
  const hookRemoved = hook && (await removeHook(ctx, pipeline, hook))
  await deleteTrigger(ctx.db, id)
  return { hookRemoved }
}

/** False if the git host refuses. The trigger is deleted either way, so that further deliveries are refused. */
const removeHook = (ctx: Ctx, pipeline: StoredPipeline, hook: NonNullable<StoredTrigger['hook']>): Promise<boolean> =>
  accessTo(ctx, pipeline, hook.forge)
    .then((access) => ctx.ports.forges.removeHook(access, hook.id, ctx.signal))
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof Fault) return false
        throw error
      },
    )

async function accessTo(ctx: Ctx, { repository, teamId }: StoredPipeline, forge: Forge) {
  if (!repository) throw new Fault('conflict', 'pipelines-trigger-no-repository')
  if (!isHttpUrl(repository.url)) throw new Fault('conflict', 'pipelines-trigger-not-http')
  const { url, username, password } = await openedRepository(ctx, teamId, repository)
  return { forge, repository: url, username, password }
}

const webhook = (trigger: StoredTrigger): StoredTrigger & { secret: string } => {
  if (trigger.secret === null) throw new Fault('conflict', 'pipelines-trigger-not-webhook')
  return { ...trigger, secret: trigger.secret }
}

/** The deliveries of a trigger with their outcomes. */
export async function readEvents(ctx: Ctx, key: PipelineKey, id: number, keyword: string, at: Page) {
  const pipeline = await getPipeline(ctx, key)
  mustExist(await findTrigger(ctx.db, pipeline.id, id))
  return listEvents(ctx, id, keyword, at)
}

export const renewSecret = (ctx: Ctx, key: PipelineKey, id: number): Promise<{ secret: string }> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key)
    const { rule } = webhook(mustExist(await findTrigger(ctx.db, pipeline.id, id, { lock: true })))
    note(ctx, { object: nounOf(pipeline, rule) })
    const secret = newSecret(ctx)
    await setSecret(ctx.db, id, seal(ctx, secret))
    return { secret }
  })

/** Creates the webhook in the git host, with the password of the pipeline's repository, and removes an earlier one. */
export async function setUpHook(ctx: Ctx, key: PipelineKey, id: number, forge: Forge): Promise<Trigger> {
  const pipeline = await getPipeline(ctx, key)
  const { rule, hook: before, secret } = webhook(mustExist(await findTrigger(ctx.db, pipeline.id, id)))
  note(ctx, { object: nounOf(pipeline, rule), after: { forge } })
  const url = new URL(`/api/v2/pipelines/${pipeline.uuid}/trigger`, await publicUrl(ctx)).href
  const access = await accessTo(ctx, pipeline, forge)
  if (before) await removeHook(ctx, pipeline, before)
  const hookId = await ctx.ports.forges.setHook(access, { url, secret: open(ctx, secret) }, ctx.signal)
  await setHook(ctx.db, id, { forge, url, id: hookId })
  return readTrigger(ctx, pipeline.id, id)
}
