import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { UseCount, Uses } from '../images/contents.ts'
import { listOf, listQuery } from '../paging.ts'
import { contentsTopic, harborsTopic } from './topics.ts'

/** Project, slash, and the path of the repository within the project. */
export const harborRepository = z
  .string()
  .max(255, 'harbor-repository-format')
  .regex(/^[a-z0-9]+([._-]+[a-z0-9]+)*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)+$/, 'harbor-repository-format')
const tag = z
  .string()
  .max(128, 'harbor-tag-format')
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/, 'harbor-tag-format')
const digest = z
  .string()
  .max(80, 'harbor-digest-format')
  .regex(/^sha256:[0-9a-f]{64}$/, 'harbor-digest-format')

export const HarborRepository = z.object({
  /** Includes the project. */
  name: z.string(),
  description: z.string(),
  artifacts: z.number().int(),
  pulls: z.number().int(),
  createdAt: z.string().nullable(),
  updatedAt: z.string().nullable(),
  uses: UseCount,
})
export type HarborRepository = z.infer<typeof HarborRepository>

/** The image of a digest, with its tags, if any. */
export const HarborImage = z.object({
  digest: z.string(),
  type: z.string(),
  size: z.number(),
  tags: z.array(z.object({ name: z.string(), immutable: z.boolean(), pushedAt: z.string().nullable() })),
  platforms: z.array(z.string()),
  pushedAt: z.string().nullable(),
  pulledAt: z.string().nullable(),
  uses: UseCount,
})
export type HarborImage = z.infer<typeof HarborImage>

/** The result of an image's last scan. */
export const ScanFigures = z.object({
  digest: z.string(),
  /** `none`: never scanned. */
  state: z.enum(['none', 'waiting', 'running', 'done', 'failed']),
  severity: z.string(),
  total: z.number().int(),
  fixable: z.number().int(),
  bySeverity: z.record(z.string(), z.number().int()),
  endedAt: z.string().nullable(),
})
export type ScanFigures = z.infer<typeof ScanFigures>

/** A vulnerability in a package of an image. */
export const ScanFinding = z.object({
  /** The scanner's name for it, mostly a CVE. */
  id: z.string(),
  severity: z.enum(['critical', 'high', 'medium', 'low', 'unknown']),
  package: z.string(),
  version: z.string(),
  /** The first version without it; empty if there is none yet. */
  fixedIn: z.string(),
  description: z.string(),
  /** Its description; empty if the scanner gives none. */
  link: z.string(),
})
export type ScanFinding = z.infer<typeof ScanFinding>

export const Layer = z.object({
  createdAt: z.string().nullable(),
  createdBy: z.string(),
  /** The layer changed settings and no files. */
  empty: z.boolean(),
})
export type Layer = z.infer<typeof Layer>

/** For a batch: one item, and why it failed. */
export const ItemResult = z.object({ item: z.string(), done: z.boolean(), problem: z.string() })
export type ItemResult = z.infer<typeof ItemResult>

const one = z.strictObject({ id })
const sees = { owner: 'harbor', by: 'id', permission: 'image_harbor_view' } as const
const deletes = { owner: 'harbor', by: 'id', permission: 'image_harbor_delete' } as const

export const harborContents = {
  repositories: endpoint({
    method: 'GET',
    path: '/api/harbors/:id/projects/:projectId/repositories',
    access: sees,
    summary: 'Repositories of a project, paged and searched by the Harbor',
    params: z.strictObject({ id, projectId: id }),
    query: listQuery({ pageSize: 10 }),
    data: listOf(HarborRepository).extend({ project: z.string() }),
    topics: [contentsTopic],
  }),
  tags: endpoint({
    method: 'GET',
    path: '/api/harbors/:id/tags',
    access: sees,
    summary: 'Images of a repository with their tags, paged and searched by the Harbor; by tag or digest, one',
    params: one,
    query: listQuery({ pageSize: 10 }).extend({
      repo: harborRepository,
      projectId: id,
      tag: tag.optional(),
      digest: digest.optional(),
    }),
    data: listOf(HarborImage),
    topics: [contentsTopic],
  }),
  removeTag: endpoint({
    method: 'DELETE',
    path: '/api/harbors/:id/tags',
    access: deletes,
    audit: 'harbor-tag.delete',
    summary: 'Delete a tag, whose image stays; by digest alone, the image with all its tags',
    params: one,
    query: z.strictObject({ repo: harborRepository, projectId: id, tag: tag.optional(), digest: digest.optional() }),
    data: z.null(),
    topics: [contentsTopic],
  }),
  removeRepositories: endpoint({
    method: 'POST',
    path: '/api/harbors/:id/repositories',
    access: deletes,
    audit: 'harbor-repository.delete',
    summary: 'Delete repositories of a project with all their images; answers for each',
    params: one,
    query: z.strictObject({ projectId: id }),
    body: z.array(harborRepository).min(1, 'list-empty').max(1000, 'list-too-long'),
    data: z.array(ItemResult),
    topics: [contentsTopic, harborsTopic],
  }),
  removeTags: endpoint({
    method: 'POST',
    path: '/api/harbors/:id/repositories/tags',
    access: deletes,
    audit: 'harbor-tag.delete-all',
    summary: 'Delete tags, or images by digest; answers for each',
    params: one,
    body: z.strictObject({
      projectId: id,
      repo: harborRepository,
      tags: z
        .array(z.union([digest, tag]))
        .min(1, 'list-empty')
        .max(1000, 'list-too-long'),
    }),
    data: z.array(ItemResult),
    topics: [contentsTopic],
  }),
  layer: endpoint({
    method: 'GET',
    path: '/api/harbors/:id/layer',
    access: sees,
    summary: 'What an image is made of, as its build history tells; of several platforms, the first',
    params: one,
    query: z.strictObject({ repo: harborRepository, tag: z.union([digest, tag]) }),
    data: z.array(Layer),
  }),
  /** Not in the specification. */
  uses: endpoint({
    method: 'GET',
    path: '/api/harbors/:id/uses',
    access: sees,
    summary: 'Who uses an image, and which builds made it',
    params: one,
    query: z.strictObject({ repo: harborRepository, digest }),
    data: Uses,
  }),
  scans: endpoint({
    method: 'GET',
    path: '/api/harbors/:id/scans',
    access: sees,
    summary: 'What scans found in these images: for a list that is drawn already',
    params: one,
    query: z.strictObject({
      repo: harborRepository,
      /** Joined by commas. */
      digests: z
        .string()
        .max(8_100, 'list-too-long')
        .regex(/^sha256:[0-9a-f]{64}(,sha256:[0-9a-f]{64})*$/, 'harbor-digest-format'),
    }),
    data: z.array(ScanFigures),
    topics: [contentsTopic],
  }),
  report: endpoint({
    method: 'GET',
    path: '/api/harbors/:id/report',
    access: sees,
    summary: 'What the last scan of an image found, the worst first; searched by name, package or severity',
    params: one,
    query: listQuery({ pageSize: 100 }).extend({ repo: harborRepository, digest }),
    data: listOf(ScanFinding).extend({ scanner: z.string(), at: z.string().nullable() }),
    topics: [contentsTopic],
  }),
  scan: endpoint({
    method: 'POST',
    path: '/api/harbors/:id/scans',
    access: { owner: 'harbor', by: 'id', permission: 'image_harbor_operate' },
    audit: 'harbor-tag.scan',
    summary: 'Let the scanner of the Harbor look through an image now',
    params: one,
    body: z.strictObject({ repo: harborRepository, digest }),
    data: z.null(),
    topics: [contentsTopic],
  }),
}
