import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { id, idOrUuid } from '../../ids.ts'
import { listOf, listQuery } from '../../paging.ts'
import { buildTopic } from '../topics.ts'

const counts = { lines: z.number().int(), covered: z.number().int() }

/** The part of the code that a build's tests have run; a line of a file in several reports counts once. */
export const Coverage = z.object({
  ...counts,
  /** The last successful build of the same branch; for a merge request, of its target. */
  before: z.object({ number: z.number().int(), ...counts }).nullable(),
})
export type Coverage = z.infer<typeof Coverage>

export const CoveredFile = z.object({
  file: z.string(),
  ...counts,
  /** Lines that no test has run, such as `12-18, 40`; if there are very many, the first ones. */
  missed: z.string(),
})
export type CoveredFile = z.infer<typeof CoveredFile>

const params = z.strictObject({ id: idOrUuid, number: id })
const access = { owner: 'pipeline', by: 'id', permission: 'pipeline_build_view' } as const

export const coverage = {
  get: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds/:number/coverage',
    access,
    summary:
      "How many lines of the code a build's tests have run, and how many those of the build before; null: no report",
    params,
    data: Coverage.nullable(),
    topics: [buildTopic],
  }),
  files: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds/:number/coverage/files',
    access,
    summary: 'The coverage of each file, those with the most missed lines first',
    params,
    query: listQuery({ pageSize: 50 }),
    data: listOf(CoveredFile),
    topics: [buildTopic],
  }),
}
