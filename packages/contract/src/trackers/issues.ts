import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid } from '../ids.ts'

/** An issue that the commit or the branch of a build names. */
export const BuildIssue = z.object({
  jiraId: z.number().int(),
  /** The connection's name. */
  jira: z.string(),
  key: z.string(),
  /** Where people see it. */
  url: z.string(),
  /** `reading`: somebody else is asking Jira right now. `missing`: there is none, or the token does not see it. */
  state: z.enum(['known', 'reading', 'missing', 'failed']),
  title: z.string(),
  status: z.string(),
  category: z.enum(['todo', 'doing', 'done', 'unknown']),
  /** Why it could not be read, in the caller's language. */
  problem: z.string(),
  /** What became of telling the issue that the build succeeded; null where it is not told. */
  told: z
    .object({
      state: z.enum(['waiting', 'done', 'failed']),
      /** Why the last try failed, in the caller's language. */
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
