import type { Group, GroupVariables, VariablesBody } from '@gantry/contract/pipelines/groups'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { brokenConstraint } from '../../../db/constraint.ts'
import {
  countPipelines,
  deleteGroup,
  findGroup,
  groupVariables,
  insertGroup,
  setGroupVariables,
  updateGroup,
} from './groups.store.ts'
import { refuseWrongNames } from '../pipelines/names.ts'
import { maskedVariables, sealedVariables } from '../pipelines/variables.ts'
import { lockRow, mustBeMadeOn } from '../../../db/revision.ts'

interface GroupInput {
  name: string
  description: string
}

export async function getGroup(ctx: Ctx, teamId: number, id: number): Promise<Group> {
  const group = await findGroup(ctx.db, id)
  if (group?.teamId !== teamId) throw new Fault('missing', 'resource-missing')
  return group
}

const storedGroup = async (ctx: Ctx, id: number): Promise<Group> => {
  return mustExist(await findGroup(ctx.db, id))
}

export const createGroup = (ctx: Ctx, teamId: number, input: GroupInput): Promise<Group> =>
  inTx(ctx, async (ctx) => {
    const id = await insertGroup(ctx.db, { teamId, ...input }, ctx.actor.name)
    if (id === undefined) throw new Fault('conflict', 'pipelines-group-name-taken', { name: input.name })
    note(ctx, { object: input.name, after: input })
    return storedGroup(ctx, id)
  })

/** With `teamId`, 404 if the group is of another team. */
export const changeGroup = (
  ctx: Ctx,
  id: number,
  { revision, ...input }: GroupInput & { revision?: string | undefined },
  teamId?: number,
): Promise<Group> =>
  inTx(ctx, async (ctx) => {
    await lockRow(ctx.db, 'pipeline_group', id)
    const before = await (teamId === undefined ? storedGroup(ctx, id) : getGroup(ctx, teamId, id))
    mustBeMadeOn(before.updatedAt, revision)
    note(ctx, { object: before.name, before: { name: before.name, description: before.description }, after: input })
    await updateGroup(ctx.db, id, input, ctx.actor.name).catch(
      brokenConstraint(
        'pipeline_group_name',
        new Fault('conflict', 'pipelines-group-name-taken', { name: input.name }),
      ),
    )
    return storedGroup(ctx, id)
  })

export const removeGroup = (ctx: Ctx, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const group = await storedGroup(ctx, id)
    note(ctx, { object: group.name, before: { name: group.name, description: group.description } })
    const count = await countPipelines(ctx.db, id)
    if (count > 0) throw new Fault('conflict', 'pipelines-group-in-use', { name: group.name, count })
    await deleteGroup(ctx.db, id)
    return null
  })

const masked = ({ variables, revision }: GroupVariables): GroupVariables => ({
  variables: maskedVariables(variables),
  revision,
})

export const readGroupVariables = async (ctx: Ctx, id: number): Promise<GroupVariables> =>
  masked(await groupVariables(ctx.db, id))

export const writeGroupVariables = (ctx: Ctx, id: number, given: VariablesBody): Promise<GroupVariables> =>
  inTx(ctx, async (ctx) => {
    const { name } = await storedGroup(ctx, id)
    const before = await groupVariables(ctx.db, id, { lock: true })
    const variables = given.variables ?? given.globalEnvs ?? []
    refuseWrongNames(ctx.lang, { variables }, before)
    if (given.revision !== undefined && given.revision !== before.revision)
      throw new Fault('conflict', 'pipelines-group-variables-changed', { name })
    const after = {
      variables: sealedVariables(ctx, variables, before.variables),
      revision: before.revision + 1,
    }
    note(ctx, { object: name, before: maskedVariables(before.variables), after: maskedVariables(after.variables) })
    await setGroupVariables(ctx.db, id, after, ctx.actor.name)
    return masked(after)
  })
