import type { Sample, SampleAnswer } from '@gantry/contract/sample/sample'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { say, sayReason } from '../../kernel/phrase.ts'
import { sandboxCluster } from '../clusters/public.ts'
import { getPipeline, readBuild, runningBuilds } from '../pipelines/public.ts'
import { getProduct } from '../products/public.ts'
import { findServiceByName, findStack } from '../stacks/public.ts'
import { names, port, versionOf } from './definition.ts'
import { samplePlace } from './place.ts'
import { findSample, type SampleRow } from './sample.store.ts'

const nothing = { commits: 0, version: '', pipeline: null, product: null, stack: null, build: null, service: null }

/** Why no sample can be created; empty if one can. */
const obstacle = (ctx: Ctx): Promise<string> =>
  samplePlace(ctx).then(
    () => '',
    (error: unknown) => {
      if (error instanceof Fault) return say(ctx.lang, error.key, error.vars)
      throw error
    },
  )

/** A team's sample with its progress. An existing one is shown even if no new one could be created. */
export async function readSample(ctx: Ctx, teamId: number): Promise<Sample> {
  const row = await findSample(ctx.db, teamId)
  if (row) return toSample(ctx, row)
  const reason = await obstacle(ctx)
  return { ...nothing, state: reason === '' ? 'none' : 'unavailable', reason }
}

const nullIfMissing = (error: unknown): null => {
  if (error instanceof Fault && error.kind === 'missing') return null
  throw error
}

async function toSample(ctx: Ctx, row: SampleRow): Promise<Sample> {
  const { teamId, pipelineId, productId, stackId } = row
  const [pipeline, build, product, stack] = await Promise.all([
    pipelineId === null ? null : getPipeline(ctx, pipelineId).catch(nullIfMissing),
    pipelineId === null ? undefined : readBuild(ctx.db, ctx.lang, pipelineId),
    productId === null ? null : getProduct(ctx, teamId, productId).catch(nullIfMissing),
    stackId === null ? undefined : findStack(ctx.db, stackId),
  ])
  return {
    state: row.state,
    reason: row.state === 'removing' ? await waitsFor(ctx, row) : '',
    commits: row.commits,
    version: versionOf(row.commits),
    pipeline: pipeline && { id: pipeline.id, groupId: pipeline.appId, name: pipeline.projectName },
    product: product && { id: product.id, name: product.name },
    stack: stack ? { id: stack.id, uuid: stack.uuid, name: stack.name, envId: stack.envId, state: stack.state } : null,
    build: build ? { number: build.number, state: build.state, message: build.message } : null,
    service: stack ? await serviceOf(ctx, stack) : null,
  }
}

async function serviceOf(ctx: Ctx, stack: { id: number; namespace: string }): Promise<Sample['service']> {
  const service = await findServiceByName(ctx.db, stack.id, names.service)
  if (!service) return null
  const server = (await sandboxCluster(ctx.db))?.server ?? ''
  return {
    id: service.id,
    name: service.name,
    state: service.state,
    message: sayReason(ctx.lang, service.reason),
    image: service.spec.image,
    url: `${server}/sandbox/services/${stack.namespace}/${service.name}:${port}/`,
  }
}

async function waitsFor(ctx: Ctx, { pipelineId, stackId }: SampleRow): Promise<string> {
  const [number] = pipelineId === null ? [] : await runningBuilds(ctx.db, pipelineId)
  if (number !== undefined) return say(ctx.lang, 'sample-waits-for-build', { number })
  const stack = stackId === null ? undefined : await findStack(ctx.db, stackId)
  return stack ? say(ctx.lang, 'sample-waits-for-stack', { name: stack.name }) : ''
}

/** Calls the service like any client in the cluster could. If it cannot be reached, the status is 0. */
export async function readAnswer(ctx: Ctx, teamId: number): Promise<SampleAnswer> {
  const { service } = await readSample(ctx, teamId)
  const at = new Date().toISOString()
  if (!service) return { status: 0, text: say(ctx.lang, 'sample-no-service'), at }
  try {
    const { status, text } = await ctx.ports.outbound.requestText({
      url: service.url,
      timeout: 3_000,
      maxBytes: 10_000,
      signal: ctx.signal,
    })
    return { status, text, at }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { status: 0, text: say(ctx.lang, error.key, error.vars), at }
  }
}
