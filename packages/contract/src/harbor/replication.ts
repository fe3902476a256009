import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { harborRepository } from './contents.ts'
import { contentsTopic } from './topics.ts'

const replicationStates = ['pending', 'running', 'succeeded', 'failed', 'stopped'] as const

/** Copies images to a project of another Harbor; done by the Harbor itself. */
export const Replication = z.object({
  id: z.string(),
  target: z.string(),
  state: z.enum(replicationStates),
  total: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
  items: z.array(z.object({ image: z.string(), state: z.enum(replicationStates), problem: z.string() })),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
})
export type Replication = z.infer<typeof Replication>

const one = z.strictObject({ id, replicationId: uuid })
const tag = z
  .string()
  .max(128, 'harbor-tag-format')
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/, 'harbor-tag-format')

export const replications = {
  start: endpoint({
    method: 'POST',
    path: '/api/harbors/:id/synchronization',
    access: { owner: 'harbor', by: 'id', permission: 'image_harbor_operate' },
    audit: 'harbor.replicate',
    summary: 'Copy images into a project of another Harbor, by Harbor’s own replication',
    params: z.strictObject({ id }),
    body: z.strictObject({
      images: z
        .array(z.strictObject({ repo: harborRepository, tag }))
        .min(1, 'list-empty')
        .max(100, 'list-too-long'),
      target: z.strictObject({ harborId: id, projectId: id }),
    }),
    data: Replication,
    topics: [contentsTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/harbors/:id/synchronization/:replicationId',
    access: { owner: 'harbor', by: 'id', permission: 'image_harbor_view' },
    summary: 'How far a copy has come, read from the Harbor',
    params: one,
    data: Replication,
    topics: [contentsTopic],
  }),
  stop: endpoint({
    method: 'POST',
    path: '/api/harbors/:id/synchronization/:replicationId/stop',
    access: { owner: 'harbor', by: 'id', permission: 'image_harbor_operate' },
    audit: 'harbor.replicate-stop',
    summary: 'Stop a copy; what is copied stays',
    params: one,
    data: Replication,
    topics: [contentsTopic],
  }),
}
