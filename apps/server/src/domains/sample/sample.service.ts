import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { samplePath } from '@gantry/contract/sample/repository'
import type { Sample } from '@gantry/contract/sample/sample'
import { Repository } from '@gantry/contract/pipelines/pipelines'
import { isEnded } from '@gantry/contract/pipelines/states'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { ownOrigin } from '../../config.ts'
import { say } from '../../kernel/phrase.ts'
import { open, seal } from '../../kernel/secrets/secrets.ts'
import {
  createGroup,
  createPipeline,
  getPipeline,
  moveRepository,
  readBuild,
  runningBuilds,
  triggerBuild,
  writeDefinition,
} from '../pipelines/public.ts'
import { createProduct } from '../products/public.ts'
import { createStack, findServiceByName, findStack } from '../stacks/public.ts'
import { branch, imageOf, names, sampleDefinition, versionFile, versionOf } from './definition.ts'
import { type SampleTarget, samplePlace } from './place.ts'
import { readSample } from './read-sample.ts'
import { findSample, insertSample, type SampleRow, updateSample } from './sample.store.ts'
import { root } from '../../root.ts'

/** examples/hello of this release: the contents of the sample's first commit. */
const folder = join(root, 'examples/hello')

async function sampleFiles(): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => /\.(mjs|md)$/.test(name)).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  )
}

export const repositoryOf = (teamId: number): string => `${teamId}/hello.git`

const urlOf = (ctx: Ctx, teamId: number): string => ownOrigin(ctx.config) + samplePath(teamId)

/** Uses the first of `hello`, `hello-2`, `hello-3` … that the team does not have. */
async function withFreeName<T>(name: string, make: (name: string) => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await make(n === 1 ? name : `${name}-${n}`)
    } catch (error) {
      if (!(error instanceof Fault) || !error.key.endsWith('-name-taken') || n === 20) throw error
    }
  }
}

/** The user who clicked is the author; git allows no line break, `<` or `>` in a name. */
const author = (ctx: Ctx) => ({
  name: ctx.actor.name.replaceAll(/[<>\p{Cc}]/gu, '') || 'gantry',
  email: 'sample@gantry.invalid',
})

/**
 * Creates the missing parts of a team's sample, and builds it unless a build is running or has already deployed its
 * service. All rows are inserted in one transaction, so that a crash leaves nothing unfinished; the repository is
 * created before them, and an existing one is kept.
 */
export async function createSample(ctx: Ctx, teamId: number): Promise<Sample> {
  const place = await samplePlace(ctx)
  await inTx(ctx, async (ctx) => {
    const fresh = await insertSample(ctx.db, teamId, seal(ctx, randomBytes(24).toString('base64url')))
    const row = await locked(ctx, teamId)
    await makeRepository(ctx, row, fresh)
    const made = await makeParts(ctx, row, place)
    if (await wantsBuild(ctx, made)) await triggerBuild(ctx, made.pipelineId, { cause: 'sample' })
    note(ctx, { object: names.pipeline })
  })
  return readSample(ctx, teamId)
}

async function locked(ctx: Ctx, teamId: number): Promise<SampleRow> {
  const row = await findSample(ctx.db, teamId, { lock: true })
  if (!row) throw new Fault('missing', 'sample-none')
  if (row.state === 'removing') throw new Fault('conflict', 'sample-being-removed')
  return row
}

async function makeRepository(ctx: Ctx, row: SampleRow, fresh: boolean): Promise<void> {
  const repository = repositoryOf(row.teamId)
  // left behind by a sample whose rows are deleted
  if (fresh) await ctx.ports.repositories.remove(repository)
  await ctx.ports.repositories.create(repository, branch, {
    message: say(ctx.lang, 'sample-commit-first'),
    files: { ...(await sampleFiles()), ...versionFile(Math.max(row.commits, 1)) },
    author: author(ctx),
    at: new Date(),
  })
  if (row.commits === 0) await updateSample(ctx.db, row.teamId, { commits: 1 })
}

async function makeParts(
  ctx: Ctx,
  row: SampleRow,
  place: SampleTarget,
): Promise<{ pipelineId: number; stackId: number }> {
  const { teamId } = row
  const description = say(ctx.lang, 'sample-description')
  const url = urlOf(ctx, teamId)

  const productId =
    row.productId ?? (await withFreeName(names.product, (name) => createProduct(ctx, teamId, { name, description }))).id
  const stack =
    (row.stackId === null ? undefined : await findStack(ctx.db, row.stackId)) ??
    (await withFreeName(names.stack, (name) =>
      createStack(ctx, teamId, {
        name,
        description,
        envId: place.environment,
        productId,
        quota: { cpu: null, memory: null },
      }),
    ))
  const definition = sampleDefinition({
    lang: ctx.lang,
    registryId: place.registryId,
    image: imageOf(teamId),
    stackUuid: stack.uuid,
  })
  let { groupId, pipelineId } = row
  if (pipelineId === null) {
    groupId ??= (await withFreeName(names.group, (name) => createGroup(ctx, teamId, { name, description }))).id
    const repository = Repository.parse({ url, branch, username: 'sample', password: open(ctx, row.password) })
    const appId = groupId
    pipelineId = (
      await withFreeName(names.pipeline, (projectName) =>
        createPipeline(
          ctx,
          { appId, projectName, description, repository, definition, variables: [] },
          { known: true },
        ),
      )
    ).id
  } else {
    await moveRepository(ctx, pipelineId, url)
    // a new stack replaces a deleted one, so the pipeline must deploy to it
    const { appId } = await getPipeline(ctx, pipelineId)
    if (row.stackId === null) await writeDefinition(ctx, pipelineId, appId, { stages: definition.stages })
  }
  await updateSample(ctx.db, teamId, { groupId, pipelineId, productId, stackId: stack.id })
  return { pipelineId, stackId: stack.id }
}

/** Whether no build is running, and none has succeeded or its service is missing. */
async function wantsBuild(
  ctx: Ctx,
  { pipelineId, stackId }: { pipelineId: number; stackId: number },
): Promise<boolean> {
  const newest = await readBuild(ctx.db, ctx.lang, pipelineId)
  if (newest && !isEnded(newest.state)) return false
  const service = await findServiceByName(ctx.db, stackId, names.service)
  return newest?.state !== 'success' || !service
}

/** Commits the next version and builds it. Refused during a build or an undecided upgrade, which would be lost. */
export async function changeSample(ctx: Ctx, teamId: number): Promise<Sample> {
  await samplePlace(ctx)
  await inTx(ctx, async (ctx) => {
    const row = await locked(ctx, teamId)
    if (row.pipelineId === null || row.stackId === null) throw new Fault('conflict', 'sample-incomplete')
    const running = await runningBuilds(ctx.db, row.pipelineId)
    if (running.length > 0) throw new Fault('conflict', 'sample-build-running', { number: running[0] ?? 0 })
    const service = await findServiceByName(ctx.db, row.stackId, names.service)
    if (service?.state === 'upgraded') throw new Fault('conflict', 'sample-decide-first', { service: service.name })
    const commits = row.commits + 1
    await ctx.ports.repositories.commit(repositoryOf(teamId), branch, {
      message: say(ctx.lang, 'sample-commit-change', { version: versionOf(commits) }),
      files: versionFile(commits),
      author: author(ctx),
      at: new Date(),
    })
    await updateSample(ctx.db, teamId, { commits })
    await moveRepository(ctx, row.pipelineId, urlOf(ctx, teamId))
    await triggerBuild(ctx, row.pipelineId, { cause: 'sample' })
    note(ctx, { object: names.pipeline, after: { version: versionOf(commits) } })
  })
  return readSample(ctx, teamId)
}
