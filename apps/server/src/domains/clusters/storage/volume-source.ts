import type { VolumeSource } from '@gantry/contract/clusters/storage'
import type { V1PersistentVolumeSpec } from '@kubernetes/client-node'
import type { z } from 'zod'
import type { Kube } from '../../../adapters/kube/client.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { Fault } from '../../../kernel/fault.ts'

const hostname = 'kubernetes.io/hostname'

/** A part of a volume's spec: its storage, and for a volume on a single host the affinity that keeps its pods there. */
export async function volumeSource(
  kube: Kube,
  source: z.output<typeof VolumeSource>,
): Promise<Wire<Pick<V1PersistentVolumeSpec, 'nfs' | 'hostPath' | 'local' | 'nodeAffinity'>>> {
  if (source.type === 'nfs') return { nfs: { server: source.server, path: source.path } }
  if (source.type === 'hostPath') return { hostPath: { path: source.path } }
  const node = await kube.find(kinds.nodes, { name: source.host })
  if (!node) throw new Fault('conflict', 'hosts-missing', { host: source.host })
  const values = [node.metadata?.labels?.[hostname] ?? source.host]
  return {
    local: { path: source.path },
    nodeAffinity: {
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key: hostname, operator: 'In', values }] }] },
    },
  }
}
