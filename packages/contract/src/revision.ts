import { z } from 'zod'

/** Identifies the state of a document when it was read. */
export const Revision = z.string().max(64)

/** The revision on which an edit is based. Without one, the edit applies to the present state, as specified. */
export const madeOn = { revision: Revision.optional() }

/** The revision of a set of ids: the ids in ascending order, separated by commas; `none` if it is empty. */
export const setRevision = (ids: readonly number[]): string =>
  [...new Set(ids)].toSorted((a, b) => a - b).join(',') || 'none'

/** As `madeOn`, for an edit that replaces a whole set: the `setRevision` of the set as displayed. */
export const madeOnSet = { revision: z.string().max(4000).optional() }
