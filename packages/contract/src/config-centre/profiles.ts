import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { envKey, text } from '../validators.ts'
import { base, edit, limits, ProfileName, ProjectName, revision, view } from './names.ts'
import { configurationsTopic } from './topics.ts'

/** The values of a project for one purpose: development, test, production. */
export const Profile = z.object({
  uuid: z.string(),
  project: z.string(),
  name: z.string(),
  description: z.string(),
  keys: z.number().int(),
  /** The number of services that read it. */
  services: z.number().int(),
  /** Counts from 1; every change of the profile or one of its keys adds one. */
  revision: z.number().int(),
  updatedAt: z.string(),
  updatedBy: z.string(),
})
export type Profile = z.infer<typeof Profile>

export const ProfileInput = z.strictObject({
  name: ProfileName,
  description: text(1000, 'description-too-long').default(''),
})

/** A key with its value; a secret value is masked. */
export const ConfigEntry = z.object({
  key: z.string(),
  value: z.string(),
  secret: z.boolean(),
  /** The profile's revision at which the key changed last. */
  revision: z.number().int(),
  updatedAt: z.string(),
  updatedBy: z.string(),
})
export type ConfigEntry = z.infer<typeof ConfigEntry>

/** A mask as a secret value keeps the stored value. */
export const EntryInput = z.strictObject({
  key: envKey,
  value: z
    .string()
    .max(limits.value, 'config-value-too-long')
    .refine((value) => !value.includes('\0'), 'text-hidden-characters')
    .default(''),
  secret: z.boolean().default(false),
  revision,
})
export type EntryInput = z.infer<typeof EntryInput>

/** The effect of an import on the keys of a profile. Keys that the file does not name stay. */
export const Imported = z.object({
  added: z.array(z.string()),
  changed: z.array(z.string()),
  same: z.array(z.string()),
  /** Of the profile: before a dry run, and after an import. */
  revision: z.number().int(),
})
export type Imported = z.infer<typeof Imported>

const ofProject = z.strictObject({ teamId: id, name: ProjectName })
const one = z.strictObject({ teamId: id, uuid })

export const configProfiles = {
  list: endpoint({
    method: 'GET',
    path: `${base}/projects/:name/profiles`,
    access: view,
    summary: 'Profiles of a project, without their keys',
    params: ofProject,
    query: listQuery({ pageSize: 10 }),
    data: listOf(Profile),
    topics: [configurationsTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: `${base}/projects/:name/profiles`,
    access: edit,
    audit: 'config-profile.create',
    summary: 'Create a profile without keys',
    params: ofProject,
    body: ProfileInput,
    data: Profile,
    topics: [configurationsTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: `${base}/profiles/:uuid`,
    access: edit,
    audit: 'config-profile.update',
    summary: 'Rename or describe a profile; one that a service reads keeps its name',
    params: one,
    body: ProfileInput.extend({ revision }),
    data: Profile,
    topics: [configurationsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${base}/profiles/:uuid`,
    access: edit,
    audit: 'config-profile.delete',
    summary: 'Delete a profile that no service reads',
    params: one,
    data: z.null(),
    topics: [configurationsTopic],
  }),
  /** Not in the specification, like `entries`. */
  get: endpoint({
    method: 'GET',
    path: `${base}/profiles/:uuid`,
    access: view,
    summary: 'One profile',
    params: one,
    data: Profile,
    topics: [configurationsTopic],
  }),
  export: endpoint({
    method: 'GET',
    path: `${base}/profiles/:uuid/export`,
    access: view,
    audit: 'config-profile.export',
    summary: 'The keys of a profile as a file; secret values are masked, and an import keeps what is stored of them',
    params: one,
    query: z.strictObject({ format: z.enum(['properties', 'yaml']).default('properties') }),
    stream: 'text/plain; charset=utf-8',
    data: z.unknown(),
    topics: [],
  }),
  import: endpoint({
    method: 'POST',
    path: `${base}/profiles/:uuid/import`,
    access: edit,
    audit: 'config-profile.import',
    summary: 'Take keys from a .properties, .yaml or .yml file; with `check`, only say what it would change',
    params: one,
    query: z.strictObject({
      /** The file's name: its ending determines the format. */
      name: z.string().max(255, 'name-too-long'),
      check: z.enum(['true', 'false']).default('false'),
      revision: z.coerce.number().int().min(1, 'revision-invalid').optional(),
    }),
    upload: limits.values,
    data: Imported,
    topics: [configurationsTopic],
  }),
}

export const configEntries = {
  list: endpoint({
    method: 'GET',
    path: `${base}/profiles/:uuid/kv`,
    access: view,
    summary: 'Keys of a profile, secret values masked',
    params: one,
    query: listQuery({ pageSize: 20 }),
    data: listOf(ConfigEntry),
    topics: [configurationsTopic],
  }),
  add: endpoint({
    method: 'POST',
    path: `${base}/profiles/:uuid/kv`,
    access: edit,
    audit: 'config-profile.add-key',
    summary: 'Add a key; services that read the profile are rolled out',
    params: one,
    body: EntryInput,
    data: ConfigEntry,
    topics: [configurationsTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: `${base}/profiles/:uuid/kv`,
    access: edit,
    audit: 'config-profile.change-key',
    summary: 'Change a key; refused where somebody changed it since `revision`',
    params: one,
    body: EntryInput,
    data: ConfigEntry,
    topics: [configurationsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${base}/profiles/:uuid/kv`,
    access: edit,
    audit: 'config-profile.delete-key',
    summary: 'Delete a key, unless a template of a service that reads the profile needs it',
    params: one,
    query: z.strictObject({ key: envKey, revision: z.coerce.number().int().min(1, 'revision-invalid').optional() }),
    data: z.null(),
    topics: [configurationsTopic],
  }),
}
