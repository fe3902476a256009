import { parseImageRef, registryUrl } from '../../adapters/registry/image-ref.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { registryAccess } from './registries.service.ts'

/** A cluster waits for the answer, and pulls by the tag without one. */
const patienceMs = 5000

/**
 * What the tag of an image means at its registry now, asked for with the team's credential where the image is of that
 * registry, else as anybody. Throws the fault that tells why it is not known.
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
    // of what is not the team's registry, no more is told than that it did not say it
    if (isOwn || !(error instanceof Fault)) throw error
    throw new Fault('unavailable', 'images-digest-untold', { host })
  }
  throw new Fault('missing', 'images-digest-none', { host, image: `${repository}:${tag}` })
}
