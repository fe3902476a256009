import type { Uses } from '@gantry/contract/images/contents'
import type { Ctx } from '../../../kernel/context.ts'
import { compareNames } from '../../../kernel/in-order.ts'
import { usesOfRepository } from './in-use.service.ts'
import { buildsOf, pipelinesPushing, type UseRow } from './uses.read.ts'
import { type Home, imageName, refersTo, userOf, type Visible, type Wanted } from './uses.ts'

/** Which users of an image the caller may see by name. */
interface Sight {
  visible: Visible
  /** Only of these teams; undefined means of all. */
  pipelines: readonly number[] | undefined
  builds: readonly number[] | undefined
}

/** A release may name an image more than once, by tag and by digest. */
const onePerUser = (uses: readonly UseRow[]): UseRow[] => [...new Map(uses.map((use) => [userOf(use), use])).values()]

/** Everything that uses an image; `registryIds` are the registries by which builds push to it. */
export async function usersOf(
  ctx: Ctx,
  home: Home,
  registryIds: readonly number[],
  wanted: Wanted,
  { visible, pipelines, builds }: Sight,
): Promise<Uses> {
  const { repository, digests } = wanted
  const uses = (await usesOfRepository(ctx, home, repository)).filter((use) => refersTo(use, home, wanted))
  const seen = uses.filter(visible)
  return {
    services: onePerUser(seen.filter(({ kind }) => kind === 'runs')),
    revisions: seen
      .filter(({ kind }) => kind === 'back')
      .sort((a, b) => compareNames(userOf(a), userOf(b)) || b.revision - a.revision),
    pipelines: await pipelinesPushing(ctx.db, pipelines, registryIds, repository),
    builds: await buildsOf(ctx.db, builds, registryIds, { image: imageName(home, repository), digests: [...digests] }),
    others: new Set(uses.filter((use) => !visible(use)).map(userOf)).size,
  }
}
