import { z } from 'zod'
import { type AskHarbor, type HarborAccess, madeId, parsed, part } from './session.ts'

export type ReplicationState = 'pending' | 'running' | 'succeeded' | 'failed' | 'stopped'

export interface Execution {
  state: ReplicationState
  /** The reason of a failure, in Harbor's words. */
  problem: string
  total: number
  succeeded: number
  failed: number
}

export interface ReplicationCalls {
  /** Registers another Harbor as a target to copy to; returns its id. */
  addTarget(access: HarborAccess, target: { name: string } & HarborAccess): Promise<number>
  removeTarget(access: HarborAccess, id: number): Promise<void>
  /** Copies tags of one repository, named with its project, into a project of the target; returns the policy's id. */
  addPolicy(
    access: HarborAccess,
    policy: { name: string; targetId: number; repository: string; tags: readonly string[]; project: string },
  ): Promise<number>
  removePolicy(access: HarborAccess, id: number): Promise<void>
  startExecution(access: HarborAccess, policyId: number): Promise<number>
  execution(access: HarborAccess, id: number, signal?: AbortSignal): Promise<Execution>
  stopExecution(access: HarborAccess, id: number): Promise<void>
}

const states: Record<string, ReplicationState> = {
  Succeed: 'succeeded',
  Success: 'succeeded',
  Failed: 'failed',
  Error: 'failed',
  Stopped: 'stopped',
  InProgress: 'running',
  Running: 'running',
}
const count = z.number().int().nullish()
const WireExecution = z
  .object({
    status: z.string().nullish(),
    status_text: z.string().nullish(),
    total: count,
    succeed: count,
    failed: count,
  })
  .transform((execution): Execution => ({
    state: states[execution.status ?? ''] ?? 'pending',
    problem: (execution.status_text ?? '').replaceAll(/\s+/g, ' ').slice(0, 300),
    total: execution.total ?? 0,
    succeeded: execution.succeed ?? 0,
    failed: execution.failed ?? 0,
  }))

export function harborReplication(ask: AskHarbor): ReplicationCalls {
  const remove = async (access: HarborAccess, path: string): Promise<void> => {
    await ask(access, { method: 'DELETE', path, accepts: [404] })
  }
  return {
    addTarget: async (access, { name, url, username, password, ca }) =>
      madeId(
        await ask(access, {
          method: 'POST',
          path: '/registries',
          body: {
            name,
            url,
            type: 'harbor',
            insecure: false,
            ...(ca && { ca_certificate: ca }),
            credential: { type: 'basic', access_key: username, access_secret: password },
          },
        }),
      ),
    removeTarget: (access, id) => remove(access, `/registries/${part(id)}`),
    addPolicy: async (access, { name, targetId, repository, tags, project }) =>
      madeId(
        await ask(access, {
          method: 'POST',
          path: '/replication/policies',
          body: {
            name,
            dest_registry: { id: targetId },
            dest_namespace: project,
            dest_namespace_replace_count: 1,
            trigger: { type: 'manual' },
            filters: [
              { type: 'name', value: repository },
              { type: 'tag', value: tags.length === 1 ? tags[0] : `{${tags.join(',')}}` },
            ],
            enabled: true,
            override: true,
            replicate_deletion: false,
          },
        }),
      ),
    removePolicy: (access, id) => remove(access, `/replication/policies/${part(id)}`),
    startExecution: async (access, policyId) =>
      madeId(await ask(access, { method: 'POST', path: '/replication/executions', body: { policy_id: policyId } })),
    execution: async (access, id, signal) =>
      parsed(await ask(access, { path: `/replication/executions/${part(id)}`, signal }), WireExecution),
    stopExecution: async (access, id) => {
      await ask(access, { method: 'PUT', path: `/replication/executions/${part(id)}` })
    },
  }
}
