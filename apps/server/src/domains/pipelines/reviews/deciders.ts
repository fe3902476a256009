import type { PermissionKey } from '@gantry/contract/permission-keys.gen'
import type { BuildGate } from '@gantry/contract/pipelines/builds/gate'
import { giversOf, holds } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { firstFew } from '../../../kernel/phrase.ts'
import { roleIn } from './reviews.store.ts'

/** Users and roles, by their ids: a name may stand for somebody else tomorrow. */
export interface Named {
  users: readonly number[]
  roles: readonly number[]
}

/** What people are asked to decide: whether a build may begin, or one of its stages. */
export interface Question {
  waits: boolean
  /** Null: nobody is named, and whoever has the permission may decide. */
  named: Named | null
  /** Those who may not decide because the build runs on their word. */
  requesters: readonly number[]
  /** The accounts whose decisions count; null where one has been deleted. */
  decided: readonly (number | null)[]
}

interface Decider {
  id: number
  /** Null: they have no role in the team. */
  roleId: number | null
  holds: boolean
}

export type Obstacle = 'over' | 'lacking' | 'own' | 'twice' | 'unnamed'

/** The accounts on whose word a build runs: who triggered it or saved its trigger, who pushed, and who retried it. */
export const requestersOf = ({ userId, requesters }: { userId: number | null; requesters: number[] }): number[] =>
  userId === null ? requesters : [...new Set([userId, ...requesters])]

type Mode = BuildGate['mode']

/** What whoever decides about a stage has to hold: a manual stage is for whoever may start builds. */
export const permissionOf = (mode: Mode) => (mode === 'manual' ? 'pipeline_build_execute' : 'pipeline_review_operate')

/** Those who may not decide about a stage: a manual one is also for who started its build. */
export const excludedFrom = (mode: Mode, build: Parameters<typeof requestersOf>[0]): number[] =>
  mode === 'manual' ? [] : requestersOf(build)

/** Those whom a pipeline's review names. */
export const reviewersOf = ({ users, roles }: { users: number[]; roles: number[] }): Named | null =>
  users.length + roles.length === 0 ? null : { users, roles }

export const isNamed = (named: Named | null, { id, roleId }: Pick<Decider, 'id' | 'roleId'>): boolean =>
  named === null || named.users.includes(id) || (roleId !== null && named.roles.includes(roleId))

/**
 * Why somebody may not decide; undefined where they may. Administrators hold every permission, and are bound by
 * everything else like anybody.
 */
export function obstacleOf({ waits, named, requesters, decided }: Question, decider: Decider): Obstacle | undefined {
  if (!waits) return 'over'
  if (!decider.holds) return 'lacking'
  if (requesters.includes(decider.id)) return 'own'
  if (decided.includes(decider.id)) return 'twice'
  return isNamed(named, decider) ? undefined : 'unnamed'
}

/** Those to ask instead: who is named, else the roles with the permission and the team's leaders; by name. */
export async function whoMay(
  ctx: Ctx,
  teamId: number,
  permission: PermissionKey,
  named: readonly string[],
): Promise<string> {
  if (named.length > 0) return firstFew(named)
  const { roles, leaders } = await giversOf(ctx.db, teamId, permission)
  return firstFew([...roles, ...leaders])
}

/** The actor as somebody who may have to decide. */
export async function deciderOf(ctx: Ctx, teamId: number, permission: PermissionKey): Promise<Decider> {
  const { kind, id } = ctx.actor
  if (kind !== 'user') return { id: 0, roleId: null, holds: false }
  return { id, roleId: await roleIn(ctx.db, teamId, id), holds: await holds(ctx, teamId, permission) }
}
