import type { Release } from '@gantry/contract/blueprints/releases'
import { type Selectable, sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Db, Tables } from '../../../db/tables.gen.ts'
import { isAttemptAt } from '../../stacks/public.ts'

export interface NewRelease {
  stackId: number
  blueprintId: number | null
  blueprintBefore: number | null
  templateId: number | null
  templateBefore: number | null
  version: string
  action: Release['action']
  state: Release['state']
  made: string[]
  changed: string[]
  removed: string[]
  before: unknown
  inputs: Release['inputs']
  by: string
  /** Whether the release created the stack; rolling back then deletes it. */
  madeStack?: boolean
  /** Set for a step of a build. */
  deployKey?: string | undefined
}

export type ReleaseRow = Selectable<Tables['stack_release']>

/** Returns the id; undefined if the stack already has an open release. */
export const insertRelease = async (db: Db, release: NewRelease): Promise<number | undefined> =>
  (
    await db
      .insertInto('stack_release')
      .values({
        stack_id: release.stackId,
        blueprint_id: release.blueprintId,
        blueprint_before: release.blueprintBefore,
        template_id: release.templateId,
        template_before: release.templateBefore,
        version: release.version,
        action: release.action,
        state: release.state,
        made: release.made,
        changed: release.changed,
        removed: release.removed,
        before: jsonb(release.before),
        inputs: jsonb(release.inputs),
        by: release.by,
        made_stack: release.madeStack ?? false,
        deploy_key: release.deployKey ?? null,
      })
      .onConflict((c) => c.doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

export const latestRelease = (db: Db, stackId: number): Promise<ReleaseRow | undefined> =>
  db
    .selectFrom('stack_release')
    .selectAll()
    .where('stack_id', '=', stackId)
    .orderBy(sql`(state = 'open')`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** States in which a service of a release is ready. */
export const readyStates = ['upgraded', 'stable', 'stopped'] as const

/** The last release that was started under this key. */
export const lastDeploy = (db: Db, stackId: number, key: string): Promise<ReleaseRow | undefined> =>
  db
    .selectFrom('stack_release')
    .selectAll()
    .where('stack_id', '=', stackId)
    .where(isAttemptAt(key))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const endRelease = (db: Db, id: number, state: 'confirmed' | 'returned') =>
  db.updateTable('stack_release').set({ state }).where('id', '=', id).execute()
