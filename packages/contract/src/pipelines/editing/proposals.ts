import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { id } from '../../ids.ts'
import { Definition } from '../definition.ts'
import { Pipeline, Repository } from '../pipelines.ts'
import { definitions } from './definitions.ts'
import { groupsTopic, pipelinesTopic } from '../topics.ts'

/** The build tools of proposed pipelines. */
export const ProposalKind = z.enum([
  'npm',
  'pnpm',
  'yarn',
  'go',
  'maven',
  'gradle',
  'pip',
  'poetry',
  'uv',
  'composer',
  'cargo',
  'dotnet',
  'static',
  'dockerfile',
  'plain',
])
export type ProposalKind = z.infer<typeof ProposalKind>

export const Proposal = z.object({
  kind: ProposalKind,
  /** Empty: the root of the repository. */
  folder: z.string(),
  /** Files of the folder that suggest it. */
  because: z.array(z.string()),
  /** The programming language; empty if there is none. */
  language: z.string(),
  /** The test command; empty if none was found. */
  tests: z.string(),
  /** The image for its steps; empty: they run on the agent's machine. */
  buildImage: z.string(),
  /** It has a Dockerfile, but the team has no registry for its image. */
  lacksRegistry: z.boolean(),
  definition: Definition,
})
export type Proposal = z.infer<typeof Proposal>

const inTeam = z.strictObject({ teamId: id })
const create = { team: 'teamId', permission: 'pipeline_pipeline_create' } as const

export const proposals = {
  look: endpoint({
    method: 'POST',
    path: '/api/tenants/:teamId/repositories/look',
    access: create,
    audit: 'pipeline.look-at-repository',
    summary: 'Look at a git repository and propose pipelines for what is in it, the most fitting one first',
    params: inTeam,
    body: z.strictObject({ repository: Repository.partial({ branch: true }) }),
    data: z.object({
      branches: z.array(z.string()),
      /** The inspected branch: the given one, otherwise the default branch. */
      branch: z.string(),
      commit: z.string(),
      /** For SSH: the host key that the host presented, for the user to compare and send back as `knownHosts`. */
      hostKey: z.object({ type: z.string(), fingerprint: z.string(), knownHosts: z.string() }).nullable(),
      /** The repository has so many files that only those in its root were inspected. */
      isCut: z.boolean(),
      proposals: z.array(Proposal),
    }),
    topics: [],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/tenants/:teamId/pipelines',
    access: create,
    audit: 'pipeline.create',
    summary:
      "Create a pipeline in a team; without a group in the team's only one, or in one that is made where it has none. The repository is checked first",
    params: inTeam,
    body: definitions.create.body.extend({
      appId: id.optional(),
      /** Store the credentials of the repository as a credential of the team, named after the host. */
      keepCredential: z.boolean().default(false),
    }),
    data: Pipeline,
    topics: [pipelinesTopic, groupsTopic],
  }),
}
