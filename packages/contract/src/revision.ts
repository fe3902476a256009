import { z } from 'zod'

/** Names what a document said when it was read. */
export const Revision = z.string().max(64)

/** Of an edit: the revision on which it was made. Without one it is made on what there is, as the specification has it. */
export const madeOn = { revision: Revision.optional() }
