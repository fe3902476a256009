import type { PermissionKey } from '@gantry/contract/permission-keys.gen'
import type { BuildGate } from '@gantry/contract/pipelines/builds/gate'
import { grantersOf, holds } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { firstFew } from '../../../kernel/phrase.ts'
import { roleIn } from './reviews.store.ts'

/** Users and roles by id, because names may be reassigned. */
export interface Named {
  users: readonly number[]
  roles: readonly number[]
}

/** A decision that people are asked for: whether a build, or one of its stages, may begin. */
export interface Question {
  waits: boolean
  /** Null if nobody is named: then anyone with the permission may decide. */
  named: Named | null
  /** Users who may not decide because they caused the build. */
  requesters: readonly number[]
  /** The accounts that have decided; null for a deleted one. */
  decided: readonly (number | null)[]
}

interface Decider {
  id: number
  /** Null without a role in the team. */
  roleId: number | null
  holds: boolean
}

export type Obstacle = 'over' | 'lacking' | 'own' | 'twice' | 'unnamed'

/** The accounts that caused a build: who triggered it or saved its trigger, who pushed, and who retried it. */
export const requestersOf = ({ userId, requesters }: { userId: number | null; requesters: number[] }): number[] =>
  userId === null ? requesters : [...new Set([userId, ...requesters])]

type Mode = BuildGate['mode']

/** The permission needed to decide about a stage: a manual stage may be started by anyone who may start builds. */
export const permissionOf = (mode: Mode) => (mode === 'manual' ? 'pipeline_build_execute' : 'pipeline_review_operate')

/** The users who may not decide about a stage; none for a manual one, open to those who caused the build. */
export const excludedFrom = (mode: Mode, build: Parameters<typeof requestersOf>[0]): number[] =>
  mode === 'manual' ? [] : requestersOf(build)

/** The users and roles that a pipeline's review names. */
export const reviewersOf = ({ users, roles }: { users: number[]; roles: number[] }): Named | null =>
  users.length + roles.length === 0 ? null : { users, roles }

export const isNamed = (named: Named | null, { id, roleId }: Pick<Decider, 'id' | 'roleId'>): boolean =>
  named === null || named.users.includes(id) || (roleId !== null && named.roles.includes(roleId))

/**
 * Why somebody may not decide; undefined if they may. Administrators hold every permission, but all other rules apply
 * to them too.
 */
export function obstacleOf({ waits, named, requesters, decided }: Question, decider: Decider): Obstacle | undefined {
  if (!waits) return 'over'
  if (!decider.holds) return 'lacking'
  if (requesters.includes(decider.id)) return 'own'
  if (decided.includes(decider.id)) return 'twice'
  return isNamed(named, decider) ? undefined : 'unnamed'
}

/** Names of those to ask instead: those who are named, else the roles with the permission and the team's leaders. */
export async function whoMay(
  ctx: Ctx,
  teamId: number,
  permission: PermissionKey,
  named: readonly string[],
): Promise<string> {
  if (named.length > 0) return firstFew(named)
  const { roles, leaders } = await grantersOf(ctx.db, teamId, permission)
  return firstFew([...roles, ...leaders])
}

/** The actor with the facts that obstacleOf needs. */
export async function deciderOf(ctx: Ctx, teamId: number, permission: PermissionKey): Promise<Decider> {
  const { kind, id } = ctx.actor
  if (kind !== 'user') return { id: 0, roleId: null, holds: false }
  return { id, roleId: await roleIn(ctx.db, teamId, id), holds: await holds(ctx, teamId, permission) }
}
