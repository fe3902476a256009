import { z } from 'zod'

const labels = z.record(z.string(), z.string())

/**
 * What stays of a workload that somebody else made, once a service has taken it over: what Kubernetes has fixed, and what
 * others in the cluster reach it by.
 */
export const Adopted = z.object({
  /** Whether its objects and pods bear the product's marks yet. */
  taken: z.boolean(),
  /** By what it counts pods as its own, as Kubernetes has it. */
  selector: z.record(z.string(), z.unknown()),
  /** What its pods are found by: by the workload itself, and by addresses that stay as they are. */
  labels,
  /** How it replaces its pods: put back once these bear the marks. */
  strategy: z.unknown().optional(),
  /** Of a StatefulSet: what cannot be changed of it. */
  fixed: z.record(z.string(), z.unknown()).optional(),
  /** The address of its name, where there is one: the ports that others reach, and where these lead. */
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
  /** Some of its containers name no limits: the namespace's share takes no pod without. */
  unlimited: z.boolean(),
})
export type Adopted = z.infer<typeof Adopted>

export const readAdopted = (stored: unknown): Adopted | null => (stored === null ? null : Adopted.parse(stored))

/** Whether its objects are still those that were taken over: the product has not written them by the document yet. */
export const isAsFound = ({ adopted, generation }: { adopted: Adopted | null; generation: number }): boolean =>
  adopted !== null && generation === 1
