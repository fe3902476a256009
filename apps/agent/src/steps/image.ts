import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { humanSize } from '../files.ts'
import { readBase, scratch, type Base, type ImageConfig } from '../image/base.ts'
import { layerEntries, writeLayer, type Layer } from '../image/layers.ts'
import { pushImage, type Pushed } from '../image/registry-push.ts'
import { registry as openRegistry, type Registry } from '../image/registry.ts'
import { filled } from '../outputs.ts'
import { StepFailure } from '../reasons.ts'
import { checkedOut, workOf, type CheckedOut } from '../workspace/workspace.ts'
import { buildByDockerfile, dockerfileText, type Image, type ImageContext, imagesOfHost } from './dockerfile.ts'
import { success, type StepContext, type StepResult } from './step.ts'

/** Creates an image by the step's method, pushes it to the step's registry, and reports it. */
export async function runImage(ctx: StepContext<Image>): Promise<StepResult> {
  const { step, work, room } = ctx
  const access = work.registries.find(({ id }) => id === step.registryId)
  if (access === undefined) throw new StepFailure('agents-registry-unknown')
  const source = await checkedOut(room)
  const tag = tagOfStep(ctx, source)
  const inHost = await basesOf(ctx, new URL(access.url).host)
  const registry = openRegistry({
    transport: ctx.outside(access),
    access,
    scope: scopes(step.repository, inHost),
    token: access.tokens ? () => registryToken(ctx) : undefined,
    signal: ctx.signal,
  })
  const made =
    step.method === 'dockerfile'
      ? await buildByDockerfile({ ...ctx, tag }, await dockerfileText(ctx), registry)
      : await layOnBase({ ...ctx, tag }, registry, source)
  if ('state' in made) return made
  const image = `${registry.host}/${step.repository}`
  ctx.say(`Pushed ${image}:${tag}@${made.digest}`)
  ctx.report({ type: 'image', step: ctx.index, image, tag, registryId: step.registryId, ...made })
  ctx.report({ type: 'output', step: ctx.index, values: { TAG: tag, DIGEST: made.digest } })
  return success
}

/** The repositories of the step's own registry that are read. */
async function basesOf(ctx: StepContext<Image>, host: string): Promise<string[]> {
  const { step } = ctx
  if (step.method === 'layers') return step.base === 'scratch' ? [] : [step.base]
  const given = new Map(step.arguments.map(({ name, value }) => [name, filled(value, ctx.outputs)]))
  return imagesOfHost(await dockerfileText(ctx), host, given).map(({ image }) => image)
}

/** Adds files of the workspace to a base image: the method `layers`, which needs no engine. */
async function layOnBase(ctx: ImageContext, registry: Registry, source: CheckedOut | undefined): Promise<Pushed> {
  const { step, room, tag } = ctx
  const base = step.base === 'scratch' ? scratch : await readBase(registry, step.base)
  let layer: Layer | undefined
  const file = join(room.dir, 'steps', String(ctx.index), 'layer')
  if (step.copy.length > 0 || step.base === 'scratch') {
    const entries = await layerEntries(workOf(room), step.copy, ctx.say)
    layer = await writeLayer(workOf(room), entries, file, step.base === 'scratch')
    ctx.say(`Laid ${entries.length} files on ${step.base} (${humanSize(layer.size)} compressed)`)
  }
  ctx.signal.throwIfAborted()
  const created = new Date((source?.time ?? 0) * 1000).toISOString()
  const config = configOf(base, step, layer, created)
  const pushed = await pushImage(registry, { repository: step.repository, tag, base, layer, config }, ctx.say)
  await rm(file, { force: true })
  return pushed
}

export async function registryToken({
  client,
  work,
  index,
  signal,
  onAnswer,
}: StepContext): Promise<{ token: string; seconds: number }> {
  const { jobId, attempt } = work
  const answer = await client.call('registryToken', { params: { jobId, step: index }, query: { attempt } }, { signal })
  onAnswer(answer)
  return answer
}

function scopes(repository: string, bases: readonly string[]): string {
  const from = new Set(bases.map((base) => base.split(/[:@]/)[0] ?? ''))
  from.delete(repository)
  return [`repository:${repository}:pull,push`, ...[...from].map((base) => `repository:${base}:pull`)].join(' ')
}

/** A step's tag with the build's values and outputs filled in. */
export const tagOfStep = (
  { step, outputs, work }: Pick<StepContext<Image>, 'outputs' | 'work'> & { step: { tag: string } },
  source: CheckedOut | undefined,
): string =>
  tagOf(filled(step.tag, outputs), {
    number: String(work.number),
    commit: source?.commit ?? work.repository?.commit ?? '',
    branch: work.repository?.tag || (work.repository?.branch ?? ''),
  })

/** Branches may contain characters that tags may not: each of these becomes a dash. */
export function tagOf(template: string, values: { number: string; commit: string; branch: string }): string {
  const filled = template.replaceAll(/\$\{(number|commit|branch)\}/g, (_, name: keyof typeof values) =>
    values[name].replaceAll(/[^A-Za-z0-9_.-]/g, '-'),
  )
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(filled)) throw new StepFailure('agents-tag-invalid', { tag: filled })
  return filled
}

/** The base's configuration with the step's settings on top, as in a Dockerfile: an entrypoint drops the command. */
export function configOf(base: Base, step: Image, layer: Layer | undefined, created: string): ImageConfig {
  const before = base.config.config ?? {}
  const environment = new Map((before.Env ?? []).map((line) => [line.split('=')[0] ?? '', line]))
  for (const { name, value } of step.environment) environment.set(name, `${name}=${value}`)
  const ports = Object.fromEntries(step.ports.map((port) => [`${port}/tcp`, {}]))
  const Entrypoint = step.entrypoint.length > 0 ? step.entrypoint : before.Entrypoint
  const Cmd = step.command.length > 0 ? step.command : step.entrypoint.length > 0 ? undefined : before.Cmd
  const { Entrypoint: _e, Cmd: _c, ...kept } = before
  return {
    ...base.config,
    created,
    config: {
      ...kept,
      ...(environment.size > 0 ? { Env: [...environment.values()] } : {}),
      ...(Entrypoint ? { Entrypoint } : {}),
      ...(Cmd ? { Cmd } : {}),
      ...(step.workingDirectory === '' ? {} : { WorkingDir: step.workingDirectory }),
      ...(step.user === '' ? {} : { User: step.user }),
      ...(step.ports.length > 0 ? { ExposedPorts: { ...before.ExposedPorts, ...ports } } : {}),
    },
    rootfs: {
      type: 'layers',
      diff_ids: [...base.config.rootfs.diff_ids, ...(layer === undefined ? [] : [layer.diffId])],
    },
    history: [
      ...(base.config.history ?? []),
      { created, created_by: `gantry: ${step.name}`, ...(layer === undefined ? { empty_layer: true } : {}) },
    ],
  }
}
