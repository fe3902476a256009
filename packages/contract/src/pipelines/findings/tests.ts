import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { id, idOrUuid } from '../../ids.ts'
import { listOf, listQuery } from '../../paging.ts'
import { ofAttempt } from '../builds/attempts.ts'
import { buildTopic } from '../topics.ts'

export const TestState = z.enum(['passed', 'failed', 'skipped', 'error'])

export const TestCase = z.object({
  suite: z.string(),
  name: z.string(),
  state: TestState,
  /** Null if its report does not tell. */
  seconds: z.number().nullable(),
  message: z.string(),
  /** It fails in this build, and passed when it last ran before. */
  newlyFailing: z.boolean(),
  /** Among the latest builds up to this one, it has both passed and failed on the same commit. */
  flaky: z.boolean(),
})
export type TestCase = z.infer<typeof TestCase>

/** The result of a test case in one build. */
export const TestRun = z.object({
  number: z.number().int(),
  state: TestState,
  seconds: z.number().nullable(),
  commit: z.string(),
  branch: z.string(),
  at: z.string(),
})
export type TestRun = z.infer<typeof TestRun>

const view = { owner: 'pipeline', by: 'id', permission: 'pipeline_build_view' } as const

export const tests = {
  list: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds/:number/tests',
    access: view,
    summary: "A build's test cases, failures first",
    params: z.strictObject({ id: idOrUuid, number: id }),
    query: listQuery({ pageSize: 50 }).extend({
      state: z.enum(['all', ...TestState.options]).optional(),
      ...ofAttempt,
    }),
    data: listOf(TestCase),
    topics: [buildTopic],
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/tests/history',
    access: view,
    summary: 'How one test case went in the builds of a pipeline, newest first',
    params: z.strictObject({ id: idOrUuid }),
    query: listQuery({ pageSize: 20 }).extend({
      suite: z.string().max(5000).default(''),
      name: z.string().min(1, 'name-required').max(5000),
    }),
    data: listOf(TestRun),
  }),
}
