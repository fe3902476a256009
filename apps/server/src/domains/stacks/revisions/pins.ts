import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { z } from 'zod'
import { StoredReason } from '../../../kernel/phrase.ts'

/** What the tags of a service's images meant when its registries were asked. */
export const Pins = z.object({
  /** The digests of its other containers, by name. That of the main one is the service's own. */
  images: z.record(z.string(), z.string()),
  /** Why a tag is left as it is, and means whatever it means on the host that pulls it. */
  problem: StoredReason.nullable(),
})
export type Pins = z.infer<typeof Pins>

export const readPins = (stored: unknown): Pins | null => (stored === null ? null : Pins.parse(stored))

interface Tagged {
  /** Undefined: the main container. */
  container: string | undefined
  image: string
  registryId: number | null
}

/** The images whose tags have no digest yet. */
export function tagged(spec: ServiceSpec, digest: string): Tagged[] {
  const main = digest === '' ? [{ container: undefined, image: spec.image, registryId: spec.registryId }] : []
  const others = (spec.containers ?? []).map(({ name, image, registryId }) => ({ container: name, image, registryId }))
  return [...main, ...others].filter(({ image }) => image !== '' && !image.includes('@'))
}
