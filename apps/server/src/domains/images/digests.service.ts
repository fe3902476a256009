import { parseImageRef, registryUrl } from '../../adapters/registry/image-ref.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { registryAccess } from './registries.service.ts'

/** A cluster waits for this answer, and pulls by the tag if it does not come. */
const patienceMs = 5000

/**
 * The digest that an image's tag has at its registry now, read with the team's credentials if it is the team's
 * registry, else anonymously. Throws a fault that says why the digest is unknown.
 */
export async function digestOfImage(
  ctx: Ctx,
  teamId: number,
  { image, registryId }: { image: string; registryId: number | null },
): Promise<string> {
  const reference = parseImageRef(image)
  if (!reference) throw new Fault('invalid', 'registry-image-invalid')
  const { host, repository, digest, tag = 'latest' } = reference
  if (digest !== undefined) return digest
  const own = registryId === null ? undefined : await registryAccess(ctx, teamId, registryId, ['pull'])
  const isOwn = own !== undefined && new URL(own.url).host === host
  const access = isOwn ? own : { url: registryUrl(host), username: '', password: '' }
  const late = AbortSignal.timeout(patienceMs)
  try {
    const until = AbortSignal.any([ctx.signal, late])
    const found = await ctx.ports.registry.digest(access, repository, tag, until)
    if (found !== null) return found
  } catch (error) {
    if (late.aborted && !(error instanceof Fault)) throw new Fault('unavailable', 'images-digest-late', { host })
    // for a registry that is not the team's, the refusal tells no more than that it did not answer
    if (isOwn || !(error instanceof Fault)) throw error
    throw new Fault('unavailable', 'images-digest-untold', { host })
  }
  throw new Fault('missing', 'images-digest-none', { host, image: `${repository}:${tag}` })
}
