import type { BuildEvent } from '@gantry/contract/notifications/build-event'
import type { BuildState } from '@gantry/contract/pipelines/states'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.gen.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { tellWebhooks } from '../../webhooks/public.ts'
import { contentOf } from '../notices/content.service.ts'
import { tellByRules } from '../notices/tell.service.ts'

type Told = 'success' | 'failed' | 'aborted' | 'waiting'

const told: Partial<Record<BuildState, Told>> = {
  success: 'success',
  failed: 'failed',
  aborted: 'aborted',
  waiting: 'waiting',
}

/** Whether the build of the same pipeline, branch and tag before this one, of those that came to a result, failed. */
const failedBefore = async (db: Kysely<Tables>, buildId: number): Promise<boolean> =>
  (
    await db
      .selectFrom('build as own')
      .innerJoin('build as before', (join) =>
        join
          .onRef('before.pipeline_id', '=', 'own.pipeline_id')
          .onRef('before.branch', '=', 'own.branch')
          .onRef('before.tag', '=', 'own.tag'),
      )
      // a fork may call its branch like one of the team's own
      .where(
        sql<boolean>`case when (before.merge_request ->> 'fork')::boolean then before.merge_request ->> 'number' end
        is not distinct from case when (own.merge_request ->> 'fork')::boolean then own.merge_request ->> 'number' end`,
      )
      .select('before.state')
      .where('own.id', '=', buildId)
      .where(sql<boolean>`before.number < own.number`)
      .where('before.state', 'in', ['success', 'failed'])
      .orderBy('before.number', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.state === 'failed'

const hasDeployed = async (db: Kysely<Tables>, buildId: number): Promise<boolean> =>
  (await db.selectFrom('build').select('deployment').where('id', '=', buildId).executeTakeFirstOrThrow()).deployment ===
  'success'

/** Tells webhooks and members that a build has come to this state, in the transaction in which it does. */
export async function announce(ctx: Ctx, buildId: number, teamId: number, state: BuildState): Promise<void> {
  const event = told[state]
  if (!event) return
  const events: BuildEvent[] = [`build.${event}`]
  if (event === 'success') {
    if (await failedBefore(ctx.db, buildId)) events.unshift('build.fixed')
    if (await hasDeployed(ctx.db, buildId)) events.unshift('build.deployed')
  }
  for (const name of events) await tellWebhooks(ctx, teamId, name, () => contentOf(ctx, buildId))
  await tellByRules(ctx, teamId, buildId, events)
}
