import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid } from '../ids.ts'

/** An issue that the commit or the branch of a build names. */
export const BuildIssue = z.object({
  jiraId: z.number().int(),
  /** The name of the connection. */
  jira: z.string(),
  key: z.string(),
  /** Its page for people. */
  url: z.string(),
  /** `reading`: another request reads it right now. `missing`: it does not exist, or the token cannot see it. */
  state: z.enum(['known', 'reading', 'missing', 'failed']),
  title: z.string(),
  status: z.string(),
  category: z.enum(['todo', 'doing', 'done', 'unknown']),
  /** Why it could not be read, in the caller's language. */
  problem: z.string(),
  /** The state of reporting the build's success to the issue; null if it is not reported. */
  told: z
    .object({
      state: z.enum(['waiting', 'done', 'failed']),
      /** Why the last attempt failed, in the caller's language. */
      problem: z.string(),
    })
    .nullable(),
})
export type BuildIssue = z.infer<typeof BuildIssue>

export const buildIssues = endpoint({
  method: 'GET',
  path: '/api/v2/pipelines/:id/builds/:number/issues',
  access: { owner: 'pipeline', by: 'id', permission: 'pipeline_build_view' },
  summary: 'The issues that the commit message and branch of a build name, as the tracker has them now',
  params: z.strictObject({ id: idOrUuid, number: id }),
  data: z.array(BuildIssue),
})
