import { z } from 'zod'
import { uuid } from '../ids.ts'
import { givenLimit, pageCap } from '../paging.ts'

export const inCluster = z.strictObject({ env: uuid })
export const oneInCluster = z.strictObject({ env: uuid, uuid })

/** OpenStack's ids: UUIDs, with dashes (Neutron) or without (Keystone's projects). */
export const openStackId = (missing: string) =>
  z
    .string()
    .max(36, { error: missing, abort: true })
    .regex(/^[0-9a-f-]{32,}$/, missing)

/** The maximum number of an environment's objects in one answer. */
export const limit = givenLimit.pipe(
  z.number('page-size-invalid').int('page-size-invalid').min(1, 'page-size-invalid').max(pageCap, 'page-size-invalid'),
)

export const someOf = z.strictObject({ limit })

/** False while a part is still being created or removed in the background. */
export const Removed = z.object({ gone: z.boolean() })
