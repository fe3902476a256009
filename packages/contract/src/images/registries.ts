import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { displayName, httpUrl } from '../validators.ts'
import { secret } from '../secret.ts'
import { registriesTopic } from './topics.ts'
import { madeOn, Revision } from '../revision.ts'

export const Registry = z.object({
  id: z.number().int(),
  name: z.string(),
  url: z.string(),
  username: z.string(),
  /** Always the mask, or empty if there is none. */
  password: z.string(),
  /** PEM of the authority of its certificate; empty if the usual ones suffice. */
  ca: z.string(),
  /** The owning team; null: shared by the platform. */
  teamId: z.number().int().nullable(),
  /** Whether it is the product's simulated registry. */
  sandbox: z.boolean(),
  /** A Harbor with projects of the team, whose clusters pull with a robot account. Null: another registry. */
  harborId: z.number().int().nullable(),
  /** The required prefix of the team's repository names in it; empty: any name. */
  prefix: z.string(),
  createdAt: z.string(),
  revision: Revision,
})
export type Registry = z.infer<typeof Registry>

export const registryBody = z.strictObject({
  name: displayName(30),
  url: httpUrl,
  username: z.string().max(255).default(''),
  password: secret(z.string().max(4096)).default(''),
  /** PEM of an authority that signed the registry's certificate, in addition to the usual ones. */
  ca: z.string().trim().max(65_536, 'text-too-long').default(''),
})
const inTeam = z.strictObject({ teamId: id })
const one = z.strictObject({ teamId: id, registryId: id })

export const registries = {
  list: endpoint({
    method: 'GET',
    path: '/api/teams/:teamId/registries',
    access: { team: 'teamId', permission: 'image_registry_view' },
    summary: 'Registries that a team may use: its own and shared ones',
    params: inTeam,
    data: z.array(Registry),
    topics: [registriesTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/teams/:teamId/registries',
    access: { team: 'teamId', permission: 'image_registry_create' },
    audit: 'registry.create',
    summary: 'Add a registry to a team; it is reached and signed in to before it is saved',
    params: inTeam,
    body: registryBody,
    data: Registry,
    topics: [registriesTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/teams/:teamId/registries/:registryId',
    access: { team: 'teamId', permission: 'image_registry_edit' },
    audit: 'registry.update',
    summary: 'Change a registry; a masked password is kept only while the host is the same',
    params: one,
    body: registryBody.extend(madeOn),
    data: Registry,
    topics: [registriesTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/teams/:teamId/registries/:registryId',
    access: { team: 'teamId', permission: 'image_registry_delete' },
    audit: 'registry.delete',
    summary: 'Remove a registry that no pipeline and no service uses',
    params: one,
    data: z.null(),
    topics: [registriesTopic],
  }),
  verify: endpoint({
    method: 'POST',
    path: '/api/registries/verification',
    access: {
      owner: 'registry',
      by: 'id',
      in: 'body',
      permission: 'image_registry_edit',
      otherwise: 'image_registry_create',
    },
    audit: 'registry.verify',
    summary: 'Reach a registry and sign in; a stored password is used only for the stored host',
    body: registryBody.extend({ id: id.optional(), name: z.string().max(30).optional() }),
    data: z.null(),
    topics: [],
  }),
  /** Repositories of a registry with their tags, for select fields. */
  repositories: endpoint({
    method: 'GET',
    path: '/api/teams/:teamId/registries/:registryId/repositories',
    access: { team: 'teamId', permission: 'image_registry_view' },
    summary: "A registry's repositories, for selectors",
    params: one,
    query: listQuery({ pageSize: 20 }),
    data: listOf(z.object({ name: z.string() })),
  }),
  tags: endpoint({
    method: 'GET',
    path: '/api/teams/:teamId/registries/:registryId/tags',
    access: { team: 'teamId', permission: 'image_registry_view' },
    summary: "A repository's tags",
    params: one,
    query: listQuery({ pageSize: 20 }).extend({ repo: z.string().min(1).max(255) }),
    data: listOf(
      z.object({
        name: z.string(),
        /** Its manifest was deleted, so that nothing can be pulled by it. */
        dangling: z.boolean(),
      }),
    ),
  }),
}
