import { contents } from '@gantry/contract/images/contents'
import { repoIdOf, tagIdOf } from '@gantry/contract/images/keys'
import type { Place, Set } from './story.ts'

/** Reads the contents of a team's registry, and deletes some of our team's images. */
export async function lookIntoRegistry({ run, roles }: Set, { side, team }: Place, registryId: number): Promise<void> {
  const keyOf = (tag: string) => ({ registryId, repository: 'demo/hello', tag })
  const repoId = repoIdOf(keyOf('1'))
  const values = { team, registry: registryId, imageRepository: repoId, imageTag: tagIdOf(keyOf('1')) }
  run.pool.add({ side, values })
  if (side !== 'ours') return
  const { items } = await run.make(roles.leader, contents.tags, {
    params: { id: registryId },
    query: { repo: 'demo/hello' },
  })
  const imageOf = (tag: string) => ({ tag, digest: items.find((one) => one.tag === tag)?.digest ?? '' })
  const [two, three, four] = [imageOf('2'), imageOf('3'), imageOf('4')]
  await run.make(roles.leader, contents.check, { params: { repoId }, body: { tags: [two] } })
  await run.make(roles.leader, contents.removeTags, { params: { repoId }, body: { tags: [two] } })
  await run.make(roles.leader, contents.removeTag, {
    params: { repoId, tagId: tagIdOf(keyOf('3')) },
    query: { digest: three.digest },
  })
  await run.make(roles.leader, contents.removeTeamTag, {
    params: { teamId: team, tagId: tagIdOf(keyOf('4')) },
    query: { digest: four.digest },
  })
}
