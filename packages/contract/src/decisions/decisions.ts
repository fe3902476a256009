import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { listOf, listQuery } from '../paging.ts'
import { decisionsTopic } from './topics.ts'
import { accountTopic } from '../auth/topics.ts'

const common = {
  /** One decision keeps it for as long as it waits. */
  key: z.string(),
  /** What waits, in the caller's language. */
  text: z.string(),
  /** Null: it is the installation's. */
  team: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  /** Who asked for it; empty where nobody did. */
  by: z.string(),
  since: z.string(),
  until: z.string().nullable(),
  /** The console's screen of what it is about. */
  path: z.string(),
}

const ofBuild = { ...common, pipelineId: z.number().int(), number: z.number().int() }
const ofStage = { ...ofBuild, stage: z.string() }

/** Something that waits for a person who may decide about it. */
export const Decision = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('review'), ...ofBuild }),
  /** A fork's merge request, to let its build begin. */
  z.object({ kind: z.literal('fork'), ...ofBuild }),
  z.object({ kind: z.literal('approval'), ...ofStage }),
  /** A stage that begins by hand. */
  z.object({ kind: z.literal('start'), ...ofStage }),
  /** `step`: of a copy beside it, which goes on by hand; else it is ready to be confirmed or rolled back. */
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
  /** Somebody has registered. */
  z.object({ kind: z.literal('account'), ...common, userId: z.number().int(), name: z.string() }),
  /** Another cluster answers in the place of one that was joined. */
  z.object({ kind: z.literal('cluster'), ...common }),
])
export type Decision = z.infer<typeof Decision>
export type DecisionKind = Decision['kind']

/** Ours. */
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
      /** Why none would arrive, in the caller's language; empty where it would. */
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
