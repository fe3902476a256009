import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { listOf, listQuery } from '../paging.ts'
import { decisionsTopic } from './topics.ts'
import { accountTopic } from '../auth/topics.ts'

const common = {
  /** Identifies the decision for as long as it is pending. */
  key: z.string(),
  /** What has to be decided, in the caller's language. */
  text: z.string(),
  /** Null: it concerns the whole installation. */
  team: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  /** Who caused it; empty: nobody. */
  by: z.string(),
  since: z.string(),
  until: z.string().nullable(),
  /** The console's screen of its subject. */
  path: z.string(),
}

const ofBuild = { ...common, pipelineId: z.number().int(), number: z.number().int() }
const ofStage = { ...ofBuild, stage: z.string() }

/** A pending decision that the caller may make. */
export const Decision = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('review'), ...ofBuild }),
  /** Whether the build of a fork's merge request may begin. */
  z.object({ kind: z.literal('fork'), ...ofBuild }),
  z.object({ kind: z.literal('approval'), ...ofStage }),
  /** A stage that somebody has to start. */
  z.object({ kind: z.literal('start'), ...ofStage }),
  /** `step`: a gray upgrade, whose copy waits to be continued; otherwise it is ready to be confirmed or rolled back. */
  z.object({
    kind: z.literal('upgrade'),
    ...common,
    teamId: z.number().int(),
    envId: z.string(),
    serviceId: z.number().int(),
    name: z.string(),
    step: z.boolean(),
  }),
  z.object({
    kind: z.literal('release'),
    ...common,
    teamId: z.number().int(),
    envId: z.string(),
    stackName: z.string(),
  }),
  /** A new registration. */
  z.object({ kind: z.literal('account'), ...common, userId: z.number().int(), name: z.string() }),
  /** Another cluster answers at the address of a joined one. */
  z.object({ kind: z.literal('cluster'), ...common }),
])
export type Decision = z.infer<typeof Decision>
export type DecisionKind = Decision['kind']

/** Not in the specification. */
export const decisions = {
  list: endpoint({
    method: 'GET',
    path: '/api/decisions',
    access: 'user',
    summary:
      'What waits for a decision that the caller may take, newest first: of their teams, and of the team they are in',
    query: listQuery({ pageSize: 20 }).omit({ keyword: true, sort: true }),
    data: listOf(Decision),
    topics: [decisionsTopic],
  }),
  mail: endpoint({
    method: 'GET',
    path: '/api/decisions/mail',
    access: 'user',
    summary: 'Whether the caller gets a mail when a decision waits for them',
    data: z.object({
      on: z.boolean(),
      /** Why no mail would arrive, in the caller's language; empty if one would. */
      obstacle: z.string(),
    }),
    topics: [accountTopic],
  }),
  setMail: endpoint({
    method: 'PUT',
    path: '/api/decisions/mail',
    access: 'user',
    audit: 'decision.mail',
    summary: 'Get a mail when a decision waits for the caller, or no longer',
    body: z.strictObject({ on: z.boolean() }),
    data: z.null(),
    topics: [accountTopic],
  }),
}
