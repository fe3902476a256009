import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { id } from '../../ids.ts'
import { listOf, listQuery } from '../../paging.ts'
import { buildFilters, BuildSummary } from '../builds.ts'
import { buildsTopic, pipelinesTopic } from '../topics.ts'

/** A build in a team's list of builds. */
export const TeamBuild = BuildSummary.extend({
  pipelineName: z.string(),
  /** The pipeline's group. */
  appId: z.number().int(),
  groupName: z.string(),
})
export type TeamBuild = z.infer<typeof TeamBuild>

/** Builds that ended within this time, by the database's clock. */
export const EndedWithin = z.enum(['hour', 'day', 'week'])
export type EndedWithin = z.infer<typeof EndedWithin>

export const teamBuilds = {
  list: endpoint({
    method: 'GET',
    path: '/api/tenants/:teamId/builds',
    access: { team: 'teamId', permission: 'pipeline_build_view' },
    summary: "The builds of all of a team's pipelines, newest first",
    params: z.strictObject({ teamId: id }),
    query: listQuery({ pageSize: 10 }).extend({
      ...buildFilters,
      ended: EndedWithin.optional(),
    }),
    data: listOf(TeamBuild),
    topics: [buildsTopic, pipelinesTopic],
  }),
  choices: endpoint({
    method: 'GET',
    path: '/api/tenants/:teamId/builds/choices',
    access: { team: 'teamId', permission: 'pipeline_build_view' },
    summary: 'The branches and the people of the newest 500 builds of a team, or of one of its pipelines, by name',
    params: z.strictObject({ teamId: id }),
    query: z.strictObject({ pipelineId: z.coerce.number().int().positive().optional() }),
    data: z.object({ branches: z.array(z.string()), authors: z.array(z.string()) }),
    topics: [buildsTopic, pipelinesTopic],
  }),
}
