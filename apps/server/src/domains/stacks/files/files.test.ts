import { audit } from '@gantry/contract/audit/audit'
import { containers } from '@gantry/contract/stacks/containers/containers'
import { containerFiles } from '@gantry/contract/stacks/containers/files'
import { describe, expect, test } from 'vitest'
import { runningContainer } from '../../../../test/running-container.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'

const place = await sandboxApp()
const running = await runningContainer(place)
const { team, envId, podId } = running
const [{ name } = { name: '' }] = await running.containers()
const params = { teamId: team.id, envId, podId, name }
const { leader } = team

async function put(path: string, payload: Buffer, query: Record<string, string>): Promise<{ size: number }> {
  const url = `/orchestration/api/${team.id}/env/${envId}/pod/${podId}/container/${name}/files/content?${new URLSearchParams({ path, ...query })}`
  const answer = await leader.raw({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/octet-stream' },
  })
  const reply = answer.json<{ status: number; data: { size: number }; message: string }>()
  if (reply.status === 0)
    throw Object.assign(new Error(reply.message), { status: answer.statusCode, key: reply.message })
  return reply.data
}
const upload = (path: string, bytes: Buffer, query: { overwrite?: 'true' } = {}) => put(path, bytes, query)
const download = async (path: string) => {
  const answer = await leader.request(containerFiles.download, { params, query: { path } })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}
const list = async (path: string) =>
  (await leader.call(containerFiles.list, { params, query: { path, pageSize: -1 } })).items

describe('files of a container', () => {
  test('are uploaded whole, listed and downloaded unchanged', async () => {
    const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, n) => (n * 7) % 256))
    expect(await upload('/tmp/data.bin', bytes)).toEqual({ size: bytes.length })
    expect(await list('/tmp')).toMatchObject([
      { name: 'data.bin', kind: 'file', size: bytes.length, mode: 'rw-r--r--' },
    ])
    const got = await download('/tmp/data.bin')
    expect(got.headers['content-length']).toBe(String(bytes.length))
    expect(got.bytes.equals(bytes)).toBe(true)
    await expect(upload('/tmp/data.bin', bytes)).rejects.toMatchObject({ status: 409, key: 'container-file-exists' })
    expect(await upload('/tmp/data.bin', Buffer.from('x'), { overwrite: 'true' })).toEqual({ size: 1 })
    const { items } = await place.app.admin.call(audit.search, { query: { msg: '/tmp/data.bin' } })
    expect(new Set(items.map(({ apiValue }) => apiValue))).toEqual(
      new Set(['container.upload-file', 'container.download-file']),
    )
  })

  test('folders come first, and are downloaded as an archive', async () => {
    const [first] = await list('/')
    expect(first?.kind).toBe('folder')
    const got = await download('/etc')
    expect(got.headers['content-type']).toContain('application/x-tar')
    expect(got.bytes.toString('latin1')).toContain('./hostname')
  })

  test('can be edited as texts, and an edit of an outdated version is refused', async () => {
    const at = { params, query: { path: '/tmp/app.conf' } }
    const made = await leader.call(containerFiles.write, { ...at, body: { text: 'a=1\n', revision: '' } })
    expect(await leader.call(containerFiles.read, at)).toEqual({ text: 'a=1\n', revision: made.revision })
    await leader.call(containerFiles.write, { ...at, body: { text: 'a=2\n', revision: made.revision } })
    await expect(
      leader.call(containerFiles.write, { ...at, body: { text: 'a=3\n', revision: made.revision } }),
    ).rejects.toMatchObject({ status: 409, key: 'container-file-changed' })
    expect((await leader.call(containerFiles.read, at)).text).toBe('a=2\n')
    expect((await list('/tmp')).filter((one) => one.name.endsWith('.part'))).toEqual([])
  })

  test('that are binary or too long can only be downloaded', async () => {
    await upload('/tmp/zeros', Buffer.alloc(10))
    await upload('/tmp/long', Buffer.alloc(1024 * 1024 + 1, 'a'))
    const read = (path: string) => leader.call(containerFiles.read, { params, query: { path } })
    await expect(read('/tmp/zeros')).rejects.toMatchObject({ status: 415, key: 'container-file-not-text' })
    await expect(read('/tmp/long')).rejects.toMatchObject({ status: 413, key: 'file-too-large-to-edit' })
  })

  test.for(['relative', '/a/../etc', '/a//b', '/a/', '/a\nb', '/./a'])('the path %j is refused', async (path) => {
    await expect(leader.call(containerFiles.list, { params, query: { path } })).rejects.toMatchObject({ status: 400 })
  })

  test('a file that cannot be read or written is refused with the reason', async () => {
    const read = (path: string) => leader.call(containerFiles.read, { params, query: { path } })
    await expect(read('/none')).rejects.toMatchObject({ status: 404, key: 'container-path-missing' })
    await expect(read('/etc')).rejects.toMatchObject({ status: 400, key: 'container-path-folder' })
    await expect(read('/dev/zero')).rejects.toMatchObject({ status: 400, key: 'container-path-special' })
    await expect(list('/etc/passwd')).rejects.toMatchObject({ status: 400, key: 'container-path-not-folder' })
    await expect(upload('/none/a', Buffer.from('a'))).rejects.toMatchObject({ key: 'container-path-missing' })
    await expect(upload('/tmp', Buffer.from('a'))).rejects.toMatchObject({ key: 'container-path-folder' })
    await expect(upload('/dev/zero', Buffer.from('a'))).rejects.toMatchObject({ key: 'container-path-special' })
  })

  test('a full disk leaves nothing of an upload and keeps the existing file', async () => {
    await upload('/tmp/kept', Buffer.from('before'))
    await expect(upload('/tmp/kept', Buffer.alloc(17 * 1024 * 1024), { overwrite: 'true' })).rejects.toMatchObject({
      status: 507,
      key: 'container-disk-full',
    })
    expect((await download('/tmp/kept')).bytes.toString()).toBe('before')
    expect((await list('/tmp')).filter((one) => one.name.endsWith('.part'))).toEqual([])
  })

  test('need the permission and are limited to pods of the own team', async () => {
    const viewer = await team.member(['stack_file_view'])
    const other = await place.app.team()
    expect((await viewer.call(containerFiles.list, { params })).items.length).toBeGreaterThan(3)
    await expect(
      viewer.call(containerFiles.write, { params, query: { path: '/tmp/a' }, body: { text: '', revision: '' } }),
    ).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('“Upload and edit the files of containers”'),
    })
    await expect(
      (await team.member(['stack_container_view'])).call(containerFiles.list, { params }),
    ).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('“Browse and download the files of containers”'),
    })
    await expect(
      other.leader.call(containerFiles.list, { params: { ...params, teamId: other.id } }),
    ).rejects.toMatchObject({ status: 404 })
  })
})

describe('an image without the needed programs', () => {
  test('is reported with the missing program, and a debug container beside it has a shell', async () => {
    const bare = await runningContainer(place, { environment: [{ name: 'SANDBOX_BARE', value: '1' }] })
    const [{ name: own } = { name: '' }] = await bare.containers()
    const at = { teamId: bare.team.id, envId: bare.envId, podId: bare.podId }
    await expect(bare.team.leader.call(containerFiles.list, { params: { ...at, name: own } })).rejects.toMatchObject({
      status: 409,
      key: 'container-program-missing',
      message: expect.stringContaining('debug'),
    })
    const start = () =>
      bare.team.leader.call(containers.debug, { params: { teamId: at.teamId, envId: at.envId, id: at.podId } })
    const { container } = await start()
    expect(await start()).toEqual({ container })
    expect((await bare.containers()).map(({ name, role }) => [name, role])).toEqual([
      [own, 'main'],
      [container, 'debug'],
    ])
    expect(
      (await bare.team.leader.call(containerFiles.list, { params: { ...at, name: container } })).items.length,
    ).toBeGreaterThan(3)
    await bare.team.leader.call(containers.execute, {
      params: { teamId: at.teamId, envId: at.envId, id: at.podId },
      query: { container },
    })
  })
})
