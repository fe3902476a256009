import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CopyStep } from '@gantry/contract/pipelines/steps/image'
import { type Descriptor, readManifest, type StoredManifest, writeManifest } from '@gantry/oci/manifests'
import { parseImageName } from '@gantry/oci/names'
import { finishUpload, mountBlob, uploadBlob } from '@gantry/oci/uploads'
import type { z } from 'zod'
import { humanSize } from '../files.ts'
import { present, pushedBy, short } from '../image/registry-push.ts'
import { registry as openRegistry, type Registry } from '../image/registry.ts'
import { filled } from '../outputs.ts'
import type { Work } from '../protocol.ts'
import { StepFailure } from '../reasons.ts'
import { checkedOut } from '../workspace/workspace.ts'
import { registryToken, tagOfStep } from './image.ts'
import { success, type StepContext, type StepResult } from './step.ts'

type Ctx = StepContext<z.output<typeof CopyStep>>

/** The deepest nesting is an index of indexes. */
const deepest = 3
/** The most redirects of a blob, to where the registry stores it. */
const maxRedirects = 3

interface Copying {
  ctx: Ctx
  source: Registry
  target: Registry
  /** For the addresses to which the source redirects. */
  transport: ReturnType<Ctx['outside']>
  from: string
  to: string
  /** Sizes of all blobs so far, by digest. */
  sizes: Map<string, number>
}

/**
 * Copies an image with all its parts, through the agent or by the registry's own means. The tag is set last, when
 * everything is there; blobs that the target has are not sent.
 */
export async function runCopy(ctx: Ctx): Promise<StepResult> {
  const { step, work, outputs, signal } = ctx
  const text = filled(step.from, outputs)
  const name = parseImageName(text)
  if (name === undefined) throw new StepFailure('agents-copy-from', { image: text })
  const access = (id: number): Work['registries'][number] => {
    const found = work.registries.find((one) => one.id === id)
    if (found === undefined) throw new StepFailure('agents-registry-unknown')
    return found
  }
  const open = (id: number, scope: string): Registry => {
    const of = access(id)
    const token = of.tokens ? () => registryToken(ctx) : undefined
    return openRegistry({ transport: ctx.outside(of), access: of, scope, token, signal })
  }
  const from = name.repository
  const to = step.repository
  const pull = `repository:${from}:pull`
  const isOne = step.fromRegistryId === step.registryId
  const copying: Copying = {
    ctx,
    source: open(step.fromRegistryId, pull),
    target: open(step.registryId, `repository:${to}:pull,push${isOne && from !== to ? ` ${pull}` : ''}`),
    transport: ctx.outside(access(step.fromRegistryId)),
    from,
    to,
    sizes: new Map(),
  }
  const { source, target } = copying
  const tag = tagOfStep(ctx, await checkedOut(ctx.room))
  const top = await manifestOf(copying, name.digest ?? name.tag ?? 'latest')
  ctx.say(`Copying ${source.host}/${from}@${top.digest}`)
  await copyParts(copying, top, 1)
  pushedBy(target, to, await writeManifest(target.call, to, tag, top.text, top.mediaType))
  const image = `${target.host}/${to}`
  const size = [...copying.sizes.values()].reduce((sum, one) => sum + one, 0)
  ctx.say(`Copied to ${image}:${tag}@${top.digest} (${humanSize(size)})`)
  ctx.report({ type: 'image', step: ctx.index, image, tag, registryId: step.registryId, digest: top.digest, size })
  ctx.report({ type: 'output', step: ctx.index, values: { TAG: tag, DIGEST: top.digest } })
  return success
}

async function manifestOf({ source, from }: Copying, reference: string): Promise<StoredManifest> {
  const read = await readManifest(source.call, from, reference)
  if (read.ok) return read.value
  if (read.failure.kind === 'status' && read.failure.status === 404) {
    const image = `${from} ${reference}`
    throw new StepFailure('agents-copy-missing', { image, host: source.host })
  }
  throw source.failure(read.failure, { action: 'pull', repository: from })
}

/** Copies the parts of a manifest: its blobs, or its platforms' manifests with theirs. */
async function copyParts(copying: Copying, { manifest }: StoredManifest, depth: number): Promise<void> {
  const { ctx, target, to } = copying
  const blobs = [...(manifest.config ? [manifest.config] : []), ...(manifest.layers ?? [])]
  for (const blob of blobs) {
    ctx.signal.throwIfAborted()
    if (!copying.sizes.has(blob.digest)) await copyBlob(copying, blob)
    copying.sizes.set(blob.digest, blob.size)
  }
  for (const { digest, platform } of manifest.manifests ?? []) {
    if (depth >= deepest) throw new StepFailure('agents-registry-not-one', { host: copying.source.host })
    ctx.say(`Platform ${platform?.os ? `${String(platform.os)}/${String(platform.architecture)}` : short(digest)}`)
    const stored = await manifestOf(copying, digest)
    await copyParts(copying, stored, depth + 1)
    pushedBy(target, to, await writeManifest(target.call, to, digest, stored.text, stored.mediaType))
  }
}

async function copyBlob(copying: Copying, { digest, size }: Descriptor): Promise<void> {
  const { ctx, source, target, from, to } = copying
  const what = `layer ${short(digest)} (${humanSize(size)})`
  if (await present(target, to, digest)) return ctx.say(`There already: ${what}`)
  let location: string | undefined
  if (source.host === target.host && from !== to) {
    location = pushedBy(target, to, await mountBlob(target.call, to, digest, from))
    if (location === undefined) return ctx.say(`Taken over: ${what}`)
  }
  const file = join(ctx.room.dir, 'steps', String(ctx.index), 'blob')
  try {
    await download(copying, { digest, size }, file)
    const blob = { digest, size, open: () => createReadStream(file) }
    const sent =
      location === undefined ? await uploadBlob(target.call, to, blob) : await finishUpload(target.call, location, blob)
    pushedBy(target, to, sent)
    ctx.say(`Copied: ${what}`)
  } finally {
    await rm(file, { force: true })
  }
}

/** Downloads a blob and checks its digest, so that wrong bytes are never sent on. */
async function download(
  { ctx, source, transport, from }: Copying,
  { digest, size }: Descriptor,
  file: string,
): Promise<void> {
  const path = `/v2/${from}/blobs/${digest}`
  let answer = await source.open({ path })
  for (let hops = 0; [301, 302, 303, 307, 308].includes(answer.status) && hops < maxRedirects; hops++) {
    answer.body.destroy()
    const url = URL.parse(String(answer.headers['location'] ?? ''), new URL(path, `https://${source.host}`))
    if (url === null) break
    // without credentials, which are the registry's
    answer = await transport.ask({ method: 'GET', url: url.href, headers: {}, idleMs: 120_000, signal: ctx.signal })
  }
  const { status, body } = answer
  if (status !== 200) {
    body.destroy()
    throw source.failure({ kind: 'status', status, text: '' }, { action: 'pull', repository: from })
  }
  const hash = createHash('sha256')
  let bytes = 0
  const watched = new Transform({
    transform(part: Buffer, _, done) {
      hash.update(part)
      bytes += part.length
      done(bytes > size ? source.failure({ kind: 'digest' }, { action: 'pull', repository: from }) : null, part)
    },
  })
  await pipeline(body, watched, createWriteStream(file, { mode: 0o600 }), { signal: ctx.signal })
  if (`sha256:${hash.digest('hex')}` !== digest)
    throw source.failure({ kind: 'digest' }, { action: 'pull', repository: from })
}
