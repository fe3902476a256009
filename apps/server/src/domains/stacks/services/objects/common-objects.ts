import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import * as kinds from '../../../../adapters/kube/resources.ts'
import type { ServiceObject } from '../types/workload-type.ts'
import {
  containersSecret,
  containersSecretName,
  disruptionBudget,
  environmentSecret,
  secretName,
  serviceObject,
  type ServiceOf,
} from './service-objects.ts'
import { claimName, claimObject, claimsOf, configFiles, filesName, secretFiles } from './storage.ts'

/** What pods need before they start, whatever makes them. */
export const beforePods = (of: ServiceOf, spec: ServiceSpec): ServiceObject[] => [
  { resource: kinds.secrets, name: secretName(of.name), object: environmentSecret(of, spec) },
  { resource: kinds.secrets, name: containersSecretName(of.name), object: containersSecret(of, spec) },
  { resource: kinds.secrets, name: filesName(of.name), object: secretFiles(of, spec) },
  { resource: kinds.configMaps, name: filesName(of.name), object: configFiles(of, spec) },
]

/** The claims that all pods of a service share. */
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
