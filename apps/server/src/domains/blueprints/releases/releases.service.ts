import type { Release, ReleasePlan } from '@gantry/contract/blueprints/releases'
import { typeOf } from '@gantry/contract/stacks/spec'
import type { Amount } from '@gantry/contract/quotas/quotas'
import type { Stack } from '@gantry/contract/stacks/stacks'
import type { Checked } from '@gantry/tosca/compile'
import { z } from 'zod'
import { brokenConstraint } from '../../../db/constraint.ts'
import { mustHold } from '../../../identity/access.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { sayReasonTo } from '../../../kernel/phrase.ts'
import {
  applyChanges,
  type Change,
  comparison,
  createStack,
  findStack,
  findStackByName,
  joinRelease,
  KeptService,
  leaveRelease,
  lockStack,
  mustReachIn,
  publishStack,
  removeStack,
  type ServiceRow,
  servicesOf,
  setOrigin,
  setRequires,
  shownStack,
  type StackRow,
  usedBy,
} from '../../stacks/public.ts'
import { mustUse } from '../../clusters/public.ts'
import { decisionsChanged } from '../../decisions/public.ts'
import { mustHaveIstio } from './istio.service.ts'
import { preview } from './preview.ts'
import { readBlueprint, type Source, type Wanted } from './read-blueprint.ts'
import { fieldsOf, plannedOf, turnsOf } from './plan.ts'
import { endRelease, insertRelease, latestRelease, readyStates, type ReleaseRow } from './releases.store.ts'

export const nothing = { cpu: 0, memory: 0 }

export interface Deployment extends Wanted {
  envId: string
  stackName: string
  description: string
  quota: Amount
}

/** Ingresses and the like come last, because they refer to the other services. */
const waysLast = (services: Checked['services']): Checked['services'] =>
  services.toSorted((a, b) => Number(a.spec.outward !== undefined) - Number(b.spec.outward !== undefined))

const creates = ({ services }: Checked): Change[] =>
  waysLast(services).map(({ name, spec, requires }) => ({
    type: 'create',
    name,
    serviceType: typeOf(spec),
    spec,
    requires,
  }))

/** Checks of ingresses and the like call the cluster, so they run before the transaction. */
async function mustReachAll(
  ctx: Ctx,
  where: { teamId: number; envId: string },
  { services }: Checked,
  stack?: StackRow,
): Promise<void> {
  if (services.every(({ spec }) => !spec.outward)) return
  await mustUse(ctx, where.envId, where.teamId)
  await mustReachIn(ctx, where, stack, services)
}

const originOf = ({ blueprintId, templateId }: Source) => ({ blueprintId, templateId })

/** The version of a preset service may be deleted at this very moment. */
const putOrigin = (ctx: Ctx, stackId: number, source: Source, istio?: boolean) =>
  setOrigin(ctx.db, stackId, originOf(source), istio).catch(
    brokenConstraint('stack_template', new Fault('missing', 'resource-missing')),
  )

export const byPerson = (ctx: Ctx) => ({ by: ctx.actor.name, deployKey: null, digest: '' })

/** Creates the stack with all its services; reconcilers apply them to the cluster, in the order of requirements. */
const deployAll = (
  ctx: Ctx,
  teamId: number,
  { envId, stackName, description, quota }: Deployment,
  { source, checked }: { source: Source; checked: Checked },
  istio: boolean,
): Promise<StackRow> =>
  inTx(ctx, async (ctx) => {
    const { id } = await createStack(ctx, teamId, {
      name: stackName,
      description,
      envId,
      quota,
      productId: source.productId,
    })
    await putOrigin(ctx, id, source, istio)
    await applyChanges(ctx, { id, name: stackName }, creates(checked))
    await insertRelease(ctx.db, {
      stackId: id,
      ...originOf(source),
      blueprintBefore: null,
      templateBefore: null,
      version: source.version,
      action: 'deploy',
      state: 'confirmed',
      made: checked.services.map(({ name }) => name),
      changed: [],
      removed: [],
      before: {},
      inputs: checked.inputs,
      by: ctx.actor.name,
    })
    return mustExist(await findStack(ctx.db, id))
  })

export async function deployBlueprint(ctx: Ctx, teamId: number, wanted: Deployment, istio: boolean): Promise<Stack> {
  note(ctx, { object: wanted.stackName, after: { ...wanted, inputs: Object.keys(wanted.inputs) } })
  const read = await readBlueprint(ctx, teamId, wanted, false)
  if (istio) await mustHaveIstio(ctx, teamId, wanted.envId)
  await mustReachAll(ctx, { teamId, envId: wanted.envId }, read.checked)
  const stack = await deployAll(ctx, teamId, wanted, read, istio)
  note(ctx, {
    object: `${read.source.name} ${read.source.version} → ${stack.name}`,
    after: { inputs: read.checked.inputs, services: read.checked.services.map(({ name }) => name) },
  })
  return shownStack(ctx, stack)
}

const emptyPlan = ({ blueprintId, version }: Source, { outputs }: Checked): ReleasePlan => ({
  blueprint: blueprintId === null ? null : { id: blueprintId, version },
  made: [],
  changed: [],
  restarted: [],
  removed: [],
  same: [],
  share: { before: nothing, after: nothing, quota: { cpu: null, memory: null } },
  outputs,
  refusals: [],
})

export async function checkDeployment(
  ctx: Ctx,
  teamId: number,
  wanted: Deployment,
  istio: boolean,
): Promise<ReleasePlan> {
  note(ctx, { object: wanted.stackName })
  const read = await readBlueprint(ctx, teamId, wanted, false)
  const turns = turnsOf(read.checked.services)
  const plan = {
    ...emptyPlan(read.source, read.checked),
    made: read.checked.services.map((one) => plannedOf(one, turns)),
    share: { before: nothing, after: nothing, quota: wanted.quota },
  }
  if (istio) await mustHaveIstio(ctx, teamId, wanted.envId)
  await mustReachAll(ctx, { teamId, envId: wanted.envId }, read.checked)
  return preview(ctx, plan, async (ctx) => usedBy(ctx, (await deployAll(ctx, teamId, wanted, read, istio)).id))
}

/** A stack of the team by its name; 404 if there is none. */
export async function stackNamed(ctx: Ctx, { teamId, envId, stackName }: StackName): Promise<StackRow> {
  return mustExist(await findStackByName(ctx.db, teamId, envId, stackName))
}

export interface StackName {
  teamId: number
  envId: string
  stackName: string
}

export const keptOf = ({ spec, secrets, digest, pins, requires }: ServiceRow): KeptService => ({
  spec,
  secrets,
  digest,
  pins,
  requires,
})

interface Upgrade {
  plan: ReleasePlan
  changes: Change[]
  /** The services before the release. */
  before: Record<string, KeptService>
  leaving: ServiceRow[]
}

async function planUpgrade(ctx: Ctx, stack: StackRow, source: Source, checked: Checked): Promise<Upgrade> {
  const present = new Map((await servicesOf(ctx.db, stack.id)).map((one) => [one.name, one]))
  const turns = turnsOf(checked.services)
  const plan = emptyPlan(source, checked)
  plan.share = { before: await usedBy(ctx, stack.id), after: nothing, quota: { cpu: stack.cpu, memory: stack.memory } }
  const changes: Change[] = []
  const before: Upgrade['before'] = {}
  for (const service of waysLast(checked.services)) {
    const { name, spec, requires } = service
    const now = present.get(name)
    present.delete(name)
    if (!now) {
      plan.made.push(plannedOf(service, turns))
      changes.push({ type: 'create', name, serviceType: typeOf(spec), spec, requires })
      continue
    }
    before[name] = keptOf(now)
    const { isSame, masked, secretDiffers } = comparison(ctx, now, spec)
    if (isSame) {
      plan.same.push(name)
      continue
    }
    plan.changed.push({ ...plannedOf(service, turns), fields: fieldsOf(now.spec, masked, secretDiffers) })
    plan.restarted.push(name)
    changes.push({ type: 'upgrade', id: now.id, spec })
  }
  const leaving = [...present.values()]
  plan.removed = leaving.map(({ name }) => name)
  for (const one of leaving) before[one.name] = keptOf(one)
  return { plan, changes, before, leaving }
}

const upgradeAll = (
  ctx: Ctx,
  stackId: number,
  read: { source: Source; checked: Checked },
  inputs: Release['inputs'],
  deployKey?: string,
) =>
  inTx(ctx, async (ctx) => {
    await lockStack(ctx.db, stackId)
    const stack = await findStack(ctx.db, stackId)
    if (!stack || stack.state === 'deleting')
      throw new Fault('conflict', 'stacks-being-deleted', { name: stack?.name ?? '' })
    const { source, checked } = read
    const { plan, changes, before, leaving } = await planUpgrade(ctx, stack, source, checked)
    for (const { name, state } of await servicesOf(ctx.db, stackId))
      if (state === 'failed' || state === 'deploying') throw new Fault('conflict', 'blueprints-not-settled', { name })
    if (changes.length === 0 && leaving.length === 0)
      throw new Fault('conflict', 'blueprints-nothing-changes', { stack: stack.name, version: source.version })
    const release = await insertRelease(ctx.db, {
      stackId,
      ...originOf(source),
      blueprintBefore: stack.blueprintId,
      templateBefore: stack.templateId,
      version: source.version,
      action: 'upgrade',
      state: 'open',
      made: plan.made.map(({ name }) => name),
      changed: plan.changed.map(({ name }) => name),
      removed: plan.removed,
      before,
      inputs,
      by: ctx.actor.name,
      deployKey,
    })
    if (release === undefined) throw new Fault('conflict', 'blueprints-release-open', { stack: stack.name })
    await applyChanges(ctx, stack, changes, { ...byPerson(ctx), release })
    await joinRelease(
      ctx.db,
      leaving.map(({ id }) => id),
      release,
    )
    for (const { name, requires } of checked.services) await setRequires(ctx.db, stackId, name, requires)
    await putOrigin(ctx, stackId, source)
    return release
  })

/** `deployKey` is set for a step of a build, which finds its release again by it. */
export async function upgradeStack(ctx: Ctx, at: StackName, wanted: Wanted, deployKey?: string): Promise<Release> {
  note(ctx, { object: at.stackName })
  const stack = await stackNamed(ctx, at)
  const read = await readBlueprint(ctx, at.teamId, wanted, true)
  await mustReachAll(ctx, at, read.checked, stack)
  await upgradeAll(ctx, stack.id, read, read.checked.inputs, deployKey)
  note(ctx, {
    object: `${read.source.name} ${read.source.version} → ${at.stackName}`,
    after: { inputs: read.checked.inputs },
  })
  return mustLatest(ctx, at)
}

export async function checkUpgrade(ctx: Ctx, at: StackName, wanted: Wanted): Promise<ReleasePlan> {
  note(ctx, { object: at.stackName })
  const stack = await stackNamed(ctx, at)
  const read = await readBlueprint(ctx, at.teamId, wanted, true)
  const { plan } = await planUpgrade(ctx, stack, read.source, read.checked)
  await mustReachAll(ctx, at, read.checked, stack)
  return preview(ctx, plan, async (ctx) => {
    await upgradeAll(ctx, stack.id, read, read.checked.inputs)
    return usedBy(ctx, stack.id)
  })
}

const Before = z.record(z.string(), KeptService)

/** Whether every service that a release creates or changes is ready. */
export const isReady = (row: ReleaseRow, services: readonly ServiceRow[]): boolean =>
  services
    .filter(({ name }) => row.made.includes(name) || row.changed.includes(name))
    .every(({ state }) => readyStates.some((ready) => ready === state))

function toRelease(ctx: Ctx, row: ReleaseRow, services: readonly ServiceRow[]): Release {
  const names = new Set([...row.made, ...row.changed, ...row.removed])
  return {
    id: row.id,
    blueprintId: row.blueprint_id,
    templateId: row.template_id,
    version: row.version,
    action: row.action,
    state: row.state,
    ready: row.state === 'open' && isReady(row, services),
    made: row.made,
    changed: row.changed,
    removed: row.removed,
    services: services
      .filter(({ name }) => names.has(name))
      .map(({ name, state, reason }) => ({ name, state, message: sayReasonTo(ctx, reason) })),
    inputs: row.inputs as Release['inputs'],
    by: row.by,
    createdAt: row.created_at,
  }
}

export async function findLatest(ctx: Ctx, at: StackName): Promise<Release | null> {
  const stack = await stackNamed(ctx, at)
  const row = await latestRelease(ctx.db, stack.id)
  return row ? toRelease(ctx, row, await servicesOf(ctx.db, stack.id)) : null
}

async function mustLatest(ctx: Ctx, at: StackName): Promise<Release> {
  const release = await findLatest(ctx, at)
  if (!release) throw new Fault('conflict', 'blueprints-no-release', { stack: at.stackName })
  return release
}

/** Restores a service: cancels or rolls back its own upgrade if it has one, else upgrades it to what was kept. */
function returning(service: ServiceRow, kept: KeptService | undefined): Change | undefined {
  const { id, state, previous } = service
  if (previous && (state === 'upgrading' || state === 'failed')) return { type: 'cancel', id }
  if (previous && state === 'upgraded') return { type: 'rollBack', id }
  return kept && { type: 'upgrade', id, spec: kept.spec, kept }
}

export type Decision = 'confirm' | 'cancel' | 'rollBack'

/** Decides the open release as a whole; with an id, only that release. Of concurrent decisions one succeeds. */
export const decide = (ctx: Ctx, at: StackName, decision: Decision, release?: number): Promise<Release> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: at.stackName })
    const stack = await stackNamed(ctx, at)
    await lockStack(ctx.db, stack.id)
    const row = await latestRelease(ctx.db, stack.id)
    if (row?.state !== 'open' || (release !== undefined && row.id !== release))
      throw new Fault('conflict', 'blueprints-no-release', { stack: stack.name })
    note(ctx, { object: `${stack.name} ${row.version}`, after: { decision } })
    const services = await servicesOf(ctx.db, stack.id)
    const ready = isReady(row, services)
    if (decision === 'cancel' && ready) throw new Fault('conflict', 'blueprints-release-ready', { stack: stack.name })
    if (decision !== 'cancel' && !ready)
      throw new Fault('conflict', 'blueprints-release-not-ready', { stack: stack.name })
    const of = (names: readonly string[]) => services.filter(({ name }) => names.includes(name))
    if (decision !== 'confirm' && row.made_stack) {
      await mustHold(ctx, at.teamId, 'stack_stack_delete')
      await leaveRelease(ctx.db, row.id)
      await endRelease(ctx.db, row.id, 'returned')
      await removeStack(ctx, at.teamId, at.envId, stack.id, { forget: false, confirm: stack.name })
      return mustLatest(ctx, at)
    }
    const removal = ({ id }: ServiceRow): Change => ({ type: 'remove', id })
    const before = Before.parse(row.before)
    const changes: Change[] =
      decision === 'confirm'
        ? [
            ...of(row.changed).flatMap(({ id, state }): Change[] =>
              state === 'upgraded' ? [{ type: 'confirm', id }] : [],
            ),
            ...of(row.removed)
              .filter(({ state }) => state !== 'deleting')
              .map(removal),
          ]
        : [
            ...of(row.made)
              .filter(({ state }) => state !== 'deleting')
              .map(removal),
            ...of(row.changed).flatMap((service) => returning(service, before[service.name]) ?? []),
          ]
    await applyChanges(ctx, stack, changes, { ...byPerson(ctx), release: row.id })
    await leaveRelease(ctx.db, row.id)
    await endRelease(ctx.db, row.id, decision === 'confirm' ? 'confirmed' : 'returned')
    // where no service changes, too
    await publishStack(ctx, stack, stack.state)
    await decisionsChanged(ctx, stack.teamId)
    if (decision !== 'confirm') {
      for (const [name, { requires }] of Object.entries(before)) await setRequires(ctx.db, stack.id, name, requires)
      await setOrigin(ctx.db, stack.id, { blueprintId: row.blueprint_before, templateId: row.template_before })
    }
    return mustLatest(ctx, at)
  })
