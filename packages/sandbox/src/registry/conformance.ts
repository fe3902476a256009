/* oxlint-disable vitest/no-standalone-expect, vitest/expect-expect -- registryConformance makes a test of each case */
import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'

export interface RegistryAccess {
  url: string
  username: string
  password: string
}

interface RequestOptions {
  body?: Buffer | string
  headers?: Record<string, string>
  /** By default the right credentials are sent. */
  authorization?: string | undefined
}

interface CaseContext {
  call(method: string, path: string, ask?: RequestOptions): Promise<Response>
  /** A repository for this case only. */
  repository(): string
}

const digestOf = (content: Buffer | string): string => `sha256:${createHash('sha256').update(content).digest('hex')}`
const imageType = 'application/vnd.oci.image.manifest.v1+json'
const dockerType = 'application/vnd.docker.distribution.manifest.v2+json'
const indexType = 'application/vnd.oci.image.index.v1+json'

const blob = (): Buffer => randomBytes(2000)

/** Where an upload continues: Location may be a path or a whole address, and may contain a query. */
const place = (response: Response, query = ''): string => {
  const { pathname, search } = new URL(response.headers.get('location') ?? '', 'http://registry')
  return `${pathname}${search}${query === '' ? '' : `${search === '' ? '?' : '&'}${query}`}`
}

async function expectCode(response: Response, code: number): Promise<Response> {
  if (response.status !== code) throw new Error(`expected ${code}, got ${response.status}: ${await response.text()}`)
  return response
}

/** Expects an answer to be this refusal. */
async function expectRefusal(response: Response, status: number, code: string): Promise<void> {
  const body = (await response.json()) as { errors: { code: string; message: string }[] }
  expect([response.status, body.errors[0]?.code]).toEqual([status, code])
  expect(body.errors[0]?.message).toBeTypeOf('string')
}

async function push({ call }: CaseContext, repository: string, content: Buffer): Promise<string> {
  const digest = digestOf(content)
  const started = await expectCode(await call('POST', `/v2/${repository}/blobs/uploads/`), 202)
  const headers = { 'content-type': 'application/octet-stream' }
  await expectCode(await call('PUT', place(started, `digest=${digest}`), { body: content, headers }), 201)
  return digest
}

interface Pushed {
  repository: string
  text: string
  digest: string
  layer: Buffer
}

/** Pushes a small image under a tag. */
async function pushImage(
  trial: CaseContext,
  tag: string,
  type = imageType,
  repository = trial.repository(),
): Promise<Pushed> {
  const layer = blob()
  const config = Buffer.from(
    JSON.stringify({ architecture: 'amd64', os: 'linux', config: {}, rootfs: { type: 'layers', diff_ids: [] } }),
  )
  const [layerDigest, configDigest] = [await push(trial, repository, layer), await push(trial, repository, config)]
  const oci = type === imageType
  const text = JSON.stringify({
    schemaVersion: 2,
    mediaType: type,
    config: {
      mediaType: oci ? 'application/vnd.oci.image.config.v1+json' : 'application/vnd.docker.container.image.v1+json',
      digest: configDigest,
      size: config.length,
    },
    layers: [
      {
        mediaType: oci ? 'application/vnd.oci.image.layer.v1.tar' : 'application/vnd.docker.image.rootfs.diff.tar.gzip',
        digest: layerDigest,
        size: layer.length,
      },
    ],
  })
  const answer = await trial.call('PUT', `/v2/${repository}/manifests/${tag}`, {
    body: text,
    headers: { 'content-type': type },
  })
  await expectCode(answer, 201)
  return { repository, text, digest: digestOf(text), layer }
}

const blobs: Record<string, (trial: CaseContext) => Promise<void>> = {
  'says what it is, to those who may': async ({ call }) => {
    const answer = await expectCode(await call('GET', '/v2/'), 200)
    expect(answer.headers.get('docker-distribution-api-version')).toBe('registry/2.0')
    for (const authorization of [undefined, `Basic ${Buffer.from('admin:wrong').toString('base64')}`]) {
      const refused = await call('GET', '/v2/', { authorization })
      expect(refused.headers.get('www-authenticate')).toMatch(/^Basic realm="[^"]+"$/)
      await expectRefusal(refused, 401, 'UNAUTHORIZED')
    }
  },
  'takes a blob in one piece and gives it back, whole and in parts': async (trial) => {
    const repository = trial.repository()
    const content = blob()
    const digest = await push(trial, repository, content)
    const path = `/v2/${repository}/blobs/${digest}`
    const head = await expectCode(await trial.call('HEAD', path), 200)
    expect([head.headers.get('content-length'), head.headers.get('docker-content-digest')]).toEqual([
      String(content.length),
      digest,
    ])
    const whole = await expectCode(await trial.call('GET', path), 200)
    expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true)
    const part = await expectCode(await trial.call('GET', path, { headers: { range: 'bytes=10-19' } }), 206)
    expect(part.headers.get('content-range')).toBe(`bytes 10-19/${content.length}`)
    expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(10, 20))).toBe(true)
    const rest = await expectCode(
      await trial.call('GET', path, { headers: { range: `bytes=${content.length - 5}-` } }),
      206,
    )
    expect(Buffer.from(await rest.arrayBuffer()).equals(content.subarray(-5))).toBe(true)
    expect((await trial.call('GET', path, { headers: { range: `bytes=${content.length}-` } })).status).toBe(416)
  },
  'takes a blob in chunks, each where the last one ended': async (trial) => {
    const repository = trial.repository()
    const content = blob()
    const headers = { 'content-type': 'application/octet-stream' }
    const chunk = (from: number, to: number) => ({
      body: content.subarray(from, to),
      headers: { ...headers, 'content-range': `${from}-${to - 1}` },
    })
    const started = await expectCode(await trial.call('POST', `/v2/${repository}/blobs/uploads/`), 202)
    expect(started.headers.get('docker-upload-uuid')).toMatch(/^[0-9a-f-]{36}$/)
    const first = await expectCode(await trial.call('PATCH', place(started), chunk(0, 700)), 202)
    expect(first.headers.get('range')).toBe('0-699')
    const state = await expectCode(await trial.call('GET', place(first)), 204)
    expect(state.headers.get('range')).toBe('0-699')
    const second = await expectCode(await trial.call('PATCH', place(first), chunk(700, 1500)), 202)
    expect(second.headers.get('range')).toBe('0-1499')
    const digest = digestOf(content)
    const done = await expectCode(await trial.call('PUT', place(second, `digest=${digest}`), chunk(1500, 2000)), 201)
    expect(done.headers.get('docker-content-digest')).toBe(digest)
    const back = await expectCode(await trial.call('GET', `/v2/${repository}/blobs/${digest}`), 200)
    expect(Buffer.from(await back.arrayBuffer()).equals(content)).toBe(true)
  },
  'refuses what is not what its digest says': async (trial) => {
    const repository = trial.repository()
    const started = await expectCode(await trial.call('POST', `/v2/${repository}/blobs/uploads/`), 202)
    const wrong = digestOf('other')
    const headers = { 'content-type': 'application/octet-stream' }
    await expectRefusal(
      await trial.call('PUT', place(started, `digest=${wrong}`), { body: blob(), headers }),
      400,
      'DIGEST_INVALID',
    )
    expect((await trial.call('HEAD', `/v2/${repository}/blobs/${wrong}`)).status).toBe(404)
  },
  'lets an upload be given up': async (trial) => {
    const repository = trial.repository()
    const started = await expectCode(await trial.call('POST', `/v2/${repository}/blobs/uploads/`), 202)
    await expectCode(await trial.call('DELETE', place(started)), 204)
    await expectRefusal(await trial.call('GET', place(started)), 404, 'BLOB_UPLOAD_UNKNOWN')
  },
  'lends a blob to another repository': async (trial) => {
    const [from, to] = [trial.repository(), trial.repository()]
    const digest = await push(trial, from, blob())
    expect((await trial.call('HEAD', `/v2/${to}/blobs/${digest}`)).status).toBe(404)
    const mounted = await trial.call('POST', `/v2/${to}/blobs/uploads/?mount=${digest}&from=${from}`)
    expect([mounted.status, mounted.headers.get('docker-content-digest')]).toEqual([201, digest])
    await expectCode(await trial.call('HEAD', `/v2/${to}/blobs/${digest}`), 200)
    const missing = await trial.call('POST', `/v2/${to}/blobs/uploads/?mount=${digestOf('none')}&from=${from}`)
    expect(missing.status).toBe(202)
  },
  'deletes a blob': async (trial) => {
    const repository = trial.repository()
    const path = `/v2/${repository}/blobs/${await push(trial, repository, blob())}`
    await expectCode(await trial.call('DELETE', path), 202)
    await expectRefusal(await trial.call('GET', path), 404, 'BLOB_UNKNOWN')
  },
}

const manifests: Record<string, (trial: CaseContext) => Promise<void>> = {
  'gives an image by its tag and by its digest': async (trial) => {
    for (const type of [imageType, dockerType]) {
      const { repository, text, digest } = await pushImage(trial, '1.0', type)
      for (const reference of ['1.0', digest]) {
        const path = `/v2/${repository}/manifests/${reference}`
        for (const method of ['HEAD', 'GET']) {
          const answer = await expectCode(await trial.call(method, path, { headers: { accept: type } }), 200)
          expect([
            answer.headers.get('content-type'),
            answer.headers.get('docker-content-digest'),
            answer.headers.get('content-length'),
          ]).toEqual([type, digest, String(text.length)])
          expect(await answer.text()).toBe(method === 'GET' ? text : '')
        }
      }
    }
  },
  'moves a tag': async (trial) => {
    const first = await pushImage(trial, 'latest')
    const second = await pushImage(trial, 'latest', imageType, first.repository)
    const head = async (reference: string) =>
      (
        await trial.call('HEAD', `/v2/${first.repository}/manifests/${reference}`, { headers: { accept: imageType } })
      ).headers.get('docker-content-digest')
    expect([await head('latest'), await head(first.digest)]).toEqual([second.digest, first.digest])
  },
  'gives OCI types only to those who accept them': async (trial) => {
    const { repository } = await pushImage(trial, '1.0')
    const answer = await trial.call('GET', `/v2/${repository}/manifests/1.0`, { headers: { accept: dockerType } })
    await expectRefusal(answer, 404, 'MANIFEST_UNKNOWN')
    const among = await trial.call('GET', `/v2/${repository}/manifests/1.0`, {
      headers: { accept: `${dockerType}, ${imageType};q=0.5` },
    })
    expect(among.status).toBe(200)
  },
  'takes an index of images': async (trial) => {
    const { repository, text, digest } = await pushImage(trial, '1.0')
    const entry = { mediaType: imageType, digest, size: text.length, platform: { os: 'linux', architecture: 'amd64' } }
    const body = JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests: [entry] })
    const put = await trial.call('PUT', `/v2/${repository}/manifests/all`, {
      body,
      headers: { 'content-type': indexType },
    })
    expect((await expectCode(put, 201)).headers.get('docker-content-digest')).toBe(digestOf(body))
    const answer = await trial.call('GET', `/v2/${repository}/manifests/all`, { headers: { accept: indexType } })
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([indexType, body])
  },
  'refuses a manifest whose parts are missing, that is none, or that is another': async (trial) => {
    const { repository, text, digest } = await pushImage(trial, '1.0')
    const put = (reference: string, body: string, type = imageType) =>
      trial.call('PUT', `/v2/${repository}/manifests/${reference}`, { body, headers: { 'content-type': type } })
    const lacking = JSON.parse(text) as { layers: { digest: string }[] }
    for (const layer of lacking.layers) layer.digest = digestOf('none')
    await expectRefusal(await put('2.0', JSON.stringify(lacking)), 400, 'MANIFEST_BLOB_UNKNOWN')
    await expectRefusal(await put('2.0', '{'), 400, 'MANIFEST_INVALID')
    await expectRefusal(await put('2.0', text, 'text/plain'), 400, 'MANIFEST_INVALID')
    await expectRefusal(await put(digestOf('other'), text), 400, 'DIGEST_INVALID')
    expect((await put(digest, text)).status).toBe(201)
  },
  'deletes an image, and its tag names nothing then': async (trial) => {
    const { repository, digest } = await pushImage(trial, '1.0')
    await expectCode(await trial.call('DELETE', `/v2/${repository}/manifests/${digest}`), 202)
    for (const reference of [digest, '1.0'])
      await expectRefusal(
        await trial.call('GET', `/v2/${repository}/manifests/${reference}`, { headers: { accept: imageType } }),
        404,
        'MANIFEST_UNKNOWN',
      )
    await expectRefusal(await trial.call('DELETE', `/v2/${repository}/manifests/${digest}`), 404, 'MANIFEST_UNKNOWN')
  },
  'lists tags and repositories': async (trial) => {
    const { repository } = await pushImage(trial, '2.0')
    await pushImage(trial, '10.0', imageType, repository)
    await pushImage(trial, 'b', imageType, repository)
    const tags = await expectCode(await trial.call('GET', `/v2/${repository}/tags/list`), 200)
    const { name, tags: listed } = (await tags.json()) as { name: string; tags: string[] }
    expect([name, listed.toSorted()]).toEqual([repository, ['10.0', '2.0', 'b']])
    await expectRefusal(await trial.call('GET', `/v2/${repository}-none/tags/list`), 404, 'NAME_UNKNOWN')
    const found: string[] = []
    for (let path: string | undefined = '/v2/_catalog?n=2'; path !== undefined;) {
      const page: Response = await expectCode(await trial.call('GET', path), 200)
      found.push(...((await page.json()) as { repositories: string[] }).repositories)
      path = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
    }
    expect(found).toContain(repository)
    expect(found).toEqual([...new Set(found)].sort())
  },
  'refuses names that are none': async ({ call }) => {
    const capitals = await call('POST', '/v2/Team/App/blobs/uploads/')
    expect([capitals.status, await capitals.text()]).toEqual([404, '404 page not found\n'])
    await expectRefusal(await call('GET', '/v2/team/none/manifests/1.0'), 404, 'MANIFEST_UNKNOWN')
  },
}

/** Behaviour that the sandbox's registry and a real one must share. */
export function registryConformance(open: () => Promise<RegistryAccess>): void {
  let trial: CaseContext
  const mark = randomBytes(4).toString('hex')
  let count = 0
  beforeAll(async () => {
    const { url, username, password } = await open()
    const right = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    trial = {
      repository: () => `contract/r${mark}-${count++}`,
      call: (method, path, ask = {}) => {
        const authorization = 'authorization' in ask ? ask.authorization : right
        const headers = { ...ask.headers, ...(authorization === undefined ? {} : { authorization }) }
        const body = ask.body === undefined ? null : typeof ask.body === 'string' ? ask.body : new Uint8Array(ask.body)
        return fetch(`${url}${path}`, { method, headers, body })
      },
    }
  })
  for (const [title, attempt] of Object.entries({ ...blobs, ...manifests })) test(title, () => attempt(trial))
}
