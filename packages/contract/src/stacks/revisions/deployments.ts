import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { id } from '../../ids.ts'
import { ServiceState } from '../states.ts'
import { stacksTopic } from '../topics.ts'

/** A service that builds deploy into: where it is, and how it is now. */
export const DeployedService = z.object({
  id: z.number().int(),
  name: z.string(),
  /** As of `ServiceType`, whose schema whoever starts a build need not load. */
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

/** What a build's deploy step made of a service. */
export const Deployment = DeployedService.extend({
  /** The step's position in the build. */
  step: z.number().int(),
  /** The revision that it made; the service runs it as long as this is the present one. */
  deployed: z.number().int(),
})
export type Deployment = z.infer<typeof Deployment>

/** From pipelines to what runs. */
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
  /** A deployment into one of these is refused until somebody decides. */
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
