import type { Controller } from './loop.ts'

const key = 'node.kubernetes.io/unschedulable'

/** A node that is to take no more pods says so to the scheduler by a taint. */
export const nodes: Controller = {
  name: 'nodes',
  affected: (_, { resource, object }) => (resource === 'nodes' ? [`/${object.metadata.name}`] : []),
  reconcile({ store }, _, name) {
    const node = store.get('nodes', undefined, name)
    if (!node) return
    const others = (node.spec.taints ?? []).filter((taint) => taint.key !== key)
    const wanted = node.spec.unschedulable === true
    if (wanted === others.length < (node.spec.taints ?? []).length) return
    const { taints: _taints, ...spec } = node.spec
    const taints = wanted ? [...others, { key, effect: 'NoSchedule' }] : others
    store.put('nodes', { ...node, spec: { ...spec, ...(taints.length > 0 ? { taints } : {}) } })
  },
}
