import type { V1EndpointSlice, V1Service } from '@kubernetes/client-node'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { Wire } from '../../../../adapters/kube/objects.ts'
import * as kinds from '../../../../adapters/kube/resources.ts'
import { labelsOf, type ServiceOf } from '../objects/service-objects.ts'
import type { WorkloadType } from './workload-type.ts'

const externalOf = ({ outward }: ServiceSpec) => (outward?.type === 'external' ? outward : undefined)

/** The name of a port links the Service's port to that of its endpoints. */
const portsOf = (spec: ServiceSpec) =>
  (externalOf(spec)?.ports ?? []).map(({ port, protocol }) => ({
    name: `${protocol.toLowerCase()}-${port}`,
    port,
    protocol,
  }))

const serviceObject = (of: ServiceOf, spec: ServiceSpec): Wire<V1Service> => {
  const dns = externalOf(spec)?.dns
  const ports = portsOf(spec).map((one) => ({ ...one, targetPort: one.port }))
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: of.name, namespace: of.namespace, labels: labelsOf(of) },
    spec: dns === undefined ? { type: 'ClusterIP', ports } : { type: 'ExternalName', externalName: dns, ports },
  }
}

const endpointSlice = (of: ServiceOf, spec: ServiceSpec): Wire<V1EndpointSlice> | undefined => {
  const { addresses = [] } = externalOf(spec) ?? {}
  if (addresses.length === 0) return undefined
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: of.name,
      namespace: of.namespace,
      labels: {
        ...labelsOf(of),
        'kubernetes.io/service-name': of.name,
        'endpointslice.kubernetes.io/managed-by': 'gantry',
      },
    },
    addressType: 'IPv4',
    ports: portsOf(spec),
    endpoints: [{ addresses, conditions: { ready: true } }],
  }
}

/** A name within the cluster for addresses or a DNS name outside it. */
export const external: WorkloadType = {
  resource: kinds.services,
  view: 'services',
  objects: (of, spec) => [
    { resource: kinds.services, name: of.name, object: serviceObject(of, spec) },
    { resource: kinds.endpointSlices, name: of.name, object: endpointSlice(of, spec) },
  ],
  observe: async (kube, of) => {
    await kube.get(kinds.services, of)
    return { outcome: 'ready', reason: null, digest: undefined }
  },
}
