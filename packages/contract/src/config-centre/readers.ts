import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { ServiceType } from '../stacks/spec.ts'
import { ServiceState } from '../stacks/states.ts'
import { stacksTopic } from '../stacks/topics.ts'
import { base, ProfileName, ProjectName, TemplateName } from './names.ts'
import { configurationsTopic } from './topics.ts'

/** A service that reads a configuration. */
export const ConfigReader = z.object({
  project: z.string(),
  profile: z.string(),
  /** The templates that it mounts as files. */
  templates: z.array(z.string()),
  /** Whether the keys are its environment variables. */
  env: z.boolean(),
  stackId: z.number().int(),
  stackUuid: z.string(),
  stack: z.string(),
  envId: z.string(),
  cluster: z.string(),
  serviceId: z.number().int(),
  service: z.string(),
  type: ServiceType,
  state: ServiceState,
  /** Whether it runs with the present profile and templates. */
  current: z.boolean(),
})
export type ConfigReader = z.infer<typeof ConfigReader>

export const configReaders = {
  list: endpoint({
    method: 'GET',
    path: `${base}/stacks/relate`,
    access: { team: 'teamId', permission: ['config_project_view', 'stack_service_view'] },
    summary: "The team's stacks and services that read a configuration, and whether they run its newest revision",
    params: z.strictObject({ teamId: id }),
    query: listQuery({ pageSize: 10 }).extend({
      project: ProjectName.optional(),
      profile: ProfileName.optional(),
      template: TemplateName.optional(),
    }),
    data: listOf(ConfigReader),
    topics: [stacksTopic, configurationsTopic],
  }),
}
