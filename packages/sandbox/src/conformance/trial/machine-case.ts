import type { Json } from './client.ts'
import { eventually, must, podOf, type Case, type CaseContext } from './trial.ts'

export const merge = 'application/merge-patch+json'

export interface Machine {
  name: string
  path: string
  read(): Promise<Json>
  until(look: (node: Json) => void): Promise<Json>
  merge(body: Json): Promise<Json>
  /** Creates a pod that fits only this node; it tolerates a node without a kubelet, unless it is `shy`. */
  pod(
    spec?: Json,
    more?: { shy?: true; labels?: Record<string, string> },
  ): Promise<{ path: string; until(look: (pod: Json) => void): Promise<Json> }>
}

/** A node without a kubelet, with room for pods: the scheduler assigns pods to it, and nothing ever starts there. */
export function nodeCase(title: string, attempt: (machine: Machine, trial: CaseContext) => Promise<void>): Case {
  return {
    title,
    async run(trial) {
      const { kube, at } = trial
      const name = trial.name('machine')
      const path = `/api/v1/nodes/${name}`
      const labels = { 'contract/machine': name }
      // No other case's pods may be scheduled there.
      const spec = { taints: [{ key: 'contract/machine', effect: 'NoSchedule' }] }
      must(await kube.call('POST', '/api/v1/nodes', { body: { metadata: { name, labels }, spec } }), 201)
      const allocatable = { cpu: '4', memory: '8Gi', pods: '10' }
      const status = { body: { status: { allocatable, capacity: allocatable } }, type: merge }
      must(await kube.call('PATCH', `${path}/status`, status), 200)
      const until = (from: string) => (look: (object: Json) => void) =>
        eventually(async () => {
          const now = must(await kube.call('GET', from), 200)
          look(now)
          return now
        })
      const pods: string[] = []
      try {
        const machine: Machine = {
          name,
          path,
          read: async () => must(await kube.call('GET', path), 200),
          until: until(path),
          merge: async (body) => must(await kube.call('PATCH', path, { body, type: merge }), 200),
          async pod(spec = {}, { shy, labels: own = {} } = {}) {
            const one = trial.name('guest')
            const keys = ['contract/machine', 'node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
            const tolerations = keys.map((key) => ({ key, operator: 'Exists' }))
            const body = podOf(one, 'sleep 3600', {}, { nodeSelector: labels, ...spec }, { labels: own })
            body.spec.tolerations = [...(shy ? [] : tolerations), ...(spec.tolerations ?? [])]
            must(await kube.call('POST', at('v1', 'pods'), { body }), 201)
            pods.push(at('v1', 'pods', one))
            return { path: at('v1', 'pods', one), until: until(at('v1', 'pods', one)) }
          },
        }
        await attempt(machine, trial)
      } finally {
        for (const pod of pods) await kube.call('DELETE', pod, { body: { gracePeriodSeconds: 0 } })
        await kube.call('DELETE', path)
      }
    },
  }
}
