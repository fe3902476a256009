import { z } from 'zod'

/** Identifies the state of a document when it was read. */
export const Revision = z.string().max(64)

/** The revision on which an edit is based. Without one, the edit applies to the present state, as specified. */
export const madeOn = { revision: Revision.optional() }

/** Names a set of ids that is shown whole: what is in it, in ascending order, with commas between; `none` where nothing is. */
export const setRevision = (ids: readonly number[]): string =>
  [...new Set(ids)].toSorted((a, b) => a - b).join(',') || 'none'

/** As `madeOn`, of an edit that sets a whole set: `setRevision` of what was shown. */
export const madeOnSet = { revision: z.string().max(4000).optional() }
