import { z } from 'zod'
import { decisionsTopic } from '../decisions/topics.ts'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { text } from '../validators.ts'
import { buildsTopic, buildTopic } from './topics.ts'

/** The states of a review: waiting → passed | rejected, or cancelled with its build. */
export const ReviewState = z.enum(['waiting', 'passed', 'rejected', 'cancelled'])
export type ReviewState = z.infer<typeof ReviewState>

export const Review = z.object({
  number: z.number().int(),
  /** A build that is retried is reviewed again; rounds count from 1. */
  round: z.number().int(),
  state: ReviewState,
  /** How the build was triggered or retried: manual, webhook, schedule, retry … */
  cause: z.string(),
  requestedBy: z.string(),
  requestedAt: z.string(),
  branch: z.string(),
  tag: z.string(),
  /** The number of approvals that are needed. */
  needed: z.number().int(),
  votes: z.array(z.object({ name: z.string(), pass: z.boolean(), reason: z.string(), at: z.string() })),
  /** Why the caller may not decide, in the caller's language; empty if they may. */
  obstacle: z.string(),
  /** The build is of a fork's merge request: everyone who may start builds can approve it, by a separate call. */
  fork: z.boolean(),
})
export type Review = z.infer<typeof Review>

const one = z.strictObject({ id: idOrUuid })

export const reviews = {
  log: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/trigger/audit/log',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_build_view' },
    summary: "Reviews of the pipeline's triggers, newest first: who decided what, and why",
    params: one,
    query: listQuery({ pageSize: 10 }).extend({
      state: z.enum(['all', ...ReviewState.options]).optional(),
      number: id.optional(),
    }),
    data: listOf(Review),
    topics: [buildsTopic],
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/trigger/audit',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_review_operate' },
    audit: 'build.review',
    summary: 'Pass or reject a trigger that waits for its review; never the own, and once',
    params: one,
    body: z.strictObject({
      pass: z.boolean(),
      /** The build; may be omitted if only one waits. */
      number: id.optional(),
      reason: text(1000).default(''),
    }),
    data: z.null(),
    topics: [buildsTopic, buildTopic, decisionsTopic],
  }),
  passFork: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/builds/:number/pass',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_build_execute' },
    audit: 'build.pass-fork',
    summary: "Let the build of a fork's merge request begin: its author decides what runs",
    params: z.strictObject({ id: idOrUuid, number: id }),
    data: z.null(),
    topics: [buildsTopic, buildTopic, decisionsTopic],
  }),
}
