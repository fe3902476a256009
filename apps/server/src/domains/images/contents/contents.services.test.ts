import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { contents } from '@gantry/contract/images/contents'
import { repoIdOf, tagIdOf } from '@gantry/contract/images/keys'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labService } from '../../../../test/lab.ts'
import { pushImage } from '../../../../test/push-image.ts'
import { runs } from '../../../../test/registry-uses.ts'
import { testApp } from '../../../../test/test-app.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'
import { createRegistry } from '../../../adapters/registry/registry.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { insertRegistry } from '../registries.store.ts'

const lab = labService('registry')

describe.skipIf(lab === undefined)('the contents of a real registry (needs the lab’s registry)', async () => {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const registry = createRegistry(outbound)
  const access = {
    url: lab?.['REGISTRY_URL'] ?? '',
    username: lab?.['REGISTRY_USER'],
    password: lab?.['REGISTRY_PASSWORD'],
  }
  const host = lab?.['REGISTRY_HOST'] ?? ''
  /** Runs before an image is removed, and delays the removal. */
  let beforeRemoval: () => Promise<void> = () => Promise.resolve()
  const remove: typeof registry.remove = async (...input) => {
    await beforeRemoval()
    return registry.remove(...input)
  }
  const app = await testApp({ ports: { registry: { ...registry, remove } } })
  const team = await app.team()
  const root = `contents/${randomBytes(6).toString('hex')}`
  let registryId = 0
  beforeAll(async () => {
    const stored = {
      name: 'lab',
      url: access.url,
      username: access.username ?? '',
      password: seal(app.ctx(), access.password ?? ''),
    }
    registryId = (await insertRegistry(app.db, { ...stored, teamId: team.id, sandbox: false })) ?? 0
  })
  afterAll(() => outbound.close())

  /** Pushes an image of this name under the tags; returns its digest. */
  const push = (repository: string, name: string, tags: readonly string[]): Promise<string> =>
    pushImage(registry, access, repository, {
      tags,
      layer: Buffer.from(`layer of ${name}`),
      config: { architecture: 'amd64', created: '2020-01-02T03:04:05Z', history: [{ created_by: `COPY ${name} /` }] },
    })
  const there = async (repository: string) => (await registry.tags(access, repository, { limit: 1000 })).names.sort()
  const paramsOf = (repository: string, tag: string) => {
    const key = { registryId, repository, tag }
    return { repoId: repoIdOf(key), tagId: tagIdOf(key) }
  }

  test('repositories and tags are read from the registry, and an image shows what created its layers', async () => {
    const digest = await push(`${root}/web`, 'web', ['1.9', '1.10'])
    await push(`${root}/db`, 'db', ['1'])
    const repos = await team.leader.call(contents.repositories, {
      params: { id: registryId },
      query: { keyword: root },
    })
    expect(repos.items.map(({ name }) => name)).toEqual([`${root}/db`, `${root}/web`])
    const tags = await team.leader.call(contents.tags, { params: { id: registryId }, query: { repo: `${root}/web` } })
    expect(tags.items).toMatchObject([
      { tag: '1.10', digest, size: 12, platforms: ['linux/amd64'], createdAt: '2020-01-02T03:04:05.000Z', layers: 1 },
      { tag: '1.9', digest },
    ])
    const image = await team.leader.call(contents.image, { params: paramsOf(`${root}/web`, '1.9') })
    expect(image).toMatchObject({
      image: `${host}/${root}/web:1.9@${digest}`,
      layers: [{ createdBy: 'COPY web /', size: 12 }],
    })
    const none = await team.leader.call(contents.tags, { params: { id: registryId }, query: { repo: `${root}/none` } })
    expect(none).toMatchObject({ items: [], problem: { key: 'registry-image-unknown' } })
  })

  test('of many tags exactly the confirmed ones are deleted, while others are pushed', async () => {
    const repository = `${root}/many`
    const digests = new Map<string, string>()
    for (let at = 0; at < 60; at++) {
      const tags = at % 3 === 0 ? [`t${at}`, `t${at}-also`] : [`t${at}`]
      const digest = await push(repository, `image ${at}`, tags)
      for (const tag of tags) digests.set(tag, digest)
    }
    await push(`${root}/beside`, 'image 0', ['t0'])
    const wanted = [...digests].slice(0, 60).map(([tag, digest]) => ({ tag, digest }))
    await runs(app, team.id, { web: { image: `${host}/${repository}:t1`, digest: digests.get('t1') ?? '' } })
    const { repoId } = paramsOf(repository, 'x')
    const input = { params: { repoId }, body: { tags: wanted } }
    const plan = await team.leader.call(contents.check, input)
    expect(await there(repository)).toHaveLength(digests.size)

    // Pushes new tags during the run, and other images under tags to be deleted. The latter while the first removals
    // wait: a registry looks up an image's tags and removes them one by one, so it loses one that is pushed at that
    // very moment.
    const pushed = Array.from({ length: 15 }, (_, at) => `t${at * 2 + 14}`)
    const pushing = (async () => {
      for (let at = 0; at < 15; at++) await push(repository, `new ${at}`, [`new-${at}`])
    })()
    let pushingAgain: Promise<void> | undefined
    beforeRemoval = () =>
      (pushingAgain ??= (async () => {
        for (const [at, tag] of pushed.entries()) await push(repository, `pushed ${at}`, [tag])
      })())
    const done = await team.leader.call(contents.removeTags, input)
    await pushing
    expect(plan.filter(({ done }) => !done)).toMatchObject([{ tag: 't1', problem: { key: 'images-tag-used' } }])
    const stays = new Set(done.filter((one) => !one.done).map(({ tag }) => tag))
    const left = await there(repository)
    for (const [at, tag] of pushed.entries()) expect(left).toEqual(expect.arrayContaining([`new-${at}`, tag]))
    for (const { tag } of wanted)
      if (!pushed.includes(tag)) expect([tag, left.includes(tag)]).toEqual([tag, stays.has(tag)])
    for (const tag of [...digests.keys()].slice(60)) expect(left).toContain(tag)
    expect(left).toContain('t1')
    expect(await there(`${root}/beside`)).toEqual(['t0'])
  })

  test('the keyword is not sent to the registry', async () => {
    const found = await team.leader.call(contents.repositories, {
      params: { id: registryId },
      query: { keyword: 'x&q=password=~a' },
    })
    expect(found).toMatchObject({ items: [], problem: null })
  })

  test('a registry that does not answer is reported after one call, which its time limit ends', async () => {
    let calls = 0
    const silent = createServer(() => void (calls += 1))
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    const id = await insertRegistry(app.db, {
      name: 'silent',
      url: `http://127.0.0.1:${port}`,
      username: '',
      password: null,
      teamId: team.id,
      sandbox: false,
    })
    const { registries, items } = await team.leader.call(contents.external, {
      params: { teamId: team.id },
      query: { keyword: root },
    })
    expect(calls).toBe(1)
    expect(items.length).toBeGreaterThan(0)
    expect(registries.find((one) => one.id === id)?.problem?.key).toBe('outbound-timeout')
    silent.close()
  })
})
