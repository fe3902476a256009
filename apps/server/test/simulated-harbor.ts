import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { harborAdmin, harborPurpose } from '@gantry/contract/harbor/sandbox'
import type { HarborAccess } from '../src/adapters/harbor/session.ts'
import { startSandbox } from './sandbox.ts'

const digestOf = (content: string): string => `sha256:${createHash('sha256').update(content).digest('hex')}`
const imageType = 'application/vnd.oci.image.manifest.v1+json'

/** The sandbox's Harbor in a process of its own, and functions to push images. */
export async function simulatedHarbor() {
  const sandbox = await startSandbox()
  return { ...harborOf(sandbox), sandbox, stop: sandbox.stop }
}

/** The Harbor of a running sandbox. */
export function harborOf(sandbox: { registry: string; registryKey: string }) {
  const key = readFileSync(sandbox.registryKey, 'utf8').trim()
  const url = `http://${sandbox.registry}`
  const password = createHmac('sha256', key).update(harborPurpose).digest('base64url')
  const access: HarborAccess = { url, username: harborAdmin, password }
  const authorization = `Basic ${Buffer.from(`${harborAdmin}:${password}`).toString('base64')}`

  async function sent(method: string, path: string, body?: string, type = 'application/octet-stream') {
    const answer = await fetch(new URL(path, url), {
      method,
      headers: { authorization, 'content-type': type },
      ...(body === undefined ? {} : { body }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }

  async function blob(repository: string, content: string) {
    const digest = digestOf(content)
    await sent('POST', `/v2/${repository}/blobs/uploads/?digest=${digest}`, content)
    return { digest, size: Buffer.byteLength(content) }
  }

  /** Pushes an image with this content; returns its digest. */
  async function push(repository: string, tag: string, content = `${repository}:${tag}`): Promise<string> {
    const history = [
      { created: '2026-11-01T10:00:00Z', created_by: 'COPY app /app' },
      { created: '2026-11-01T10:00:01Z', created_by: 'ENTRYPOINT ["/app"]', empty_layer: true },
    ]
    const config = JSON.stringify({ architecture: 'amd64', os: 'linux', config: {}, rootfs: {}, history, content })
    const manifest = JSON.stringify({
      schemaVersion: 2,
      mediaType: imageType,
      config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...(await blob(repository, config)) },
      layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', ...(await blob(repository, content)) }],
    })
    await sent('PUT', `/v2/${repository}/manifests/${tag}`, manifest, imageType)
    return digestOf(manifest)
  }

  return { url, access, push }
}
