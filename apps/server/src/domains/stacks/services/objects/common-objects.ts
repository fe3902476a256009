import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { labels, managed } from '../../../../adapters/kube/labels.ts'
import * as kinds from '../../../../adapters/kube/resources.ts'
import { folderClaim, folderClaimName, folderVolume } from '../../../clusters/public.ts'
import type { ServiceObject } from '../types/workload-type.ts'
import {
  containersSecret,
  containersSecretName,
  disruptionBudget,
  environmentSecret,
  labelsOf,
  secretName,
  serviceObject,
  type ServiceOf,
} from './service-objects.ts'
import { claimName, claimObject, claimsOf, configFiles, filesName, foldersOf, secretFiles } from './storage.ts'

/** What pods of any workload need before they start. */
export const beforePods = (of: ServiceOf, spec: ServiceSpec): ServiceObject[] => [
  ...hostFolders(of, spec),
  { resource: kinds.secrets, name: secretName(of.name), object: environmentSecret(of, spec) },
  { resource: kinds.secrets, name: containersSecretName(of.name), object: containersSecret(of, spec) },
  { resource: kinds.secrets, name: filesName(of.name), object: secretFiles(of, spec) },
  { resource: kinds.configMaps, name: filesName(of.name), object: configFiles(of, spec) },
]

/** Volumes for folders of hosts, shared by a stack's services. Volumes are cluster-wide, so the product makes them. */
function hostFolders(of: ServiceOf, spec: ServiceSpec): ServiceObject[] {
  const { [labels.team]: team = '', [labels.stack]: stack = '' } = labelsOf(of)
  const marks = { ...managed, [labels.team]: team, [labels.stack]: stack }
  return [...new Set(foldersOf(spec).map(({ folder }) => folder))].flatMap((path): ServiceObject[] => {
    const volume = folderVolume(of.namespace, path, marks)
    return [
      { resource: kinds.persistentVolumes, name: volume.metadata?.name ?? '', object: volume, own: true, stays: true },
      {
        resource: kinds.persistentVolumeClaims,
        name: folderClaimName(path),
        object: folderClaim(of.namespace, path, marks),
        stays: true,
      },
    ]
  })
}

export const sharedClaims = (of: ServiceOf, spec: ServiceSpec): ServiceObject[] =>
  claimsOf(spec).map((claim) => ({
    resource: kinds.persistentVolumeClaims,
    name: claimName(of.name, claim.name),
    object: claimObject(of, claim),
    stays: true,
  }))

export const address = (of: ServiceOf, spec: ServiceSpec): ServiceObject => ({
  resource: kinds.services,
  name: of.name,
  object: serviceObject(of, spec),
})

export const budget = (of: ServiceOf, spec: ServiceSpec): ServiceObject => ({
  resource: kinds.disruptionBudgets,
  name: of.name,
  object: disruptionBudget(of, spec),
})
