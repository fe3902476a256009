import { z } from 'zod'
import { hostPath } from '../clusters/host-path.ts'
import { ProfileName, ProjectName, TemplateName } from '../config-centre/names.ts'
import { Storage } from './amounts.ts'
import { mountPath, partName } from './spec-container.ts'

/** A file in the main container. A secret file is stored encrypted and never shown again. */
export const ConfigFile = z.strictObject({
  path: mountPath,
  content: z.string().max(262_144, 'file-too-large').default(''),
  secret: z.boolean().default(false),
})
export type ConfigFile = z.infer<typeof ConfigFile>

/**
 * What a service reads from the team's configuration centre, by names, as in its document. A change there is rolled out
 * to the service.
 */
export const Configuration = z.strictObject({
  project: ProjectName,
  profile: ProfileName,
  /** Whether keys become environment variables of the main container; the service's own take precedence. */
  env: z.boolean().default(true),
  /** Each template becomes a file of the main container. */
  templates: z
    .array(z.strictObject({ template: TemplateName, path: mountPath }))
    .max(50, 'list-too-long')
    .default([]),
})
export type Configuration = z.infer<typeof Configuration>

/** Kubernetes stores all files of a service in one object of at most 1 MiB. */
export const maxFileBytes = 900_000

/** Names that the product uses for its own volumes. */
export const ownVolumes = { config: 'gantry-config', secret: 'gantry-secret' } as const

/** The prefix of the claims by which pods mount folders of hosts. */
export const folderClaims = 'gantry-host-'

/** A lower-case DNS name, as Kubernetes objects have. */
const objectName = (missing: string) =>
  z
    .string()
    .min(1, missing)
    .max(253, 'name-too-long')
    .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'object-name-format')

const common = {
  name: partName('volume-name-format').refine((name) => !name.startsWith('gantry-'), 'volume-name-reserved'),
  /** Where the main container mounts it. */
  path: mountPath,
  readOnly: z.boolean().default(false),
}

/**
 * A volume of a service. `claim`: a claim of its own, kept when the service is deleted; a StatefulSet has one for each
 * instance. `existing`: an existing claim. `empty`: shared by the containers of a pod, and deleted with it. `host`: a
 * folder of the host on which the pod runs, from those that an administrator opened to the team.
 */
export const Volume = z.discriminatedUnion('type', [
  z.strictObject({
    ...common,
    type: z.literal('claim'),
    size: Storage,
    /** Absent: the cluster's default. */
    storageClass: objectName('name-required').optional(),
    /** `one`: for pods of one host at a time. `many`: for pods of all hosts, if the storage supports it. */
    access: z.enum(['one', 'many']).default('one'),
  }),
  z.strictObject({
    ...common,
    type: z.literal('existing'),
    // a folder's claim may not be named here, because only the type `host` checks whether it may be written
    claim: objectName('claim-required').refine((name) => !name.startsWith(folderClaims), 'claim-of-host-folder'),
  }),
  z.strictObject({
    ...common,
    type: z.literal('empty'),
    size: Storage.optional(),
    /** In memory, which counts against the memory limit of the writing container. */
    memory: z.boolean().default(false),
  }),
  z.strictObject({ ...common, type: z.literal('host'), folder: hostPath }),
])
export type Volume = z.infer<typeof Volume>
