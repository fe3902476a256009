import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { reasonOf } from '../../../kernel/phrase.ts'
import type { Round } from '../../../kernel/reconcile.ts'
import { digestOfImage } from '../../images/public.ts'
import { notePins } from '../services/changes.store.ts'
import type { ServiceRow } from '../services/services.store.ts'
import type { StackRow } from '../stacks/stacks.store.ts'
import { type Pins, tagged } from './pins.ts'

/**
 * Resolves the tags of a service to digests at their registries, so that all of its pods run the same, also when the
 * revision is restored. If a registry does not answer, the tag is kept, and the revision says why. Undefined if the
 * service was changed meanwhile.
 */
export async function pinned(
  ctx: Ctx,
  stack: StackRow,
  service: ServiceRow,
  round: Round,
): Promise<ServiceRow | undefined> {
  if (service.pins !== null) return service
  const pins: Pins = { images: {}, problem: null }
  let { podDigest } = service
  const lookups = tagged(service.spec, podDigest).map(async ({ container, ...image }) => {
    try {
      const digest = await digestOfImage(ctx, stack.teamId, image)
      if (container === undefined) podDigest = digest
      else pins.images[container] = digest
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      pins.problem ??= reasonOf(error)
    }
  })
  await Promise.all(lookups)
  const noted = await round.note((ctx) => notePins(ctx.db, service, podDigest, pins))
  return noted ? { ...service, pins, podDigest, digest: podDigest || service.digest } : undefined
}
