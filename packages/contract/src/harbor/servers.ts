import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { secret } from '../secret.ts'
import { displayName, httpUrl } from '../validators.ts'
import { harborsTopic } from './topics.ts'

/** A Harbor that an administrator added to the platform. */
export const Harbor = z.object({
  id: z.number().int(),
  name: z.string(),
  url: z.string(),
  username: z.string(),
  /** Always the mask. */
  password: z.string(),
  /** PEM of the authority of its certificate; empty if the usual ones suffice. */
  ca: z.string(),
  /** The one that is offered first; at most one is the default. */
  isDefault: z.boolean(),
  /** The product's simulated Harbor. */
  sandbox: z.boolean(),
  /** As Harbor reported it at the last login. */
  version: z.string(),
  teams: z.array(z.object({ id: z.number().int(), name: z.string() })),
  /** The number of projects that are assigned to a team. */
  projects: z.number().int(),
  createdAt: z.string(),
  /** Counts from 1; a change names the revision on which it is based. */
  revision: z.number().int(),
})
export type Harbor = z.infer<typeof Harbor>

/** What the server reports about itself now. */
export const HarborInfo = z.object({
  version: z.string(),
  /** Whether it is one of the versions that the platform was made for. */
  supported: z.boolean(),
  healthy: z.boolean(),
  components: z.array(z.object({ name: z.string(), healthy: z.boolean(), problem: z.string() })),
  /** In bytes; null if this account may not see it. */
  storage: z.object({ total: z.number(), free: z.number() }).nullable(),
  projects: z.number().int(),
  repositories: z.number().int(),
  /** Size of all images in bytes. */
  used: z.number(),
  readOnly: z.boolean(),
})
export type HarborInfo = z.infer<typeof HarborInfo>

const harborBody = z.strictObject({
  name: displayName(30),
  url: httpUrl,
  username: z.string().min(1, 'harbor-username-required').max(255, 'text-too-long'),
  password: secret(z.string().min(1, 'harbor-password-required').max(4096, 'text-too-long')),
  /** PEM of an authority that signed the Harbor's certificate, in addition to the usual ones. */
  ca: z.string().trim().max(65_536, 'text-too-long').default(''),
})
export type HarborInput = z.infer<typeof harborBody>

const one = z.strictObject({ id })
const revision = z.number().int().min(1, 'revision-invalid').optional()

export const harbors = {
  list: endpoint({
    method: 'GET',
    path: '/api/harbors',
    access: 'admin',
    summary: 'Harbor servers of the platform, with the teams that have projects in them',
    data: z.array(Harbor),
    topics: [harborsTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/harbors',
    access: 'admin',
    audit: 'harbor.create',
    summary: 'Add a Harbor; it is reached and signed in to before it is saved',
    body: harborBody,
    data: Harbor,
    topics: [harborsTopic],
  }),
  verify: endpoint({
    method: 'POST',
    path: '/api/harbors/verification',
    access: 'admin',
    audit: 'harbor.verify',
    summary: 'Reach a Harbor and sign in; a stored password is used only for the stored host',
    body: harborBody.extend({ id: id.optional(), name: z.string().max(30).optional() }),
    data: z.object({ version: z.string() }),
    topics: [],
  }),
  versions: endpoint({
    method: 'GET',
    path: '/api/harbors/versions',
    access: 'admin',
    summary: 'The versions of Harbor that the platform works with',
    data: z.array(z.string()),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/harbors/:id',
    access: 'admin',
    summary: 'One Harbor',
    params: one,
    data: Harbor,
    topics: [harborsTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/harbors/:id',
    access: 'admin',
    audit: 'harbor.update',
    summary: 'Change a Harbor; a masked password is kept only while the host is the same',
    params: one,
    body: harborBody.extend({ revision }),
    data: Harbor,
    topics: [harborsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/harbors/:id',
    access: 'admin',
    audit: 'harbor.delete',
    summary: 'Remove a Harbor in which no team has a project; what it holds stays',
    params: one,
    data: z.null(),
    topics: [harborsTopic],
  }),
  makeDefault: endpoint({
    method: 'POST',
    path: '/api/harbors/:id/makeDefault',
    access: 'admin',
    audit: 'harbor.default',
    summary: 'Offer this Harbor before all others',
    params: one,
    data: Harbor,
    topics: [harborsTopic],
  }),
  info: endpoint({
    method: 'GET',
    path: '/api/harbors/:id/info',
    access: 'admin',
    summary: 'Version, health, storage and counts, read from the Harbor now',
    params: one,
    data: HarborInfo,
  }),
}
