import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { Registry, registryBody } from './registries.ts'
import { registriesTopic } from './topics.ts'
import { madeOn } from '../revision.ts'

/** A registry that the platform shares, with the teams that may use it. The simulated one is shared by all teams. */
export const PlatformRegistry = Registry.extend({
  teams: z.array(z.object({ id: z.number().int(), name: z.string() })),
})
export type PlatformRegistry = z.infer<typeof PlatformRegistry>

const one = z.strictObject({ id })
const inTeam = z.strictObject({ id, teamId: id })

export const platformRegistries = {
  list: endpoint({
    method: 'GET',
    path: '/api/registries',
    access: 'admin',
    summary: 'Registries of the platform, each with the teams that may use it',
    data: z.array(PlatformRegistry),
    topics: [registriesTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/registries',
    access: 'admin',
    audit: 'platform-registry.create',
    summary: 'Add a registry to the platform; it is reached and signed in to before it is saved',
    body: registryBody,
    data: PlatformRegistry,
    topics: [registriesTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/registries/:id',
    access: 'admin',
    audit: 'platform-registry.update',
    summary: 'Change a registry of the platform; a masked password is kept only while the host is the same',
    params: one,
    body: registryBody.extend(madeOn),
    data: PlatformRegistry,
    topics: [registriesTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/registries/:id',
    access: 'admin',
    audit: 'platform-registry.delete',
    summary: 'Remove a registry of the platform that no pipeline and no service uses',
    params: one,
    data: z.null(),
    topics: [registriesTopic],
  }),
  assigned: endpoint({
    method: 'GET',
    path: '/api/registries/:id/assigned/:teamId',
    access: 'admin',
    summary: 'Whether a registry of the platform is assigned to a team',
    params: inTeam,
    data: z.boolean(),
    topics: [registriesTopic],
  }),
  assign: endpoint({
    method: 'PUT',
    path: '/api/registries/:id/assigned/:teamId',
    access: 'admin',
    audit: 'platform-registry.assign',
    summary: 'Let a team use a registry of the platform',
    params: inTeam,
    data: PlatformRegistry,
    topics: [registriesTopic],
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/registries/:id/assigned/:teamId',
    access: 'admin',
    audit: 'platform-registry.withdraw',
    summary: 'Take a registry of the platform from a team, none of whose pipelines and services uses it',
    params: inTeam,
    data: PlatformRegistry,
    topics: [registriesTopic],
  }),
}
