import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageStep } from '@gantry/contract/pipelines/definition'
import type { z } from 'zod'
import { humanSize } from '../files.ts'
import { readBase, scratch, type Base, type ImageConfig } from '../image/base.ts'
import { layerEntries, writeLayer, type Layer } from '../image/layers.ts'
import { pushImage } from '../image/registry-push.ts'
import { registry as openRegistry } from '../image/registry.ts'
import { filled } from '../outputs.ts'
import { StepFailure } from '../reasons.ts'
import { checkedOut, workOf } from '../workspace.ts'
import { success, type StepContext, type StepResult } from './step.ts'

type Image = z.output<typeof ImageStep>

/** Lays files of the workspace on a base image and pushes it: the method `layers`, which needs no engine. */
export async function runImage(ctx: StepContext<Image>): Promise<StepResult> {
  const { step, work, room } = ctx
  const access = work.registries.find(({ id }) => id === step.registryId)
  if (access === undefined) throw new StepFailure('agents-registry-unknown')
  const source = await checkedOut(room)
  const tag = tagOf(filled(step.tag, ctx.outputs), {
    number: String(work.number),
    commit: source?.commit ?? work.repository?.commit ?? '',
    branch: work.repository?.tag || (work.repository?.branch ?? ''),
  })
  const baseName = step.base === 'scratch' ? undefined : step.base
  const registry = openRegistry({
    transport: ctx.outside(access.insecure),
    access,
    scope: scopes(step.repository, baseName),
    token: access.tokens ? () => registryToken(ctx) : undefined,
    signal: ctx.signal,
  })

  const base = baseName === undefined ? scratch : await readBase(registry, baseName)
  let layer: Layer | undefined
  const file = join(room.dir, 'steps', String(ctx.index), 'layer')
  if (step.copy.length > 0 || baseName === undefined) {
    const entries = await layerEntries(workOf(room), step.copy, ctx.say)
    layer = await writeLayer(workOf(room), entries, file, baseName === undefined)
    ctx.say(`Laid ${entries.length} files on ${step.base} (${humanSize(layer.size)} compressed)`)
  }
  ctx.signal.throwIfAborted()
  const created = new Date((source?.time ?? 0) * 1000).toISOString()
  const config = configOf(base, step, layer, created)
  const pushed = await pushImage(registry, { repository: step.repository, tag, base, layer, config }, ctx.say)
  await rm(file, { force: true })

  const image = `${registry.host}/${step.repository}`
  ctx.say(`Pushed ${image}:${tag}@${pushed.digest}`)
  ctx.report({ type: 'image', step: ctx.index, image, tag, registryId: step.registryId, ...pushed })
  return success
}

async function registryToken({
  client,
  work,
  index,
  signal,
  told,
}: StepContext): Promise<{ token: string; seconds: number }> {
  const { jobId, attempt } = work
  const answer = await client.call('registryToken', { params: { jobId, step: index }, query: { attempt } }, { signal })
  told(answer)
  return answer
}

function scopes(repository: string, base: string | undefined): string {
  const from = base?.split(/[:@]/)[0]
  const own = `repository:${repository}:pull,push`
  return from === undefined || from === repository ? own : `${own} repository:${from}:pull`
}

/** Branches hold characters that tags do not: each of those becomes a dash. */
export function tagOf(template: string, values: { number: string; commit: string; branch: string }): string {
  const filled = template.replaceAll(/\$\{(number|commit|branch)\}/g, (_, name: keyof typeof values) =>
    values[name].replaceAll(/[^A-Za-z0-9_.-]/g, '-'),
  )
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(filled)) throw new StepFailure('agents-tag-invalid', { tag: filled })
  return filled
}

/** The base's configuration with what the step says on top, as a Dockerfile would: a new entrypoint forgets the base's command. */
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
