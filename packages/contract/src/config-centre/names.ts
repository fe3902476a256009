import { z } from 'zod'
import { dottedName } from '../validators.ts'

/** What a team may keep. Kubernetes takes 1 MiB of values and files for a service at most. */
export const limits = {
  keys: 500,
  /** Of a value, in bytes. */
  value: 65_536,
  /** Of all values of a profile, in bytes. */
  values: 524_288,
  templates: 100,
  /** Of all templates of a project, in bytes. */
  templateSet: 1_048_576,
  /** Of one template, in characters: a file of a service has no more. */
  template: 262_144,
  projects: 200,
  profiles: 50,
  /** Of a profile, that it can return to. */
  revisions: 20,
} as const

/** It stands in paths of calls and in documents of services, so that it is plain. */
export const ProjectName = dottedName(64)
export const ProfileName = dottedName(64)

/** A file's name, also one that begins with a dot. */
export const TemplateName = z
  .string()
  .min(1, 'name-required')
  .max(100, 'name-too-long')
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]+$/, 'config-template-name-format')

/** Whatever is changed names the revision that it is based on; without one, it is changed as it is. */
export const revision = z.number().int().min(1, 'revision-invalid').optional()

export const view = { team: 'teamId', permission: 'config_project_view' } as const
export const edit = { team: 'teamId', permission: 'config_project_edit' } as const

/** The specification calls the team a tenant here. */
export const base = '/config-center/api/tenants/:teamId'
