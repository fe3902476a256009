import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { listOf } from '../paging.ts'
import { httpUrl, line } from '../validators.ts'
import { inCluster, oneInCluster, openStackId, Removed, someOf } from './within.ts'
import { secret } from '../secret.ts'
import { clusterTopic } from '../clusters/topics.ts'

/** Lower case letters and digits, between them single dots or dashes: the specification's rule for zones and connections. */
export const lowerCaseName = (max: number, message: string) =>
  z
    .string()
    .trim()
    .min(1, 'name-required')
    .max(max, message)
    .regex(/^[a-z0-9]+([.-][a-z0-9]+)*$/, message)

/** The specification's limit for names without a limit of their own. */
export const connectionNameMax = 64

/** A single line, because it is written to kuryr.conf, which is read line by line. */
const required = (missing: string, max = 255) => line(max).refine((s) => s !== '', missing)

/** Blank: the default domain, which every Keystone has. */
const domain = line(64)
  .default('')
  .transform((name) => name || 'Default')

/** A connection to OpenStack's Keystone, for the zones of one cluster. Its password is masked. */
export const OpenStack = z.object({
  uuid: z.string(),
  name: z.string(),
  envUuid: z.string(),
  keystone: z.object({
    authUrl: z.string(),
    username: z.string(),
    password: z.string(),
    projectName: z.string(),
    projectDomainName: z.string(),
    userDomainName: z.string(),
  }),
  zoneNum: z.number().int(),
  /** `removing`: its zones are being removed from the cluster; deleting it again resumes an interrupted removal. */
  state: z.enum(['ready', 'removing']),
  createdAt: z.string(),
})
export type OpenStack = z.infer<typeof OpenStack>

export const OpenStackInput = z.strictObject({
  name: lowerCaseName(connectionNameMax, 'openstack-name-format'),
  keystone: z.strictObject({
    authUrl: httpUrl,
    username: required('openstack-username-required'),
    password: secret(required('openstack-password-required', 500)),
    projectName: required('openstack-project-required'),
    projectDomainName: domain,
    userDomainName: domain,
  }),
})
export type OpenStackInput = z.infer<typeof OpenStackInput>

const Named = z.object({ id: z.string(), name: z.string() })

/** The choices for a zone: networks, subnets and groups of one project, and those shared with it. */
export const OpenStackChoices = z.object({
  /** The connection's own project, unless the caller named another. */
  project: z.string(),
  projects: z.array(Named),
  networks: z.array(Named),
  subnets: z.array(
    Named.extend({
      networkId: z.string(),
      /** IPv4, like the reserved addresses. */
      cidr: z.string(),
      /** Ranges from which ports get addresses. */
      pools: z.array(z.object({ start: z.string(), end: z.string() })),
    }),
  ),
  securityGroups: z.array(Named),
  /** OpenStack has more objects of some kind than were read. */
  truncated: z.boolean(),
})
export type OpenStackChoices = z.infer<typeof OpenStackChoices>

const base = '/resource-manager/api/openstacks/environments/:env'
const view = { owner: 'environment', by: 'env', permission: 'resource_openstack_view' } as const

export const openstack = {
  list: endpoint({
    method: 'GET',
    path: base,
    access: view,
    summary: 'OpenStack connections of a cluster',
    params: inCluster,
    query: someOf,
    data: listOf(OpenStack),
    topics: [clusterTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: base,
    access: { owner: 'environment', by: 'env', permission: 'resource_openstack_create' },
    audit: 'openstack.create',
    summary: 'Add an OpenStack connection; Keystone is asked for a token before it is saved',
    params: inCluster,
    body: OpenStackInput,
    data: OpenStack,
    topics: [clusterTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: `${base}/:uuid`,
    access: view,
    summary: 'One OpenStack connection',
    params: oneInCluster,
    data: OpenStack,
    topics: [clusterTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${base}/:uuid`,
    access: { owner: 'environment', by: 'env', permission: 'resource_openstack_delete' },
    audit: 'openstack.delete',
    summary: 'Delete an OpenStack connection, and its zones with what they made in the cluster',
    params: oneInCluster,
    data: Removed,
    topics: [clusterTopic],
  }),
  check: endpoint({
    method: 'GET',
    path: `${base}/:uuid/check`,
    access: view,
    summary: 'How many zones stand on a connection',
    params: oneInCluster,
    data: z.object({ zoneNum: z.number().int() }),
    topics: [clusterTopic],
  }),
  choices: endpoint({
    method: 'GET',
    path: `${base}/:uuid/networks`,
    access: view,
    summary: 'Projects, networks, subnets and security groups to choose from, asked of OpenStack now',
    params: oneInCluster,
    query: z.strictObject({ project: openStackId('id-invalid').optional() }),
    data: OpenStackChoices,
  }),
}
