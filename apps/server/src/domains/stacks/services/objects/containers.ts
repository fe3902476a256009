import type { V1Container, V1EnvVar, V1SecurityContext } from '@kubernetes/client-node'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { ExtraContainer } from '@gantry/contract/stacks/spec-container'
import type { Wire } from '../../../../adapters/kube/objects.ts'
import { lifecycleOf, probesOf } from './probes.ts'
import { containersSecretName, keyIn, secretName, serviceName, type ServiceOf } from './service-objects.ts'
import { mainMounts } from './storage.ts'

type Variables = ServiceSpec['environment']

/** `host/path:tag@digest`: the tag is informative, the digest decides. */
export const pinnedImage = (image: string, digest: string): string =>
  digest === '' || image.includes('@') ? image : `${image}@${digest}`

/** The variables of a container; the values of secret ones are in a Secret, each under its own key. */
const environmentOf = (variables: Variables, secret: string, keyOf: (name: string) => string): Wire<V1EnvVar>[] =>
  variables.map((one) =>
    one.secret
      ? { name: one.name, valueFrom: { secretKeyRef: { name: secret, key: keyOf(one.name) } } }
      : { name: one.name, value: one.value },
  )

/** Kubernetes refuses Linux-only settings for Windows pods. */
const securityOf = ({ security = {}, placement }: ServiceSpec): Wire<V1SecurityContext> =>
  placement?.os === 'windows' ? {} : linuxSecurityOf(security)

const linuxSecurityOf = (security: NonNullable<ServiceSpec['security']>): Wire<V1SecurityContext> => ({
  allowPrivilegeEscalation: false,
  ...(security.readOnlyRoot === undefined ? {} : { readOnlyRootFilesystem: security.readOnlyRoot }),
  ...(security.drop === undefined || security.drop.length === 0 ? {} : { capabilities: { drop: security.drop } }),
})

const resourcesOf = ({ cpu, memory, cpuRequest, memoryRequest }: ServiceSpec['resources'], gpu?: number) => ({
  requests: { cpu: cpuRequest, memory: memoryRequest },
  limits: { cpu, memory, ...(gpu === undefined ? {} : { 'nvidia.com/gpu': String(gpu) }) },
})

const commandOf = ({ command, arguments: args }: Pick<ServiceSpec, 'command' | 'arguments'>) => ({
  ...(command.length > 0 ? { command } : {}),
  ...(args.length > 0 ? { args } : {}),
})

/** The container with the service's name. A container that runs to its end needs no checks. */
export function mainContainer(of: ServiceOf, spec: ServiceSpec): Wire<V1Container> {
  const ends = spec.workload === 'job' || spec.workload === 'cronjob'
  const mounts = mainMounts(spec)
  return {
    name: serviceName(of),
    image: pinnedImage(spec.image, of.podDigest),
    ...commandOf(spec),
    ...(spec.workingDirectory === undefined ? {} : { workingDir: spec.workingDirectory }),
    ports: spec.ports.map(({ port, protocol }) => ({ containerPort: port, protocol })),
    env: environmentOf(spec.environment, secretName(of.name), (name) => name),
    resources: resourcesOf(spec.resources, spec.gpu),
    ...(ends ? {} : { ...probesOf(spec), lifecycle: lifecycleOf(spec) }),
    ...(mounts.length > 0 ? { volumeMounts: mounts } : {}),
    securityContext: securityOf(spec),
  }
}

/** A side container is a sidecar of Kubernetes, which ends with the main container, also in a Job. */
export const extraContainer = (of: ServiceOf, spec: ServiceSpec, one: ExtraContainer): Wire<V1Container> => ({
  name: one.name,
  image: pinnedImage(one.image, of.pins?.images[one.name] ?? ''),
  ...commandOf(one),
  env: environmentOf(one.environment, containersSecretName(of.name), (name) => keyIn(one.name, name)),
  resources: resourcesOf(one.resources),
  ...(one.role === 'side' ? { restartPolicy: 'Always' } : {}),
  ...(one.mounts.length > 0
    ? {
        volumeMounts: one.mounts.map(({ volume, path, readOnly }) => ({
          name: volume,
          mountPath: path,
          ...(readOnly ? { readOnly } : {}),
        })),
      }
    : {}),
  securityContext: securityOf(spec),
})
