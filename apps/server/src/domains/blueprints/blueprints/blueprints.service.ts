import type { Blueprint } from '@gantry/contract/blueprints/blueprints'
import { blueprintsTopic } from '@gantry/contract/blueprints/topics'
import { raiseVersion } from '@gantry/tosca/edit'
import { isLower, platformVersion } from '@gantry/tosca/version'
import { writeTemplate } from '@gantry/tosca/write'
import { brokenConstraint } from '../../../db/constraint.ts'
import { mustHold } from '../../../identity/access.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { getProduct } from '../../products/public.ts'
import { getStack, servicesOf } from '../../stacks/public.ts'
import { checkText, refuseProblems } from '../tosca/check.ts'
import {
  type BlueprintKey,
  deleteBlueprint,
  findBlueprint,
  insertBlueprint,
  stackInRelease,
  type StoredBlueprint,
  updateBlueprint,
} from './blueprints.store.ts'
import { publish } from '../../../kernel/events/events.ts'

const versionTaken = (version: string) => new Fault('conflict', 'blueprints-version-taken', { version })

export const withOutdated = <T extends { toscaVersion: string }>(stored: T) => ({
  ...stored,
  outdated: isLower(stored.toscaVersion),
})

/** A blueprint of the team, or 404. */
export async function mustFind(
  ctx: Ctx,
  teamId: number,
  key: BlueprintKey,
  { lock = false } = {},
): Promise<StoredBlueprint> {
  const found = await findBlueprint(ctx.db, key, { lock })
  if (found?.teamId !== teamId) throw new Fault('missing', 'resource-missing')
  return found
}

export const getBlueprint = async (ctx: Ctx, teamId: number, key: BlueprintKey): Promise<Blueprint> =>
  withOutdated(await mustFind(ctx, teamId, key))

const named = ({ productName, version }: { productName: string; version: string }) => `${productName} ${version}`

interface BlueprintInput {
  applicationId: number
  version: string
  description: string
  template: string
}

/** The template may be of a lower version; it must be translated before it is changed or deployed. */
export async function createBlueprint(ctx: Ctx, teamId: number, input: BlueprintInput): Promise<Blueprint> {
  note(ctx, { object: input.version, after: input })
  await getProduct(ctx, teamId, input.applicationId)
  const checked = await checkText(input.template)
  refuseProblems(ctx.lang, checked)
  return inTx(ctx, async (ctx) => {
    const product = await getProduct(ctx, teamId, input.applicationId)
    note(ctx, { object: named({ productName: product.name, version: input.version }) })
    const id = await insertBlueprint(ctx.db, {
      teamId,
      productId: product.id,
      version: input.version,
      description: input.description,
      template: input.template,
      toscaVersion: checked.template.version,
      serviceNum: checked.services.length,
      by: ctx.actor.name,
    })
    if (id === undefined) throw versionTaken(input.version)
    return getBlueprint(ctx, teamId, id)
  })
}

function mustBeCurrent(stored: StoredBlueprint, revision: number | undefined): void {
  if (revision !== undefined && revision !== stored.revision)
    throw new Fault('conflict', 'blueprints-changed-since', {
      name: named(stored),
      by: stored.updatedBy,
      revision: stored.revision,
    })
}

export const changeBasics = (
  ctx: Ctx,
  teamId: number,
  key: BlueprintKey,
  { revision, ...input }: { version: string; description: string; revision?: number | undefined },
): Promise<Blueprint> =>
  inTx(ctx, async (ctx) => {
    const before = await mustFind(ctx, teamId, key, { lock: true })
    const { version, description } = before
    note(ctx, { object: named(before), before: { version, description }, after: input })
    mustBeCurrent(before, revision)
    await updateBlueprint(ctx.db, before.id, { ...input, by: ctx.actor.name }).catch(
      brokenConstraint('blueprint_version', versionTaken(input.version)),
    )
    return getBlueprint(ctx, teamId, before.id)
  })

export async function changeTemplate(
  ctx: Ctx,
  teamId: number,
  key: BlueprintKey,
  { template, revision }: { template: string; revision?: number | undefined },
): Promise<Blueprint> {
  const { id } = await mustFind(ctx, teamId, key)
  const checked = await checkText(template)
  refuseProblems(ctx.lang, checked)
  const { version } = checked.template
  if (isLower(version)) throw new Fault('invalid', 'tips-tosaca-version', { version: platformVersion })
  return inTx(ctx, async (ctx) => {
    const before = await mustFind(ctx, teamId, id, { lock: true })
    note(ctx, { object: named(before), before: { template: before.template }, after: { template } })
    mustBeCurrent(before, revision)
    await updateBlueprint(ctx.db, id, {
      template,
      toscaVersion: version,
      serviceNum: checked.services.length,
      by: ctx.actor.name,
    })
    return getBlueprint(ctx, teamId, id)
  })
}

export async function cloneBlueprint(
  ctx: Ctx,
  teamId: number,
  key: BlueprintKey,
  {
    version,
    description,
    applicationId,
  }: { version: string; description?: string | undefined; applicationId?: number | undefined },
): Promise<Blueprint> {
  const original = await mustFind(ctx, teamId, key)
  const made = await createBlueprint(ctx, teamId, {
    applicationId: applicationId ?? original.applicationId,
    version,
    description: description ?? original.description,
    template: original.template,
  })
  note(ctx, { object: `${named(original)} → ${named(made)}` })
  return made
}

export const removeBlueprint = (ctx: Ctx, teamId: number, key: BlueprintKey): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const blueprint = await mustFind(ctx, teamId, key, { lock: true })
    const { version, description, stackNum } = blueprint
    note(ctx, { object: named(blueprint), before: { version, description, stackNum } })
    const stack = await stackInRelease(ctx.db, blueprint.id)
    if (stack !== undefined) throw new Fault('conflict', 'blueprints-in-release', { version, stack })
    await deleteBlueprint(ctx.db, blueprint.id)
    return null
  })

/** Raises a template to the platform's version and leaves the rest of its text unchanged. */
export async function translateBlueprint(ctx: Ctx, uuid: string, version: string): Promise<Blueprint> {
  const { id, teamId } = (await findBlueprint(ctx.db, uuid)) ?? { id: 0, teamId: 0 }
  // to anyone without access the blueprint does not exist
  await mustHold(ctx, teamId, 'product_blueprint_edit').catch((fault: unknown) => {
    throw fault instanceof Fault && fault.key === 'user-team' ? new Fault('missing', 'resource-missing') : fault
  })
  if (version !== platformVersion)
    throw new Fault('invalid', 'blueprints-translate-version', {
      version: version.slice(0, 60),
      platform: platformVersion,
    })
  return inTx(ctx, async (ctx) => {
    const before = await mustFind(ctx, teamId, id, { lock: true })
    note(ctx, { object: named(before), teamId, before: { version: before.toscaVersion }, after: { version } })
    if (isLower(before.toscaVersion, version))
      await updateBlueprint(ctx.db, id, {
        template: raiseVersion(before.template, version),
        toscaVersion: version,
        by: ctx.actor.name,
      })
    // the path of the call does not name the team
    await publish(ctx, blueprintsTopic, { teamId })
    return getBlueprint(ctx, teamId, id)
  })
}

const withDigest = (image: string, digest: string): string =>
  digest === '' || image.includes('@') ? image : `${image.replace(/:[^:/]+$/, '')}@${digest}`

interface Saved {
  applicationId?: number | undefined
  version: string
  description: string
  digests: boolean
}

/** Saves the services of a stack as a template. */
export async function saveStack(
  ctx: Ctx,
  { teamId, envId, uuid }: { teamId: number; envId: string; uuid: number | string },
  { applicationId, version, description, digests }: Saved,
): Promise<Blueprint> {
  const stack = await getStack(ctx, teamId, uuid, envId)
  const productId = applicationId ?? stack.productId
  if (productId === null) throw new Fault('invalid', 'blueprints-product-required', { stack: stack.name })
  const services = (await servicesOf(ctx.db, stack.id)).filter(({ state }) => state !== 'deleting')
  if (services.length === 0) throw new Fault('conflict', 'blueprints-stack-empty', { stack: stack.name })
  const template = writeTemplate(
    services.map(({ name, spec, digest, requires }) => ({
      name,
      spec: digests ? { ...spec, image: withDigest(spec.image, digest) } : spec,
      requires,
    })),
  )
  const made = await createBlueprint(ctx, teamId, { applicationId: productId, version, description, template })
  note(ctx, { object: `${stack.name} → ${named(made)}` })
  return made
}
