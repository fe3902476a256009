import { createObject, isApiError } from '../api/write.ts'
import type { Controller } from '../controllers/loop.ts'
import { kindOf } from '../objects/kinds.ts'
import type { Node } from '../objects/nodes.ts'
import { isDown, isSimulated } from './hollow.ts'

const home = 'kube-system'
const mirror = 'kubernetes.io/config.mirror'

/** A node with this annotation has static pods. A new sandbox has none, so that tests can count their own pods. */
const staticPodsAnnotation = 'sandbox.gantry.dev/static-pods'

/** What a control plane's kubelet runs from its own files, with the requests of each. */
const parts = { etcd: { cpu: '100m', memory: '100Mi' }, 'kube-apiserver': { cpu: '250m' } }

const podOf = (node: Node, name: string, requests: Record<string, string>): object => ({
  metadata: {
    name: `${name}-${node.metadata.name}`,
    labels: { component: name, tier: 'control-plane' },
    annotations: { [mirror]: node.metadata.uid.replaceAll('-', ''), 'kubernetes.io/config.source': 'file' },
    ownerReferences: [
      { apiVersion: 'v1', kind: 'Node', name: node.metadata.name, uid: node.metadata.uid, controller: true },
    ],
  },
  spec: {
    nodeName: node.metadata.name,
    hostNetwork: true,
    terminationGracePeriodSeconds: 1,
    tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
    containers: [{ name, image: `registry.k8s.io/${name}:simulated`, command: [`./${name}`], resources: { requests } }],
  },
})

/** The control plane's own pods, which the API only mirrors: a deleted or evicted one comes back. */
export const staticPods: Controller = {
  name: 'static pods',
  affected(_, { resource, object, type }) {
    if (resource === 'nodes') return type === 'DELETED' ? [] : [`/${object.metadata.name}`]
    const gone = resource === 'pods' && type === 'DELETED' && object.metadata.annotations?.[mirror] !== undefined
    return gone ? (object.metadata.ownerReferences ?? []).map(({ name }) => `/${name}`) : []
  },
  reconcile(cluster, _, name, later) {
    const { store } = cluster
    const node = store.get('nodes', undefined, name)
    const wanted = node?.metadata.annotations?.[staticPodsAnnotation] === 'true'
    if (!node || !wanted || !isSimulated(node) || isDown(node)) return
    for (const [part, requests] of Object.entries(parts)) {
      if (store.get('pods', home, `${part}-${name}`)) continue
      try {
        createObject(cluster, kindOf('pods'), home, podOf(node, part, requests))
      } catch (error) {
        if (!isApiError(error)) throw error
        // The namespace is not set up yet.
        later(1000)
      }
    }
  },
}
