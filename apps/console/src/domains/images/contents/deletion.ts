import { contents, type Deletion } from '@gantry/contract/images/contents'
import { tagIdOf, repositoryOfId } from '@gantry/contract/images/keys'
import { call } from '../../../api/call.ts'
import { wordsOf } from '../../../api/notices.ts'

export interface Wanted {
  tag: string
  digest: string
}

/** A tag that will be deleted; `with`: because its image has this other tag. */
export interface Going extends Wanted {
  with: string
}

export interface Plan {
  goes: Going[]
  stays: { tag: string; text: string }[]
}

/** The most tags of a call. */
const most = 1000

/** Divides the tags into as many calls as needed; tags of one image are never in two calls. */
export function batchesOf<T extends Wanted>(wanted: readonly T[]): T[][] {
  const batches: T[][] = []
  for (const same of Map.groupBy(wanted, ({ digest }) => digest).values()) {
    const last = batches.at(-1)
    if (last !== undefined && last.length + same.length <= most) last.push(...same)
    else batches.push([...same])
  }
  return batches
}

/** The tags to delete, including others of the same images, and the tags that stay, with the reason. */
export function planOf(found: readonly Deletion[]): Plan {
  const goes = new Map<string, Going>()
  const able = found.filter(({ done, problem }) => done || problem?.key === 'images-tag-together')
  for (const { tag, digest } of able) goes.set(tag, { tag, digest, with: '' })
  for (const { tag, digest, goes: all } of able)
    for (const other of all) if (!goes.has(other)) goes.set(other, { tag: other, digest, with: tag })
  const stays = found.flatMap(({ tag, problem }) =>
    goes.has(tag) || problem === null ? [] : [{ tag, text: problem.text }],
  )
  return { goes: [...goes.values()], stays }
}

export async function checkAll(repoId: string, wanted: readonly Wanted[], signal: AbortSignal): Promise<Plan> {
  const found: Deletion[] = []
  for (const tags of batchesOf(wanted)) {
    const body = { tags: tags.map(({ tag, digest }) => ({ tag, digest })) }
    found.push(...(await call(contents.check, { params: { repoId }, body }, signal)))
  }
  return planOf(found)
}

export interface Outcome {
  deleted: number
  failed: (Wanted & { text: string })[]
}

/** Deletes each image by one of its tags, confirming its other tags; several in one call. */
export async function deleteAll(repoId: string, goes: readonly Wanted[]): Promise<Outcome> {
  const outcome: Outcome = { deleted: 0, failed: [] }
  const [first, ...others] = goes
  if (first === undefined) return outcome
  const key = repositoryOfId(repoId)
  if (key && others.length < 50 && others.every(({ digest }) => digest === first.digest)) {
    const query = { digest: first.digest, ...(others.length > 0 && { tags: others.map(({ tag }) => tag).join(',') }) }
    const params = { repoId, tagId: tagIdOf({ ...key, tag: first.tag }) }
    return call(contents.removeTag, { params, query }).then(
      ({ tags }) => ({ deleted: tags.length, failed: [] }),
      (error: unknown) => ({ deleted: 0, failed: goes.map((one) => ({ ...one, text: wordsOf(error) })) }),
    )
  }
  for (const tags of batchesOf(goes)) {
    const body = { tags: tags.map(({ tag, digest }) => ({ tag, digest })) }
    const done = await call(contents.removeTags, { params: { repoId }, body }).catch((error: unknown) =>
      tags.map(({ tag, digest }) => ({ tag, digest, done: false, problem: { text: wordsOf(error) } })),
    )
    for (const { tag, digest, done: went, problem } of done)
      if (went) outcome.deleted++
      else outcome.failed.push({ tag, digest, text: problem?.text ?? '' })
  }
  return outcome
}
