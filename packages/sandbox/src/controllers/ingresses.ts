import type { Node } from '../objects/nodes.ts'
import { sameValue } from '../objects/record.ts'
import type { Obj } from '../objects/types.ts'
import { keyOf, type Controller } from './loop.ts'

interface Ingress extends Obj {
  spec: { ingressClassName?: string }
  status: { loadBalancer?: { ingress?: { ip: string }[] } }
}

interface IngressClass extends Obj {
  spec: { controller: string }
}

/** The controller of the sandbox's own class, and one for classes that tests create, because it supports more. */
const played = new Set(['sandbox.gantry.dev/simulated', 'k8s.io/ingress-nginx'])

/** Publishes its first node as the address of ingresses with a simulated controller. Nothing listens there. */
export const ingresses: Controller = {
  name: 'ingresses',
  affected: (_cluster, { resource, object }) => (resource === 'ingresses.networking.k8s.io' ? [keyOf(object)] : []),
  reconcile({ store }, namespace, name, later) {
    const ingress = store.get('ingresses.networking.k8s.io', namespace, name) as Ingress | undefined
    if (!ingress || ingress.metadata.deletionTimestamp) return
    const wanted = ingress.spec.ingressClassName ?? ''
    const known = store.get('ingressclasses.networking.k8s.io', undefined, wanted) as IngressClass | undefined
    if (!played.has(known?.spec.controller ?? '')) return
    const nodes = store.list('nodes') as (Node & { status: { addresses?: { type: string; address: string }[] } })[]
    const ip = nodes.flatMap(({ status }) => status.addresses ?? []).find(({ type }) => type === 'InternalIP')?.address
    // its kubelet has not reported it yet
    if (ip === undefined) return later(100)
    const status = { loadBalancer: { ingress: [{ ip }] } }
    if (!sameValue(status, ingress.status)) store.put('ingresses.networking.k8s.io', { ...ingress, status })
  },
}
