import type { DeployedService, Deployment } from '@gantry/contract/stacks/revisions/deployments'
import { sql } from 'kysely'
import { byName } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { isOfBuild, stepOfKey } from '../revisions/deploy-key.store.ts'
import { pipelineRows } from '../../pipelines/public.read.ts'

const placed = (db: Db, teamId: number) =>
  db
    .selectFrom('service')
    .innerJoin('stack', 'stack.id', 'service.stack_id')
    .select([
      'service.id',
      'service.name',
      'service.type',
      'service.state',
      'service.revision',
      'stack.environment as envId',
      'stack.id as stackId',
      'stack.uuid as stackUuid',
      'stack.name as stackName',
    ])
    .where('stack.team_id', '=', teamId)

/** The services that a build of the team deployed to, each with the last revision that a step's attempts made. */
export const deploymentsOf = async (db: Db, teamId: number, buildId: number): Promise<Deployment[]> =>
  placed(db, teamId)
    .innerJoin('service_revision as r', 'r.service_id', 'service.id')
    .select([stepOfKey('r.deploy_key').as('step'), sql<number>`max(r.revision)`.as('deployed')])
    .where(isOfBuild('r.deploy_key', buildId))
    .groupBy(['service.id', 'stack.id', 'step'])
    .orderBy('step')
    .orderBy('service.id')
    .execute()

/** The services with an open upgrade among those that the pipeline's definition deploys to. */
export const undecidedOf = async (db: Db, teamId: number, pipelineId: number): Promise<DeployedService[]> =>
  placed(db, teamId)
    .where('service.state', '=', 'upgraded')
    .where((q) =>
      q.exists(
        q
          .selectFrom(pipelineRows.as('pipeline'))
          .innerJoinLateral(
            sql<{ target: { stackUuid: string; service: string } }>`(
              select jsonb_path_query(pipeline.definition, '$.stages[*].**.steps[*] ? (@.type == "deploy")') as target
            )`.as('step'),
            (join) => join.onTrue(),
          )
          .select('pipeline.id')
          .where('pipeline.id', '=', pipelineId)
          .where('pipeline.team_id', '=', teamId)
          .where(sql<boolean>`step.target->>'stackUuid' = stack.uuid::text and step.target->>'service' = service.name`),
      ),
    )
    .orderBy(byName('stack.name'))
    .orderBy(byName('service.name'))
    .limit(50)
    .execute()
