import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { id } from '../../ids.ts'
import { Definition } from '../definition.ts'
import { Pipeline, Repository } from '../pipelines.ts'
import { definitions } from './definitions.ts'
import { groupsTopic, pipelinesTopic } from '../topics.ts'

/** What a proposed pipeline builds with. */
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
  /** Files of the folder that speak for it. */
  because: z.array(z.string()),
  /** The programming language; empty where there is none. */
  language: z.string(),
  /** The command that tests it; empty where none was found. */
  tests: z.string(),
  /** The build image that its steps run in; empty: they run on an agent's machine. */
  buildImage: z.string(),
  /** It has a Dockerfile, and no registry of the team takes its image. */
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
      /** The branch that was looked at: the one that was named, else the default branch. */
      branch: z.string(),
      commit: z.string(),
      /** Over SSH the host key that was met, to be compared and sent back as `knownHosts`. */
      hostKey: z.object({ type: z.string(), fingerprint: z.string(), knownHosts: z.string() }).nullable(),
      /** The repository has so many files that only those at its root were looked at. */
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
      /** Store what reaches the repository as a credential of the team, named after the host. */
      keepCredential: z.boolean().default(false),
    }),
    data: Pipeline,
    topics: [pipelinesTopic, groupsTopic],
  }),
}
