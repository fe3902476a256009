import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idOrUuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { cachesTopic } from './topics.ts'

/** An entry that a cache step has stored for later builds. */
export const CacheEntry = z.object({
  id: z.number().int(),
  key: z.string(),
  /** The builds that write and read it: of a branch, a tag or a merge request. */
  scope: z.object({ kind: z.enum(['branch', 'tag', 'request']), name: z.string() }),
  /** The platform on which it can be used, such as `linux-x64`. */
  platform: z.string(),
  size: z.number().int(),
  keptAt: z.string(),
  usedAt: z.string(),
})
export type CacheEntry = z.infer<typeof CacheEntry>

const params = z.strictObject({ id: idOrUuid })

export const caches = {
  list: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/caches',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_build_view' },
    summary: "What a pipeline's cache steps have kept, the latest used first",
    params,
    query: listQuery({ pageSize: 50 }),
    data: listOf(CacheEntry),
    topics: [cachesTopic],
  }),
  clear: endpoint({
    method: 'DELETE',
    path: '/api/v2/pipelines/:id/caches',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_pipeline_edit' },
    audit: 'pipeline.clear-caches',
    summary: "Remove all that a pipeline's cache steps have kept, so that the next builds begin without",
    params,
    data: z.null(),
    topics: [cachesTopic],
  }),
}
