import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { hostPath } from './host-path.ts'
import { clusterTopic } from './topics.ts'

/** A folder on a cluster's hosts that a team's services may mount as a volume. */
export const HostFolder = z.object({
  id,
  path: z.string(),
  team: z.object({ id, name: z.string() }),
  /** Services may only read it. */
  readOnly: z.boolean(),
  openedBy: z.string(),
  openedAt: z.string(),
  /** Closed to new services, but not deleted yet because its cluster did not answer. Closing it again continues. */
  closing: z.boolean(),
  /** The services that mount it, as `stack/service`. */
  services: z.array(z.string()),
})
export type HostFolder = z.infer<typeof HostFolder>

const base = '/resource-manager/api/environments/:env/host-folders' as const
const inCluster = z.strictObject({ env: uuid })

export const hostFolders = {
  list: endpoint({
    method: 'GET',
    path: base,
    access: 'admin',
    summary: 'The folders of a cluster’s hosts that are open to teams',
    params: inCluster,
    data: z.array(HostFolder),
    topics: [clusterTopic],
  }),
  ofTeam: endpoint({
    method: 'GET',
    path: '/resource-manager/api/tenants/:teamId/environments/:env/host-folders',
    access: { team: 'teamId', permission: 'stack_service_view' },
    summary: 'The folders of a cluster’s hosts that are open to a team',
    params: z.strictObject({ teamId: id, env: uuid }),
    data: z.array(HostFolder.pick({ path: true, readOnly: true })),
    topics: [clusterTopic],
  }),
  open: endpoint({
    method: 'POST',
    path: base,
    access: 'admin',
    audit: 'host-folder.open',
    summary: 'Let services of a team have a folder of the hosts on which they run as a volume',
    params: inCluster,
    body: z.strictObject({ path: hostPath, teamId: id, readOnly: z.boolean().default(true) }),
    data: HostFolder,
    topics: [clusterTopic],
  }),
  close: endpoint({
    method: 'DELETE',
    path: `${base}/:id`,
    access: 'admin',
    audit: 'host-folder.close',
    summary: 'Close a folder of the hosts to a team; refused while a service of it has it',
    params: inCluster.extend({ id }),
    data: z.null(),
    topics: [clusterTopic],
  }),
}
