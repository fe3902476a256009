import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'

/** The path of a team's sample repository, below the product's own origin. */
export const samplePath = (teamId: number): string => `/git/samples/${teamId}/hello.git`

const declared = {
  method: 'GET',
  access: 'public',
  summary: "A file of the sample's git repository, for git itself: Basic with an API token of the team as the password",
  /** git asks for a service first; a plain answer tells git that there is none. */
  query: z.strictObject({ service: z.string().max(100).optional() }),
  stream: 'application/octet-stream',
  data: z.unknown(),
} as const
const ofTeam = { teamId: id }

/**
 * The sample's repository for `git clone`, read-only, by git's plain ("dumb") protocol. Builds use the password that
 * their pipeline stores; users use an API token of the team that may see pipelines; a session gives no access.
 */
export const sampleRepository = {
  head: endpoint({ ...declared, path: '/git/samples/:teamId/hello.git/HEAD', params: z.strictObject(ofTeam) }),
  refs: endpoint({ ...declared, path: '/git/samples/:teamId/hello.git/info/refs', params: z.strictObject(ofTeam) }),
  object: endpoint({
    ...declared,
    path: '/git/samples/:teamId/hello.git/objects/:folder/:name',
    params: z.strictObject({ ...ofTeam, folder: z.string().max(64), name: z.string().max(100) }),
  }),
}
