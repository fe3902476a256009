import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { id } from '../../ids.ts'
import { ServiceState } from '../states.ts'
import { stacksTopic } from '../topics.ts'

/** A service to which builds deploy: its place and its present state. */
export const DeployedService = z.object({
  id: z.number().int(),
  name: z.string(),
  /** A `ServiceType`, whose schema should not be loaded for starting a build. */
  type: z.string(),
  state: ServiceState,
  /** Its present revision. */
  revision: z.number().int(),
  envId: z.string(),
  stackId: z.number().int(),
  stackUuid: z.string(),
  stackName: z.string(),
})
export type DeployedService = z.infer<typeof DeployedService>

/** The result of a build's deploy step. */
export const Deployment = DeployedService.extend({
  /** The step's position in the build. */
  step: z.number().int(),
  /** The revision that it created; the service runs it while this is the present revision. */
  deployed: z.number().int(),
})
export type Deployment = z.infer<typeof Deployment>

/** From pipelines to the services that they deploy. */
export const deployments = {
  ofBuild: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/builds/:buildId/deployments',
    access: { team: 'teamId', permission: 'stack_service_view' },
    summary: "The services into which a build deployed, the last revision of each step, in the steps' order",
    /** `queueId` of the build. */
    params: z.strictObject({ teamId: id, buildId: id }),
    data: z.array(Deployment),
    topics: [stacksTopic],
  }),
  /** A deployment to one of these services is refused until somebody decides about its upgrade. */
  undecided: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/pipelines/:pipelineId/undecided',
    access: { team: 'teamId', permission: 'stack_service_view' },
    summary: 'The services that a pipeline deploys into and whose upgrade waits to be confirmed or taken back',
    params: z.strictObject({ teamId: id, pipelineId: id }),
    data: z.array(DeployedService),
    topics: [stacksTopic],
  }),
}
