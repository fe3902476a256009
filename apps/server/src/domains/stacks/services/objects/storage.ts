import type { V1ConfigMap, V1PersistentVolumeClaim, V1Secret, V1Volume, V1VolumeMount } from '@kubernetes/client-node'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { ownVolumes, type ConfigFile, type Volume } from '@gantry/contract/stacks/spec-storage'
import type { Wire } from '../../../../adapters/kube/objects.ts'
import { folderClaimName } from '../../../clusters/public.ts'
import { labelsOf, secretObject, serviceName, type ServiceOf } from './service-objects.ts'

type Claimed = Extract<Volume, { type: 'claim' }>

/** A service's name has no dot, so no other service's objects can have this name. */
export const filesName = (name: string): string => `${name}.files`
export const claimName = (name: string, volume: string): string => `${name}.${volume}`

/** A path as a key of a ConfigMap, which cannot contain slashes: `_-` stands for one, `__` for an underscore. */
const keyOf = (path: string): string => path.slice(1).replaceAll(/[_/]/g, (one) => (one === '/' ? '_-' : '__'))

const filesOf = ({ files = [] }: ServiceSpec, secret: boolean): ConfigFile[] =>
  files.filter((file) => file.secret === secret)

const metadataOf = (of: ServiceOf, name: string) => ({ name, namespace: of.namespace, labels: labelsOf(of) })

/** The files that are not secret; undefined if there are none. */
export function configFiles(of: ServiceOf, spec: ServiceSpec): Wire<V1ConfigMap> | undefined {
  const files = filesOf(spec, false)
  if (files.length === 0) return undefined
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadataOf(of, filesName(of.name)),
    data: Object.fromEntries(files.map(({ path, content }) => [keyOf(path), content])),
  }
}

export const secretFiles = (of: ServiceOf, spec: ServiceSpec): Wire<V1Secret> | undefined =>
  secretObject(
    of,
    filesName(of.name),
    filesOf(spec, true).map(({ path, content }) => [keyOf(path), content]),
  )

export const claimsOf = ({ volumes = [] }: ServiceSpec): Claimed[] =>
  volumes.filter((volume): volume is Claimed => volume.type === 'claim')

const claimSpec = ({ size, storageClass, access }: Claimed) => ({
  accessModes: [access === 'one' ? 'ReadWriteOnce' : 'ReadWriteMany'],
  resources: { requests: { storage: size } },
  ...(storageClass === undefined ? {} : { storageClassName: storageClass }),
})

/** A claim that all instances share. */
export const claimObject = (of: ServiceOf, claim: Claimed): Wire<V1PersistentVolumeClaim> => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: metadataOf(of, claimName(of.name, claim.name)),
  spec: claimSpec(claim),
})

/** The claims that a StatefulSet creates for each of its instances. */
export const claimTemplates = (of: ServiceOf, spec: ServiceSpec): Wire<V1PersistentVolumeClaim>[] =>
  claimsOf(spec).map((claim) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: claim.name, labels: labelsOf(of) },
    spec: claimSpec(claim),
  }))

export const foldersOf = ({ volumes = [] }: ServiceSpec): Extract<Volume, { type: 'host' }>[] =>
  volumes.filter((volume) => volume.type === 'host')

function volumeOf(of: ServiceOf, volume: Volume): Wire<V1Volume> {
  const { name } = volume
  switch (volume.type) {
    case 'claim':
      return { name, persistentVolumeClaim: { claimName: claimName(serviceName(of), name) } }
    case 'host':
      // enforced here, so that no container can mount it writable
      return { name, persistentVolumeClaim: { claimName: folderClaimName(volume.folder), readOnly: volume.readOnly } }
    case 'existing':
      return { name, persistentVolumeClaim: { claimName: volume.claim } }
    case 'empty': {
      const { size, memory } = volume
      return {
        name,
        emptyDir: { ...(size === undefined ? {} : { sizeLimit: size }), ...(memory ? { medium: 'Memory' } : {}) },
      }
    }
  }
}

/** The volumes of a pod, without those that a StatefulSet claims for each instance. */
export function podVolumes(of: ServiceOf, spec: ServiceSpec): Wire<V1Volume>[] {
  const own = spec.workload === 'statefulset'
  const named = filesName(of.name)
  return [
    ...(spec.volumes ?? []).filter(({ type }) => !own || type !== 'claim').map((volume) => volumeOf(of, volume)),
    ...(filesOf(spec, false).length > 0 ? [{ name: ownVolumes.config, configMap: { name: named } }] : []),
    ...(filesOf(spec, true).length > 0 ? [{ name: ownVolumes.secret, secret: { secretName: named } }] : []),
  ]
}

/**
 * The mounts of the main container. Files are mounted singly, so that the image's other files in their folders stay.
 */
export const mainMounts = (spec: ServiceSpec): Wire<V1VolumeMount>[] => [
  ...(spec.volumes ?? []).map(({ name, path, readOnly }) => ({
    name,
    mountPath: path,
    ...(readOnly ? { readOnly } : {}),
  })),
  ...(spec.files ?? []).map(({ path, secret }) => ({
    name: secret ? ownVolumes.secret : ownVolumes.config,
    mountPath: path,
    subPath: keyOf(path),
    readOnly: true,
  })),
]
