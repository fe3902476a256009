import { External, Ingress, LoadBalancer } from '@gantry/contract/stacks/outward'
import { ServiceName } from '@gantry/contract/stacks/spec'
import { z } from 'zod'

/** The document that the editor of each type sends. */
export const documents = {
  external: z.strictObject({ outward: External }),
  lb: z.strictObject({ outward: LoadBalancer }),
  ingress: z.strictObject({ outward: Ingress }),
} as const

export const schemas = {
  external: documents.external.extend({ serviceName: ServiceName }),
  lb: documents.lb.extend({ serviceName: ServiceName }),
  ingress: documents.ingress.extend({ serviceName: ServiceName }),
} as const
