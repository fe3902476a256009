import type { Dockerfile, DockerfileInput } from '@gantry/contract/dockerfiles/dockerfiles'
import { brokenConstraint } from '../../db/constraint.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import {
  deleteDockerfile,
  findDockerfile,
  insertDockerfile,
  namesLike,
  pipelinesBy,
  updateDockerfile,
} from './dockerfiles.store.ts'

const nameTaken = (name: string) => new Fault('conflict', 'dockerfiles-name-taken', { name })

const longestName = 255
/** Maximum of pipelines that a refusal names. */
const maxNamed = 5

export async function getDockerfile(ctx: Ctx, teamId: number, id: number, { lock = false } = {}): Promise<Dockerfile> {
  return mustExist(await findDockerfile(ctx.db, teamId, id, { lock }))
}

export const createDockerfile = (ctx: Ctx, teamId: number, input: DockerfileInput): Promise<Dockerfile> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: input.name, after: input })
    const id = await insertDockerfile(ctx.db, teamId, { ...input, by: ctx.actor.name })
    if (id === undefined) throw nameTaken(input.name)
    return getDockerfile(ctx, teamId, id)
  })

export const changeDockerfile = (
  ctx: Ctx,
  teamId: number,
  { id, revision, ...input }: DockerfileInput & { id: number; revision?: number | undefined },
): Promise<Dockerfile> =>
  inTx(ctx, async (ctx) => {
    const before = await getDockerfile(ctx, teamId, id, { lock: true })
    const { name, description, content } = before
    note(ctx, { object: name, before: { name, description, content }, after: input })
    if (revision !== undefined && revision !== before.revision)
      throw new Fault('conflict', 'dockerfiles-changed-since', { name, by: before.updatedBy })
    await updateDockerfile(ctx.db, id, { ...input, by: ctx.actor.name }).catch(
      brokenConstraint('dockerfile_name', nameTaken(input.name)),
    )
    return getDockerfile(ctx, teamId, id)
  })

/** Without a name the copy gets the original's name with the first free number. */
export const cloneDockerfile = (ctx: Ctx, teamId: number, id: number, given?: string): Promise<Dockerfile> =>
  inTx(ctx, async (ctx) => {
    const { name, description, content } = await getDockerfile(ctx, teamId, id, { lock: true })
    const copy = given ?? freeName(name, await namesLike(ctx.db, teamId, stemOf(name)))
    const made = await createDockerfile(ctx, teamId, { name: copy, description, content })
    note(ctx, { object: `${name} → ${copy}` })
    return made
  })

/** A name cut so that a number fits behind it. */
const stemOf = (name: string): string => [...name].slice(0, longestName - 8).join('')

function freeName(name: string, taken: readonly string[]): string {
  const stem = stemOf(name)
  for (let n = 2; ; n++) if (!taken.includes(`${stem} ${n}`)) return `${stem} ${n}`
}

export const removeDockerfile = (ctx: Ctx, teamId: number, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    await getDockerfile(ctx, teamId, id, { lock: true })
    // read after locking: a pipeline may have begun to use it meanwhile
    const { name, description, content, pipelineNum } = await getDockerfile(ctx, teamId, id)
    note(ctx, { object: name, before: { name, description, content } })
    if (pipelineNum > 0) {
      const pipelines = (await pipelinesBy(ctx.db, id, maxNamed)).join(', ')
      throw new Fault('conflict', 'dockerfiles-in-use', { name, count: pipelineNum, pipelines })
    }
    await deleteDockerfile(ctx.db, id)
    return null
  })
