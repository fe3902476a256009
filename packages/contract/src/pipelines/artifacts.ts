import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { ofAttempt } from './builds/attempts.ts'
import { buildTopic } from './topics.ts'

export const Artifact = z.object({
  id: z.number().int(),
  path: z.string(),
  size: z.number().int(),
  sha256: z.string(),
  step: z.string(),
  createdAt: z.string(),
})

/** A file of a build's artifacts, or a folder with everything below it. */
export const ArtifactEntry = z.object({
  /** The id for `artifactFile`; null for a folder. */
  id: z.number().int().nullable(),
  name: z.string(),
  path: z.string(),
  size: z.number().int(),
  /** The number of its files; 1 for a file. */
  files: z.number().int(),
  /** Empty for a folder. */
  sha256: z.string(),
  /** Empty for a folder. */
  step: z.string(),
  createdAt: z.string(),
})
export type ArtifactEntry = z.infer<typeof ArtifactEntry>

const params = z.strictObject({ id: idOrUuid, number: id })
const access = { owner: 'pipeline', by: 'id', permission: 'pipeline_build_view' } as const
/** Without a trailing slash; empty: the root. */
const folder = z.string().max(4096).default('')

export const artifacts = {
  list: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds/:number/artifacts',
    access,
    summary: "A build's artifacts",
    params,
    query: z.strictObject(ofAttempt),
    data: z.array(Artifact),
  }),
  file: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds/:number/artifacts/:artifactId',
    access,
    summary: 'One artifact, of whatever attempt, to download',
    params: params.extend({ artifactId: id }),
    stream: 'application/octet-stream',
    data: z.unknown(),
  }),
  tree: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds/:number/artifacts/tree',
    access,
    summary: "A folder of a build's artifacts: folders first; with a keyword the files below it whose path contains it",
    params,
    query: listQuery({ pageSize: 50 }).extend({ folder, ...ofAttempt }),
    data: listOf(ArtifactEntry),
    topics: [buildTopic],
  }),
  zip: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds/:number/artifacts/zip',
    access,
    summary: "A folder of a build's artifacts as one ZIP file",
    params,
    query: z.strictObject({ folder, ...ofAttempt }),
    stream: 'application/zip',
    data: z.unknown(),
  }),
}
