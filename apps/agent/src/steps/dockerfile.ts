import { chownSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fromOf, parseDockerfile } from '@gantry/contract/dockerfiles/parse'
import type { ImageStep } from '@gantry/contract/pipelines/steps/image'
import type { z } from 'zod'
import { openFile, readOpened } from '../files.ts'
import { engineScript, exits, resultOf } from '../image/engine.ts'
import { fetchLayout, pushLayout } from '../image/layout.ts'
import type { Pushed } from '../image/registry-push.ts'
import type { Registry } from '../image/registry.ts'
import { filled } from '../outputs.ts'
import { reason, StepFailure } from '../reasons.ts'
import { workOf } from '../workspace/workspace.ts'
import { endedOtherwise, runCommand } from './script.ts'
import type { StepContext, StepResult } from './step.ts'

export type Image = z.output<typeof ImageStep>

/** The context of an image step, with the tag that the build gives its image. */
export interface ImageContext extends StepContext<Image> {
  tag: string
}

const maxBytes = 1024 * 1024

/** The text of the Dockerfile: the team's, which came with the job, or a file of the workspace. */
export async function dockerfileText({ step, work, room }: StepContext<Image>): Promise<string> {
  const given = step.dockerfile
  if (given === undefined) throw new StepFailure('agents-dockerfile-unknown')
  if ('id' in given) {
    const kept = work.dockerfiles.find(({ id }) => id === given.id)
    if (kept === undefined) throw new StepFailure('agents-dockerfile-unknown')
    return kept.content
  }
  const file = await openFile(workOf(room), given.path).catch((cause: unknown) => {
    throw cause instanceof StepFailure ? cause : new StepFailure('agents-dockerfile-missing', { path: given.path })
  })
  const parts: Buffer[] = []
  for await (const part of readOpened(file, maxBytes)) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** A place where a Dockerfile names an image of the step's own registry. */
interface BaseImage {
  at: number
  written: string
  /** The name within the registry. */
  image: string
}

/** The images of the registry that a Dockerfile builds on or copies from, with its arguments filled in. */
export function imagesOfHost(text: string, host: string, given: ReadonlyMap<string, string>): BaseImage[] {
  const starts = lineStarts(text)
  const values = new Map<string, string>()
  const stages = new Set<string>()
  const uses: BaseImage[] = []
  for (const one of parseDockerfile(text)) {
    const { name, line, rest, flags } = one
    if (name === 'ARG' && stages.size === 0)
      for (const [, key = '', value = ''] of rest.matchAll(/([A-Za-z_]\w*)(?:=("[^"]*"|'[^']*'|\S*))?/g))
        values.set(key, given.get(key) ?? value.replaceAll(/^["']|["']$/g, ''))
    const written = name === 'FROM' ? fromOf(one)?.image : name === 'COPY' ? flags.get('from') : undefined
    if (name === 'FROM') stages.add(fromOf(one)?.as ?? String(stages.size))
    if (written === undefined) continue
    const image = withValues(written, values)
    const at = text.indexOf(written, starts[line - 1] ?? 0)
    if (image.startsWith(`${host}/`) && at >= 0) uses.push({ at, written, image: image.slice(host.length + 1) })
  }
  return uses
}

const withValues = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(
    /\$(?:(\w+)|\{(\w+)(?::-([^}]*))?\})/g,
    (_, plain?: string, braced?: string, otherwise?: string) => values.get(plain ?? braced ?? '') || (otherwise ?? ''),
  )

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The text with local names instead of the registry's images. */
export function withLocalNames(text: string, uses: readonly BaseImage[], nameOf: (image: string) => string): string {
  let made = text
  for (const { at, written, image } of uses.toSorted((a, b) => b.at - a.at))
    made = made.slice(0, at) + nameOf(image) + made.slice(at + written.length)
  return made
}

/**
 * Builds an image from a Dockerfile with this machine's engine. It runs like a user's script: isolated, stopped and
 * adopted like one. The agent itself fetches the base images from the registry and pushes the result, so that no
 * command of the build sees a password.
 */
export async function buildByDockerfile(
  ctx: ImageContext,
  text: string,
  registry: Registry,
): Promise<Pushed | StepResult> {
  const { step, room, index } = ctx
  const args = step.arguments.map(({ name, value }) => ({ name, value: filled(value, ctx.outputs) }))
  const uses = imagesOfHost(text, registry.host, new Map(args.map(({ name, value }) => [name, value])))
  const images = [...new Set(uses.map(({ image }) => image))]
  const nameOf = (image: string): string => `localhost/gantry-base-${images.indexOf(image)}:latest`
  const files = join(room.dir, 'fs/steps', String(index))
  for (const [at, image] of images.entries()) {
    const dir = join(files, `base-${at}`)
    rmSync(dir, { recursive: true, force: true })
    const digest = await fetchLayout(registry, image, dir)
    // the step's own user may read it, but not change it
    if (room.slot.uid !== undefined) shareWith(room.slot.uid, dir)
    ctx.say(`${nameOf(image)} is ${registry.host}/${image} (${digest})`)
  }
  const pathOf = (file: string): string => ctx.executor.pathOf(room, index, file)
  const ended = await runCommand(ctx, {
    shell: 'sh',
    asRoot: true,
    files: { dockerfile: withLocalNames(text, uses, nameOf) },
    environment: [],
    script: engineScript(
      {
        context: step.context,
        dockerfile: pathOf('dockerfile'),
        bases: images.map((image, at) => ({ name: nameOf(image), layout: pathOf(`base-${at}`) })),
        arguments: args,
        target: step.target,
      },
      index,
    ),
  })
  if (ended.how !== 'exit') return endedOtherwise(ctx, ended)
  const { code } = ended
  if (code === exits.engineMissing) throw new StepFailure('agents-engine-missing')
  if (code === exits.contextMissing) throw new StepFailure('agents-context-missing', { path: step.context })
  if (code !== 0) return { state: 'failed', exitCode: code, reason: reason('agents-image-failed', { code }) }
  return pushLayout(
    registry,
    { repository: step.repository, tag: ctx.tag, root: join(room.dir, 'fs/home'), dir: resultOf(index) },
    ctx.say,
  )
}

function shareWith(uid: number, path: string): void {
  chownSync(path, 0, uid)
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) shareWith(uid, join(path, name))
}
