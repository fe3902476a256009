import type { Setting } from '@gantry/contract/blueprints/promotions'
import type { ReleasePlan } from '@gantry/contract/blueprints/releases'
import type { Amount } from '@gantry/contract/quotas/quotas'
import { ServiceSpec, typeOf } from '@gantry/contract/stacks/spec'
import type { Stack } from '@gantry/contract/stacks/stacks'
import { mask } from '@gantry/contract/validators'
import type { CompiledService } from '@gantry/tosca/compile'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { isPhrase, say } from '../../../kernel/phrase.ts'
import { mustUse } from '../../clusters/public.ts'
import {
  applyChanges,
  type Change,
  comparison,
  createStack,
  findStack,
  findStackByName,
  joinRelease,
  type KeptService,
  lockStack,
  mustReachIn,
  type Pinned,
  type ServiceRow,
  servicesOf,
  setOrigin,
  setRequires,
  shownStack,
  type StackRow,
  usedBy,
  withSecrets,
} from '../../stacks/public.ts'
import { mustHaveIstio } from '../releases/istio.service.ts'
import { fieldsOf, plannedOf, turnsOf } from '../releases/plan.ts'
import { preview } from '../releases/preview.ts'
import { byPerson, keptOf, nothing, stackNamed, type StackName } from '../releases/releases.service.ts'
import { insertRelease } from '../releases/releases.store.ts'
import { keptValues, settingsOf, withSettings } from './settings.ts'

interface Input {
  service: string
  key: string
  value: string
}

export interface Promotion {
  envId: string
  stackName: string
  description: string
  quota: Amount
  values: readonly Input[]
  remove: boolean
}

/** A service as it will be at the target, with the digests that run at the source. */
interface Promoted extends CompiledService {
  pinned: Pinned | undefined
}

/** Services of the source as they run. An unfinished upgrade is not promoted. */
async function settledServices(ctx: Ctx, source: StackRow): Promise<ServiceRow[]> {
  const rows = (await servicesOf(ctx.db, source.id)).filter(({ state }) => state !== 'deleting')
  if (rows.length === 0) throw new Fault('conflict', 'promotions-source-empty', { stack: source.name })
  const moving = rows.find(({ state }) => state !== 'stable' && state !== 'stopped')
  if (moving) throw new Fault('conflict', 'promotions-source-unsettled', { name: moving.name, stack: source.name })
  return rows
}

/** The digests that a service runs; undefined if it runs no image. A tag may mean another image elsewhere. */
function pinnedOf({ name, spec, podDigest, digest, pins }: ServiceRow): Pinned | undefined {
  if (spec.outward) return undefined
  const main = podDigest || digest
  const known = pins?.images ?? {}
  const isOpen = (image: string, found: string | undefined) => !image.includes('@') && !found
  const open = isOpen(spec.image, main)
    ? spec.image
    : spec.containers?.find((one) => isOpen(one.image, known[one.name]))?.image
  if (open !== undefined) throw new Fault('conflict', 'promotions-no-digest', { name, image: open })
  return { digest: main, pins: { images: known, problem: null } }
}

/** Validates a document after the settings are applied, and reports each problem at its setting. */
function mustParse(ctx: Ctx, service: string, spec: ServiceSpec): ServiceSpec {
  const parsed = ServiceSpec.safeParse(spec)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ message, path }) => ({
    path: `values.${service}.${path.join('.')}`,
    key: message,
    text: `${service}: ${path.join('.')}: ${isPhrase(message) ? say(ctx.lang, message) : message}`,
  }))
  throw new Fault('invalid', 'promotions-value-wrong', { reason: problems[0]?.text ?? '' }, problems)
}

/** The services as they will be, with decrypted secrets, which are compared and encrypted again. */
async function promoted(
  ctx: Ctx,
  source: StackRow,
  target: StackRow | undefined,
  values: readonly Input[],
): Promise<Promoted[]> {
  const rows = await settledServices(ctx, source)
  const there = new Map(target ? (await servicesOf(ctx.db, target.id)).map((one) => [one.name, one]) : [])
  const given = Map.groupBy(values, ({ service }) => service)
  const unknown = values.find(({ service }) => !rows.some(({ name }) => name === service))
  if (unknown)
    throw new Fault('invalid', 'promotions-setting-unknown', {
      service: unknown.service,
      key: unknown.key,
      stack: source.name,
    })
  return rows.map((row) => {
    const plain = withSecrets(ctx, row)
    const now = there.get(row.name)
    const settings = new Map(settingsOf(plain).map((one) => [one.key, one]))
    const wanted = keptValues(plain, now && withSecrets(ctx, now))
    for (const { key, value } of given.get(row.name) ?? []) {
      const setting = settings.get(key)
      if (!setting)
        throw new Fault('invalid', 'promotions-setting-unknown', { service: row.name, key, stack: source.name })
      if (setting.secret && value === mask) continue
      if (setting.secret) ctx.secrets.add(value)
      wanted.set(key, value)
    }
    const spec = mustParse(ctx, row.name, withSettings(plain, wanted))
    return { name: row.name, spec, requires: row.requires, pinned: pinnedOf(row) }
  })
}

const targetOf = (ctx: Ctx, teamId: number, { envId, stackName }: Pick<Promotion, 'envId' | 'stackName'>) =>
  findStackByName(ctx.db, teamId, envId, stackName)

function mustDiffer(source: StackRow, { envId, stackName }: Pick<Promotion, 'envId' | 'stackName'>): void {
  if (source.envId === envId && source.name === stackName)
    throw new Fault('invalid', 'promotions-itself', { stack: source.name })
}

/** The settings that may differ, with the values of both sides; secrets masked. */
export async function promotionSettings(
  ctx: Ctx,
  at: StackName,
  { targetEnv: envId, targetName: stackName }: { targetEnv: string; targetName: string },
): Promise<{ exists: boolean; settings: Setting[] }> {
  const source = await stackNamed(ctx, at)
  mustDiffer(source, { envId, stackName })
  await mustUse(ctx, envId, at.teamId)
  const target = await targetOf(ctx, at.teamId, { envId, stackName })
  const there = new Map(target ? (await servicesOf(ctx.db, target.id)).map((one) => [one.name, one.spec]) : [])
  const settings = (await settledServices(ctx, source)).flatMap(({ name, spec }) => {
    const kept = keptValues(spec, there.get(name))
    return settingsOf(spec).map(({ value, ...one }) => ({
      ...one,
      service: name,
      source: value,
      target: kept.get(one.key) ?? null,
    }))
  })
  return { exists: target !== undefined, settings }
}

interface Plan {
  plan: ReleasePlan
  changes: Change[]
  before: Record<string, KeptService>
  leaving: ServiceRow[]
}

const waysLast = (services: readonly Promoted[]): Promoted[] =>
  services.toSorted((a, b) => Number(a.spec.outward !== undefined) - Number(b.spec.outward !== undefined))

/** Comparable text of the digests, which may differ under the same tags. */
const digestsOf = ({ digest, pins }: Pinned): string =>
  JSON.stringify([digest, Object.entries(pins?.images ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))])

async function planOf(
  ctx: Ctx,
  target: StackRow | undefined,
  services: readonly Promoted[],
  { quota, remove }: Pick<Promotion, 'quota' | 'remove'>,
): Promise<Plan> {
  const present = new Map(target ? (await servicesOf(ctx.db, target.id)).map((one) => [one.name, one]) : [])
  const turns = turnsOf(services)
  const plan: ReleasePlan = {
    blueprint: null,
    made: [],
    changed: [],
    restarted: [],
    removed: [],
    same: [],
    share: {
      before: target ? await usedBy(ctx, target.id) : nothing,
      after: nothing,
      quota: target ? { cpu: target.cpu, memory: target.memory } : quota,
    },
    outputs: [],
    refusals: [],
  }
  const changes: Change[] = []
  const before: Plan['before'] = {}
  for (const service of waysLast(services)) {
    const { name, spec, requires, pinned } = service
    const now = present.get(name)
    present.delete(name)
    const by = pinned ? { pinned } : {}
    if (!now) {
      plan.made.push(plannedOf(service, turns))
      changes.push({ type: 'create', name, serviceType: typeOf(spec), spec, requires, ...by })
      continue
    }
    before[name] = keptOf(now)
    const { isSame, masked, secretDiffers } = comparison(ctx, now, spec)
    const runs = { digest: now.podDigest || now.digest, pins: now.pins }
    const isOther = pinned !== undefined && digestsOf(runs) !== digestsOf(pinned)
    if (isSame && !isOther) {
      plan.same.push(name)
      continue
    }
    const fields = fieldsOf(now.spec, masked, secretDiffers)
    if (isOther) fields.push({ field: 'digest', before: runs.digest || null, after: pinned.digest || null })
    plan.changed.push({ ...plannedOf(service, turns), fields })
    plan.restarted.push(name)
    changes.push({ type: 'upgrade', id: now.id, spec, ...by })
  }
  const leaving = remove ? [...present.values()] : []
  plan.removed = leaving.map(({ name }) => name)
  if (!remove) plan.same.push(...present.keys())
  for (const one of leaving) before[one.name] = keptOf(one)
  return { plan, changes, before, leaving }
}

/** Creates the target if needed and locks it, so that it cannot change after planning. */
async function lockedTarget(
  ctx: Ctx,
  source: StackRow,
  wanted: Promotion,
): Promise<{ target: StackRow; made: boolean }> {
  const found = await targetOf(ctx, source.teamId, wanted)
  let id = found?.id
  if (id === undefined) {
    const { productId, teamId, istio } = source
    const { stackName: name, description, envId, quota } = wanted
    ;({ id } = await createStack(ctx, teamId, { name, description, envId, productId, quota }))
    await setOrigin(ctx.db, id, { blueprintId: null, templateId: null }, istio)
  }
  await lockStack(ctx.db, id)
  const target = await findStack(ctx.db, id)
  if (!target || target.state === 'deleting')
    throw new Fault('conflict', 'stacks-being-deleted', { name: wanted.stackName })
  return { target, made: found === undefined }
}

const promoteAll = (ctx: Ctx, source: StackRow, wanted: Promotion): Promise<number> =>
  inTx(ctx, async (ctx) => {
    const { target, made } = await lockedTarget(ctx, source, wanted)
    const services = await promoted(ctx, source, target, wanted.values)
    const { plan, changes, before, leaving } = await planOf(ctx, target, services, wanted)
    for (const { name, state } of await servicesOf(ctx.db, target.id))
      if (state === 'failed' || state === 'deploying') throw new Fault('conflict', 'blueprints-not-settled', { name })
    if (changes.length === 0 && leaving.length === 0)
      throw new Fault('conflict', 'promotions-nothing-changes', { source: source.name, stack: target.name })
    const release = await insertRelease(ctx.db, {
      stackId: target.id,
      blueprintId: target.blueprintId,
      blueprintBefore: target.blueprintId,
      templateId: target.templateId,
      templateBefore: target.templateId,
      version: `${source.name} (${source.envName})`,
      action: 'promote',
      state: 'open',
      made: plan.made.map(({ name }) => name),
      changed: plan.changed.map(({ name }) => name),
      removed: plan.removed,
      before,
      inputs: {},
      by: ctx.actor.name,
      madeStack: made,
    })
    if (release === undefined) throw new Fault('conflict', 'blueprints-release-open', { stack: target.name })
    await applyChanges(ctx, target, changes, { ...byPerson(ctx), release })
    const ids = leaving.map(({ id }) => id)
    await joinRelease(ctx.db, ids, release)
    for (const { name, requires } of services) await setRequires(ctx.db, target.id, name, requires)
    return target.id
  })

/** Everything that calls the cluster, before the transaction. */
async function prepare(ctx: Ctx, at: StackName, wanted: Promotion) {
  const source = await stackNamed(ctx, at)
  mustDiffer(source, wanted)
  await mustUse(ctx, wanted.envId, at.teamId)
  const target = await targetOf(ctx, at.teamId, wanted)
  const services = await promoted(ctx, source, target, wanted.values)
  if (source.istio && !target) await mustHaveIstio(ctx, at.teamId, wanted.envId)
  await mustReachIn(ctx, { teamId: at.teamId, envId: wanted.envId }, target, services)
  return { source, target, services }
}

const noted = (ctx: Ctx, at: StackName, { values, ...rest }: Promotion): void =>
  note(ctx, {
    object: `${at.stackName} → ${rest.stackName}`,
    after: { ...rest, values: values.map(({ service, key }) => `${service}.${key}`) },
  })

export async function checkPromotion(ctx: Ctx, at: StackName, wanted: Promotion): Promise<ReleasePlan> {
  noted(ctx, at, wanted)
  const { source, target, services } = await prepare(ctx, at, wanted)
  const { plan } = await planOf(ctx, target, services, wanted)
  return preview(ctx, plan, async (ctx) => usedBy(ctx, await promoteAll(ctx, source, wanted)))
}

export async function promoteStack(ctx: Ctx, at: StackName, wanted: Promotion): Promise<Stack> {
  noted(ctx, at, wanted)
  const { source } = await prepare(ctx, at, wanted)
  const id = await promoteAll(ctx, source, wanted)
  noted(ctx, at, wanted)
  const stack = mustExist(await findStack(ctx.db, id))
  return shownStack(ctx, stack)
}
