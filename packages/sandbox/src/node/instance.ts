import { createHash } from 'node:crypto'
import type { Cluster, PulledImage, RegistryCredential } from '../cluster.ts'
import { ownOf } from '../objects/record.ts'
import type { Container, Pod } from '../objects/types.ts'
import { makeFiles, type Files } from './files.ts'

/** One run of a container, from its start to its exit. */
export interface Instance {
  pod: Pod
  container: Container
  image: PulledImage
  /** The number of earlier runs of this container. */
  attempt: number
  /** Milliseconds since the epoch. */
  startedAt: number
}

/** The id contains the exact start time, which Kubernetes' own fields round to a second. */
export function containerId(pod: Pod, container: string, attempt: number, startedAt: number): string {
  const rest = createHash('sha256').update(`${pod.metadata.uid}/${container}/${attempt}`).digest('hex').slice(12)
  return `sandbox://${startedAt.toString(16).padStart(12, '0')}${rest}`
}

export const startOf = (id: string | undefined): number =>
  Number.parseInt(/^sandbox:\/\/([0-9a-f]{12})/.exec(id ?? '')?.[1] ?? '0', 16)

/** The registry credentials in a pod's imagePullSecrets. */
export function credentialsOf({ store }: Cluster, pod: Pod): RegistryCredential[] {
  return (pod.spec.imagePullSecrets ?? []).flatMap(({ name }) => {
    const text = store.get('secrets', pod.metadata.namespace, name)?.data?.['.dockerconfigjson']
    if (text === undefined) return []
    try {
      const { auths = {} } = JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as {
        auths?: Record<string, { auth?: string; username?: string; password?: string }>
      }
      return Object.entries(auths).map(([host, { auth, username, password }]) => {
        const [user = '', ...rest] = auth
          ? Buffer.from(auth, 'base64').toString('utf8').split(':')
          : [username, password ?? '']
        return { host: host.replace(/^https?:\/\//, '').replace(/\/.*$/, ''), username: user, password: rest.join(':') }
      })
    } catch {
      return []
    }
  })
}

const decodedData = (data: Record<string, string> | undefined, base64: boolean): Map<string, string> =>
  new Map(
    Object.entries(data ?? {}).map(([key, value]) => [
      key,
      base64 ? Buffer.from(value, 'base64').toString('utf8') : value,
    ]),
  )

/** The entries of a config map or a secret as text; undefined if it does not exist. */
export function entriesOf(
  { store }: Cluster,
  kind: 'configmaps' | 'secrets',
  namespace: string | undefined,
  name: string,
): Map<string, string> | undefined {
  const found = store.get(kind, namespace, name)
  return found && decodedData(found.data, kind === 'secrets')
}

function fieldValue(pod: Pod, path: string): string {
  const { metadata, spec, status } = pod
  const labelled = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path)
  if (labelled) return ownOf(metadata[labelled[1] as 'labels'], labelled[2] ?? '') ?? ''
  const values: Record<string, string | undefined> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
    'spec.nodeName': spec.nodeName,
    'spec.serviceAccountName': spec.serviceAccountName,
    'status.podIP': status.podIP,
    'status.hostIP': status.hostIP,
  }
  return values[path] ?? ''
}

/** A container's environment. Throws an Error with the kubelet's text if a config map, a secret or a key is missing. */
export function environment(cluster: Cluster, pod: Pod, container: Container, image: PulledImage): Map<string, string> {
  const { namespace } = pod.metadata
  const env = new Map([
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', pod.spec.hostname ?? pod.metadata.name],
    ['HOME', '/root'],
  ])
  for (const text of image.env) env.set(text.split('=')[0] ?? '', text.slice(text.indexOf('=') + 1))
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const [kind, ref] = configMapRef ? (['configmaps', configMapRef] as const) : (['secrets', secretRef] as const)
    if (!ref) continue
    const entries = entriesOf(cluster, kind, namespace, ref.name)
    if (!entries && !ref.optional) throw new Error(missing(kind, ref.name))
    for (const [key, value] of entries ?? []) env.set(`${prefix}${key}`, value)
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const { configMapKeyRef, secretKeyRef, fieldRef } = valueFrom ?? {}
    const [kind, ref] = configMapKeyRef
      ? (['configmaps', configMapKeyRef] as const)
      : (['secrets', secretKeyRef] as const)
    if (fieldRef) env.set(name, fieldValue(pod, fieldRef.fieldPath))
    else if (ref) {
      const entries = entriesOf(cluster, kind, namespace, ref.name)
      if (!entries && !ref.optional) throw new Error(missing(kind, ref.name))
      const found = entries?.get(ref.key)
      if (found !== undefined) env.set(name, found)
      else if (!ref.optional)
        throw new Error(
          `couldn't find key ${ref.key} in ${kind === 'secrets' ? 'Secret' : 'ConfigMap'} ${namespace}/${ref.name}`,
        )
    } else
      env.set(
        name,
        (value ?? '').replace(/\$\(([^)]+)\)/g, (whole, key: string) => env.get(key) ?? whole),
      )
  }
  return env
}

const missing = (kind: 'configmaps' | 'secrets', name: string): string =>
  `${kind === 'secrets' ? 'secret' : 'configmap'} "${name}" not found`

/** The pod's first volume with a missing config map or secret, and the kubelet's text about it. */
export function unmountable({ store }: Cluster, pod: Pod): { volume: string; why: string } | undefined {
  const { namespace } = pod.metadata
  for (const volume of pod.spec.volumes ?? []) {
    const { configMap, secret, persistentVolumeClaim: claim } = volume
    if (configMap && !configMap.optional && !store.get('configmaps', namespace, configMap.name))
      return { volume: volume.name, why: `configmap "${configMap.name}" not found` }
    if (secret && !secret.optional && !store.get('secrets', namespace, secret.secretName))
      return { volume: volume.name, why: `secret "${secret.secretName}" not found` }
    if (claim && !store.get('persistentvolumeclaims', namespace, claim.claimName))
      return { volume: volume.name, why: `persistentvolumeclaim "${claim.claimName}" not found` }
  }
  return undefined
}

export function filesOf(cluster: Cluster, { pod, container, image }: Instance): Files {
  const host = pod.spec.hostname ?? pod.metadata.name
  const files: Record<string, string> = {
    '/etc/hostname': `${host}\n`,
    '/etc/hosts': `127.0.0.1\tlocalhost\n${pod.status.podIP ?? ''}\t${host}\n`,
    '/etc/os-release': 'NAME="Gantry sandbox"\nID=sandbox\nPRETTY_NAME="Gantry sandbox (a simulated container)"\n',
    '/etc/resolv.conf': `search ${pod.metadata.namespace}.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\n`,
    '/etc/passwd': 'root:x:0:0:root:/root:/bin/sh\n',
    '/etc/image': `${container.image}\n${image.digest}\n`,
  }
  for (const mount of container.volumeMounts ?? []) {
    const volume = pod.spec.volumes?.find(({ name }) => name === mount.name)
    const entries = volume?.configMap
      ? entriesOf(cluster, 'configmaps', pod.metadata.namespace, volume.configMap.name)
      : volume?.secret
        ? entriesOf(cluster, 'secrets', pod.metadata.namespace, volume.secret.secretName)
        : undefined
    const folder = mount.mountPath.replace(/\/$/, '')
    for (const [key, text] of entries ?? [])
      if (mount.subPath === undefined) files[`${folder}/${key}`] = text
      else if (mount.subPath === key) files[folder] = text
  }
  const { readOnlyRootFilesystem: fixed } = container.securityContext ?? {}
  return makeFiles(files, {
    now: () => cluster.now(),
    folders: (container.volumeMounts ?? [])
      .filter(({ subPath }) => subPath === undefined)
      .map(({ mountPath }) => mountPath),
    writable:
      fixed === true ? (container.volumeMounts ?? []).map(({ mountPath }) => mountPath.replace(/\/$/, '')) : undefined,
  })
}
