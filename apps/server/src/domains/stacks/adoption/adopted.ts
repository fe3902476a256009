import { z } from 'zod'

const labels = z.record(z.string(), z.string())

/**
 * What is kept of a workload that somebody else created, once a service has taken it over: what Kubernetes does not let
 * change, and what others in the cluster reach it by.
 */
export const Adopted = z.object({
  /** Whether its objects and pods have the product's labels yet. */
  taken: z.boolean(),
  /** Its pod selector, as in Kubernetes. */
  selector: z.record(z.string(), z.unknown()),
  /** The labels of its pods that the workload's selector and existing addresses use. */
  labels,
  /** Its update strategy, restored once its pods have the labels. */
  strategy: z.unknown().optional(),
  /** The immutable fields of a StatefulSet. */
  fixed: z.record(z.string(), z.unknown()).optional(),
  /** The Kubernetes service of its name, if any: the ports that others use, and their targets. */
  address: z
    .object({
      headless: z.boolean(),
      ports: z.array(
        z.object({
          name: z.string().optional(),
          port: z.number(),
          target: z.number(),
          protocol: z.enum(['TCP', 'UDP']),
        }),
      ),
    })
    .optional(),
  /** Whether some containers have no limits; the namespace's quota refuses such pods. */
  unlimited: z.boolean(),
})
export type Adopted = z.infer<typeof Adopted>

export const readAdopted = (stored: unknown): Adopted | null => (stored === null ? null : Adopted.parse(stored))

/** Whether its objects are still those that were taken over: the product has not yet applied the document. */
export const isAsFound = ({ adopted, generation }: { adopted: Adopted | null; generation: number }): boolean =>
  adopted !== null && generation === 1
