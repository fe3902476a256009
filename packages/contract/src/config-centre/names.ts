import { z } from 'zod'
import { dottedName } from '../validators.ts'

/** Limits for a team. Kubernetes accepts at most 1 MiB of values and files for a service. */
export const limits = {
  keys: 500,
  /** Of a value, in bytes. */
  value: 65_536,
  /** Of all values of a profile, in bytes. */
  values: 524_288,
  templates: 100,
  /** Of all templates of a project, in bytes. */
  templateSet: 1_048_576,
  /** Of one template, in characters: the limit of a service's file. */
  template: 262_144,
  projects: 200,
  profiles: 50,
  /** The number of revisions of a profile to which it can return. */
  revisions: 20,
} as const

/** Plain, because it is part of paths of calls and of services' documents. */
export const ProjectName = dottedName(64)
export const ProfileName = dottedName(64)

/** A file name; may begin with a dot. */
export const TemplateName = z
  .string()
  .min(1, 'name-required')
  .max(100, 'name-too-long')
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]+$/, 'config-template-name-format')

/** The revision on which a change is based; without one, the change applies to the present state. */
export const revision = z.number().int().min(1, 'revision-invalid').optional()

export const view = { team: 'teamId', permission: 'config_project_view' } as const
export const edit = { team: 'teamId', permission: 'config_project_edit' } as const

/** The specification calls the team a tenant here. */
export const base = '/config-center/api/tenants/:teamId'
