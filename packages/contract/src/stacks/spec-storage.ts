import { z } from 'zod'
import { hostPath } from '../clusters/host-path.ts'
import { ProfileName, ProjectName, TemplateName } from '../config-centre/names.ts'
import { Storage } from './amounts.ts'
import { mountPath, partName } from './spec-container.ts'

/** A file in the main container. A secret one is stored sealed and never shown again. */
export const ConfigFile = z.strictObject({
  path: mountPath,
  content: z.string().max(262_144, 'file-too-large').default(''),
  secret: z.boolean().default(false),
})
export type ConfigFile = z.infer<typeof ConfigFile>

/**
 * What a service reads of the team's configuration centre, by names, as its document is read. A change there is rolled
 * out to it.
 */
export const Configuration = z.strictObject({
  project: ProjectName,
  profile: ProfileName,
  /** Each key is an environment variable of the main container; those that the service names itself win. */
  env: z.boolean().default(true),
  /** Each is a file of the main container. */
  templates: z
    .array(z.strictObject({ template: TemplateName, path: mountPath }))
    .max(50, 'list-too-long')
    .default([]),
})
export type Configuration = z.infer<typeof Configuration>

/** Kubernetes keeps all files of a service in one object of 1 MiB at most. */
export const mostFileBytes = 900_000

/** Names that the product has for volumes of its own. */
export const ownVolumes = { config: 'gantry-config', secret: 'gantry-secret' } as const

/** So the names of the claims begin by which pods have folders of hosts. */
export const folderClaims = 'gantry-host-'

/** A DNS name in lower case, as Kubernetes calls its objects. */
const objectName = (missing: string) =>
  z
    .string()
    .min(1, missing)
    .max(253, 'name-too-long')
    .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'object-name-format')

const common = {
  name: partName('volume-name-format').refine((name) => !name.startsWith('gantry-'), 'volume-name-reserved'),
  /** Where the main container sees it. */
  path: mountPath,
  readOnly: z.boolean().default(false),
}

/**
 * Space that outlives a container. `claim`: of its own, kept when the service is deleted; each instance of a StatefulSet
 * has one. `existing`: a claim that is there. `empty`: shared by the containers of a pod, and gone with it. `host`: a folder
 * of whichever host a pod runs on, of those that an administrator opened to the team.
 */
export const Volume = z.discriminatedUnion('type', [
  z.strictObject({
    ...common,
    type: z.literal('claim'),
    size: Storage,
    /** Absent: the cluster's default. */
    storageClass: objectName('name-required').optional(),
    /** `one`: pods of one host at a time. `many`: pods of all hosts, where the storage can. */
    access: z.enum(['one', 'many']).default('one'),
  }),
  z.strictObject({
    ...common,
    type: z.literal('existing'),
    // whether a folder is open for writing is asked only where it is named as one
    claim: objectName('claim-required').refine((name) => !name.startsWith(folderClaims), 'claim-of-host-folder'),
  }),
  z.strictObject({
    ...common,
    type: z.literal('empty'),
    size: Storage.optional(),
    /** In memory, which counts against the memory limit of whoever writes. */
    memory: z.boolean().default(false),
  }),
  z.strictObject({ ...common, type: z.literal('host'), folder: hostPath }),
])
export type Volume = z.infer<typeof Volume>
