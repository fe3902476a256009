import { z } from 'zod'

/** Integer ids: users, teams, roles, groups, builds, registries, products, services. PostgreSQL's int4. */
export const id = z.coerce.number().int('id-invalid').min(1, 'id-invalid').max(2_147_483_647, 'id-invalid')

/** Lower case, with dashes and without braces: one spelling per object. */
export const uuid = z
  .string()
  .max(36, { error: 'id-invalid', abort: true })
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'id-invalid')

/** Pipelines, blueprints and stacks have both ids, and their calls accept either. */
export const idOrUuid = z.union([id, uuid])

export const moment = z.iso.datetime()
