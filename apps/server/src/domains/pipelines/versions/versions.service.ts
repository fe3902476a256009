import { changedFields } from '@gantry/contract/documents'
import { Definition } from '@gantry/contract/pipelines/definition'
import type { Ctx } from '../../../kernel/context.ts'
import { mustExist } from '../../../kernel/fault.ts'
import { type Trigger, triggerBuild } from '../builds/builds.service.ts'
import { validateDefinition } from '../pipelines/changes.service.ts'
import { refuseWrongNames } from '../pipelines/names.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey } from '../pipelines/pipelines.store.ts'
import { differences } from './difference.ts'
import { changedBetween, findVersion } from './versions.read.ts'

export async function readVersion(ctx: Ctx, key: PipelineKey, revision: number) {
  return mustExist(await findVersion(ctx.db, (await getPipeline(ctx, key)).id, revision))
}

/** Fields in which only a secret may have changed, which two masks do not show. */
const withSecrets = ['repository', 'variables', 'parameters'] as const

export async function compareVersions(ctx: Ctx, key: PipelineKey, revision: number, from: number) {
  const { id } = await getPipeline(ctx, key)
  const [before, after] = [await readVersion(ctx, id, from), await readVersion(ctx, id, revision)]
  const between = await changedBetween(ctx.db, id, Math.min(from, revision), Math.max(from, revision))
  const seen = changedFields(before.document, after.document)
  return {
    fields: differences(before.document, after.document),
    secrets: withSecrets.filter((field) => between.includes(field) && !seen.includes(field)),
    before: before.document,
    after: after.document,
  }
}

/** Starts a build of stages that are not saved. They are checked like saved ones. */
export async function runDraft(
  ctx: Ctx,
  key: PipelineKey,
  { stages, ...trigger }: { stages: Definition['stages'] } & Pick<Trigger, 'branch' | 'parameters' | 'idempotencyKey'>,
) {
  const pipeline = await getPipeline(ctx, key)
  const { id, teamId, approvers } = pipeline
  const draft = Definition.parse({ stages })
  refuseWrongNames(ctx.lang, { definition: draft }, pipeline)
  await validateDefinition(ctx, teamId, { definition: draft }, approvers)
  return triggerBuild(ctx, id, { cause: 'manual', ...trigger, draft })
}
