import type { V1PodSpec, V1PodTemplateSpec, V1Probe, V1Secret, V1Service } from '@kubernetes/client-node'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { Kube } from '../../../adapters/kube/client.ts'
import { annotations, labels, managed } from '../../../adapters/kube/labels.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import { type PodRow, podRow } from '../../../adapters/kube/rows/pod-row.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { NamespaceOf } from '../reconcile/namespace-objects.ts'

/** Whose the objects of a service are, and what decides them beside its specification. */
export interface ServiceOf extends NamespaceOf {
  id: number
  name: string
  /** Pods are made anew when it changes. */
  podRevision: number
  /** What the image is pinned to; empty: whatever the tag means when the pod starts. */
  podDigest: string
  /** Pods are made anew when it changes. */
  restartedAt: string | null
  /** Whether its pods may run on hosts that are dedicated to the team, and prefer them. Pods are made anew when it changes. */
  podDedicated: boolean
  /** The name of the pull secret, where the image's registry wants a password. */
  pullSecret?: string | undefined
}

/** Seconds that a pod goes on serving after it was taken out of its service, so that no request meets a closed port. */
const drainSeconds = 5

/** What its pods are found by. */
export const selectorOf = ({ id }: ServiceOf) => ({ [labels.service]: String(id) })

export const labelsOf = (of: ServiceOf) => ({
  ...managed,
  [labels.name]: of.name,
  [labels.team]: String(of.teamId),
  [labels.stack]: of.stackUuid,
  ...selectorOf(of),
})

/** `host/path:tag@digest`: the tag is for people, the digest decides. */
export const pinnedImage = (image: string, digest: string): string =>
  digest === '' || image.includes('@') ? image : `${image}@${digest}`

/** Without a rule of its own a service with a TCP port is ready when that port is open. */
export function readinessProbe({ readiness, ports }: ServiceSpec): Wire<V1Probe> | undefined {
  const timing = { periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 3 }
  if (readiness.type === 'http') return { ...timing, httpGet: { port: readiness.port, path: readiness.path } }
  const port = readiness.type === 'tcp' ? readiness.port : ports.find((one) => one.protocol === 'TCP')?.port
  return port === undefined ? undefined : { ...timing, tcpSocket: { port } }
}

/** Hosts that are dedicated to the team accept its pods, and are preferred; the others stay open to them. */
const onDedicatedHosts = (teamId: number): Pick<Wire<V1PodSpec>, 'tolerations' | 'affinity'> => {
  const value = String(teamId)
  const match = { key: labels.dedicated, operator: 'In', values: [value] }
  return {
    tolerations: [{ key: labels.dedicated, operator: 'Equal', value, effect: 'NoSchedule' }],
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference: { matchExpressions: [match] } }],
      },
    },
  }
}

export const secretName = (name: string): string => `${name}-env`

/** The opened values of secret variables. Undefined where there are none. */
export function environmentSecret(of: ServiceOf, spec: ServiceSpec): Wire<V1Secret> | undefined {
  const secrets = spec.environment.filter((variable) => variable.secret)
  if (secrets.length === 0) return undefined
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secretName(of.name), namespace: of.namespace, labels: labelsOf(of) },
    type: 'Opaque',
    data: Object.fromEntries(secrets.map(({ name, value }) => [name, Buffer.from(value).toString('base64')])),
  }
}

/** A pod of the service, whatever makes it. */
export const podTemplate = (of: ServiceOf, spec: ServiceSpec): Wire<V1PodTemplateSpec> => {
  const probe = readinessProbe(spec)
  return {
    metadata: {
      labels: { ...labelsOf(of), [labels.revision]: String(of.podRevision) },
      ...(of.restartedAt === null ? {} : { annotations: { [annotations.restartedAt]: of.restartedAt } }),
    },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 30 + drainSeconds,
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      ...(of.podDedicated ? onDedicatedHosts(of.teamId) : {}),
      ...(of.pullSecret === undefined ? {} : { imagePullSecrets: [{ name: of.pullSecret }] }),
      containers: [
        {
          name: of.name,
          image: pinnedImage(spec.image, of.podDigest),
          ...(spec.command.length > 0 ? { command: spec.command } : {}),
          ...(spec.arguments.length > 0 ? { args: spec.arguments } : {}),
          ports: spec.ports.map(({ port, protocol }) => ({ containerPort: port, protocol })),
          env: spec.environment.map(({ name, value, secret }) =>
            secret ? { name, valueFrom: { secretKeyRef: { name: secretName(of.name), key: name } } } : { name, value },
          ),
          resources: {
            requests: { cpu: spec.resources.cpuRequest, memory: spec.resources.memoryRequest },
            limits: { cpu: spec.resources.cpu, memory: spec.resources.memory },
          },
          ...(probe ? { readinessProbe: probe } : {}),
          lifecycle: { preStop: { sleep: { seconds: drainSeconds } } },
          securityContext: { allowPrivilegeEscalation: false },
        },
      ],
    },
  }
}

/** Its pods of the revision that is wanted, but those on their way out. */
export async function podsOf(kube: Kube, of: ServiceOf): Promise<PodRow[]> {
  const pods = await kube.list(kinds.pods, {
    namespace: of.namespace,
    labels: `${labels.service}=${of.id},${labels.revision}=${of.podRevision}`,
  })
  return pods.items.map(podRow).filter((pod) => pod.deleting === undefined)
}

/** How others in the cluster reach it; undefined where it opens no port. */
export const serviceObject = (of: ServiceOf, { ports }: ServiceSpec): Wire<V1Service> | undefined =>
  ports.length === 0
    ? undefined
    : {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: of.name, namespace: of.namespace, labels: labelsOf(of) },
        spec: {
          selector: selectorOf(of),
          ports: ports.map(({ port, protocol }) => ({
            name: `${protocol.toLowerCase()}-${port}`,
            port,
            targetPort: port,
            protocol,
          })),
        },
      }

export const pullSecretName = (registryId: number): string => `gantry-registry-${registryId}`

/** A registry password in Docker's own format, for the kubelet. */
export const pullSecret = (
  of: NamespaceOf,
  registry: { id: number; host: string; username: string; password: string },
): Wire<V1Secret> => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: pullSecretName(registry.id),
    namespace: of.namespace,
    labels: {
      ...managed,
      [labels.team]: String(of.teamId),
      [labels.stack]: of.stackUuid,
    },
  },
  type: 'kubernetes.io/dockerconfigjson',
  data: {
    '.dockerconfigjson': Buffer.from(
      JSON.stringify({
        auths: {
          [registry.host]: {
            username: registry.username,
            password: registry.password,
            auth: Buffer.from(`${registry.username}:${registry.password}`).toString('base64'),
          },
        },
      }),
    ).toString('base64'),
  },
})
