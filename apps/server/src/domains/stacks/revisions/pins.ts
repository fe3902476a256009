import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { z } from 'zod'
import { StoredReason } from '../../../kernel/phrase.ts'

/** The digests of the tags of a service's images when they were looked up. */
export const Pins = z.object({
  /** The digests of the other containers, by name. That of the main container is the service's own. */
  images: z.record(z.string(), z.string()),
  /** Why a tag was not resolved, so that it means what it means on the host that pulls it. */
  problem: StoredReason.nullable(),
})
export type Pins = z.infer<typeof Pins>

export const readPins = (stored: unknown): Pins | null => (stored === null ? null : Pins.parse(stored))

interface Tagged {
  /** Undefined for the main container. */
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
