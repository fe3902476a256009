import { contents } from '@gantry/contract/images/contents'
import { repoIdOf, tagIdOf } from '@gantry/contract/images/keys'
import { expect, test } from 'vitest'
import { digestNamed, memoryRegistry } from '../../../../test/memory-registry.ts'
import { addRegistry, runs } from '../../../../test/registry-uses.ts'
import { testApp } from '../../../../test/test-app.ts'
import { Fault } from '../../../kernel/fault.ts'
import { assignRegistry } from '../platform.store.ts'

const memory = memoryRegistry()
const app = await testApp({ ports: { registry: memory.registry } })
const team = await app.team()
const other = await app.team()
const host = 'registry.example.test'
const registryId = await addRegistry(app, null, 'shared', `https://${host}`)
for (const { id } of [team, other]) await assignRegistry(app.db, registryId, id)
let made = 0

/** A repository of its own, and functions for its tags. */
function inRepository(by = team.leader) {
  const repository = `deleted/app-${++made}`
  const params = (tag: string) => {
    const key = { registryId, repository, tag }
    return { repoId: repoIdOf(key), tagId: tagIdOf(key) }
  }
  const body = (tags: { tag: string; digest: string }[]) => ({ params: params('x'), body: { tags } })
  return {
    repository,
    image: `${host}/${repository}`,
    push: (name: string, tags: string[], parts?: string[]) =>
      memory.push(repository, `${repository} ${name}`, tags, parts ? { parts } : {}),
    named: (name: string) => digestNamed(`${repository} ${name}`),
    there: () => memory.tagsOf(repository),
    remove: (tag: string, digest: string, tags?: string) =>
      by.call(contents.removeTag, { params: params(tag), query: { digest, ...(tags && { tags }) } }),
    removeInTeam: (tag: string, digest: string) =>
      team.leader.call(contents.removeTeamTag, {
        params: { teamId: team.id, tagId: params(tag).tagId },
        query: { digest },
      }),
    check: (...tags: { tag: string; digest: string }[]) => by.call(contents.check, body(tags)),
    removeMany: (...tags: { tag: string; digest: string }[]) => by.call(contents.removeTags, body(tags)),
  }
}

test('an image is deleted by its digest with all confirmed tags, and nothing else is deleted', async () => {
  const { push, remove, removeInTeam, there } = inRepository()
  const one = push('one', ['1', '1.0', 'latest'])
  const two = push('two', ['2'])
  push('three', ['3'])
  const refusal = remove('1', one, '1.0')
  await expect(refusal).rejects.toMatchObject({ status: 409, key: 'images-tag-together' })
  await expect(refusal).rejects.toThrow('latest')
  expect(there()).toHaveLength(5)
  expect(await remove('1', one, '1.0,latest')).toEqual({ tags: ['1', '1.0', 'latest'] })
  expect(await removeInTeam('2', two)).toEqual({ tags: ['2'] })
  expect(there()).toEqual(['3'])
  await expect(remove('1', one)).rejects.toMatchObject({ status: 404, key: 'images-tag-gone' })
})

test('a tag that was pushed again since it was confirmed is kept', async () => {
  const { push, remove, there } = inRepository()
  const old = push('old', ['1'])
  push('new', ['1'])
  await expect(remove('1', old)).rejects.toMatchObject({ status: 409, key: 'images-tag-changed' })
  expect(there()).toEqual(['1'])
})

test('an image that a Helm release runs or could roll back to is kept, and lists show this', async () => {
  const { repository, image, push, named, remove } = inRepository()
  for (const tag of ['1', '2', '3']) push(tag, [tag])
  await runs(app, team.id, {}, { shop: { runs: `${image}:2`, back: `${image}:1` } })
  await runs(app, other.id, {}, { hidden: { runs: `${image}:2` } })
  const refusal = remove('2', named('2'))
  await expect(refusal).rejects.toMatchObject({ status: 409, key: 'images-tag-used-and-by-others' })
  await expect(refusal).rejects.toThrow(/\/shop/)
  await expect(remove('1', named('1'))).rejects.toMatchObject({ status: 409, key: 'images-tag-used' })
  await remove('3', named('3'))
  const { items } = await team.leader.call(contents.tags, { params: { id: registryId }, query: { repo: repository } })
  expect(items.map(({ tag, uses: { running, back, others } }) => [tag, running, back, others])).toEqual([
    ['2', 1, 0, 1],
    ['1', 0, 1, 0],
  ])
  const key = { registryId, repository, tag: '2' }
  const params = { repoId: repoIdOf(key), tagId: tagIdOf(key) }
  const { uses } = await team.leader.call(contents.image, { params })
  expect(uses.services).toMatchObject([{ type: 'helm', serviceName: 'shop' }])
})

test('a push while an image is being deleted is not lost', async () => {
  const { repository, push, remove, named, there } = inRepository()
  const digest = push('one', ['1', '2'])
  // pushed between the reading of all tags and the last check of these
  const { manifest } = memory.registry
  let reads = 0
  memory.registry.manifest = async (access, name, reference, options) => {
    const found = await manifest(access, name, reference, options)
    if (++reads === 2) memory.push(repository, `${repository} newer`, ['2'])
    return found
  }
  await expect(remove('1', digest, '2')).rejects.toMatchObject({ status: 409, key: 'images-tag-changed' })
  memory.registry.manifest = manifest
  expect(there()).toEqual(['1', '2'])

  // a new tag of the same image
  reads = 0
  push('one', ['1'])
  memory.registry.manifest = async (access, name, reference, options) => {
    const found = await manifest(access, name, reference, options)
    if (++reads === 2) push('one', ['late'])
    return found
  }
  await expect(remove('1', digest)).rejects.toMatchObject({ status: 409, key: 'images-tag-together' })
  memory.registry.manifest = manifest
  expect(there()).toEqual(['1', '2', 'late'])

  // another image is pushed under its tag at the moment of the deletion
  const single = push('single', ['single'])
  memory.hooks.before = () => push('pushed', ['single'])
  await remove('single', single)
  delete memory.hooks.before
  expect(there()).toContain('single')
  expect(await memory.registry.digest({ url: '' }, repository, 'single')).toBe(named('pushed'))
})

test('images that run or could be rolled back to are kept: the team’s services are named, other teams’ are counted', async () => {
  const { image, push, remove, there } = inRepository()
  const [running, back, older, unknown, free] = ['running', 'back', 'older', 'unknown', 'free'].map((name) =>
    push(name, [name]),
  ) as [string, string, string, string, string]
  await runs(app, team.id, {
    web: { image: `${image}:running`, digest: running, podDigest: running },
    cancel: { image: `${image}:9`, previous: { image: `${image}:back`, digest: back } },
    history: { image: `${image}:9`, revisions: [{ image: `${image}:older`, digest: older }] },
    starting: { image: `${image}:unknown` },
    // the same repository in another registry, and another repository whose name starts alike
    elsewhere: { image: `elsewhere.example.test/${image.slice(host.length + 1)}:free`, digest: free },
    longer: { image: `${image}-more:free`, digest: free },
  })
  await runs(app, other.id, { theirs: { image: `${image}:running`, digest: running } })
  for (const [tag, digest, service] of [
    ['running', running, '/web, and 1 of other teams'],
    ['back', back, '/cancel.'],
    ['older', older, '/history.'],
    ['unknown', unknown, '/starting.'],
  ] as const) {
    const refusal = remove(tag, digest)
    await expect(refusal).rejects.toMatchObject({ status: 409 })
    await expect(refusal).rejects.toThrow(service)
  }
  await remove('free', free)
  expect(there()).toEqual(['back', 'older', 'running', 'unknown'])
})

test('services of other teams are only counted', async () => {
  const { image, push, remove } = inRepository()
  const digest = push('one', ['1'])
  await runs(app, other.id, { secretly: { image: `${image}:1`, digest }, also: { image: `${image}@${digest}` } })
  const refusal = remove('1', digest)
  await expect(refusal).rejects.toMatchObject({ status: 409, key: 'images-tag-used-by-others' })
  await expect(refusal).rejects.toThrow('2 services')
  await expect(refusal).rejects.not.toThrow('secretly')
})

test('the refusal names all services that keep an image, however many', async () => {
  const { image, push, remove } = inRepository()
  const digest = push('one', ['1'])
  const many = Array.from({ length: 60 }, (_, at) => [`service-${at}`, { image: `${image}:1`, digest }] as const)
  await runs(app, team.id, Object.fromEntries(many))
  const refusal = remove('1', digest)
  await expect(refusal).rejects.toThrow('/service-0,')
  await expect(refusal).rejects.toThrow('/service-59.')
})

test('a service deployed after the tags were read keeps its image', async () => {
  const { repository, image, push, remove, there } = inRepository()
  const digest = push('one', ['1'])
  const { tags } = memory.registry
  let lists = 0
  memory.registry.tags = async (access, name, options) => {
    // the second listing is the one right before the deletion
    if (name === repository && ++lists === 2) await runs(app, team.id, { late: { image: `${image}:1`, digest } })
    return tags(access, name, options)
  }
  await expect(remove('1', digest)).rejects.toThrow('/late.')
  memory.registry.tags = tags
  expect(there()).toEqual(['1'])
})

test('an image for one platform is kept while an index contains it, and can be deleted together with the index', async () => {
  const { repository, push, remove, removeMany, there } = inRepository()
  const arm = push('arm', ['arm'])
  const index = push('index', ['1'], [`${repository} arm`])
  await expect(remove('arm', arm)).rejects.toMatchObject({ status: 409, key: 'images-tag-part' })
  const done = await removeMany({ tag: 'arm', digest: arm }, { tag: '1', digest: index })
  expect(done.map((one) => one.done)).toEqual([true, true])
  expect(there()).toEqual([])
})

test('an image for one platform stays if its index stays, for whatever reason', async () => {
  const { repository, image, push, check, removeMany, there } = inRepository()
  const arm = push('arm', ['arm'])
  const index = push('index', ['1'], [`${repository} arm`])
  const wanted = [
    { tag: 'arm', digest: arm },
    { tag: '1', digest: index },
  ]
  // the registry fails
  const { remove } = memory.registry
  memory.registry.remove = async (access, name, digest) => {
    if (digest === index) throw new Fault('badGateway', 'registry-error', { host, status: 500 })
    return remove(access, name, digest)
  }
  const part = { tag: 'arm', done: false, problem: { key: 'images-tag-part' } }
  expect(await removeMany(...wanted)).toMatchObject([part, { tag: '1', problem: { key: 'registry-error' } }])
  memory.registry.remove = remove
  // another index is pushed meanwhile
  const { tags } = memory.registry
  let lists = 0
  memory.registry.tags = async (access, name, options) => {
    if (name === repository && ++lists === 2) push('newer index', ['2'], [`${repository} arm`])
    return tags(access, name, options)
  }
  expect(await removeMany(...wanted)).toMatchObject([part, { tag: '1', done: true }])
  memory.registry.tags = tags
  expect(there()).toEqual(['2', 'arm'])
  // a service runs it
  const newer = push('newer index', ['2'], [`${repository} arm`])
  await runs(app, team.id, { web: { image: `${image}:2`, digest: newer } })
  const both = [
    { tag: 'arm', digest: arm },
    { tag: '2', digest: newer },
  ]
  const kept = [part, { tag: '2', problem: { key: 'images-tag-used' } }]
  expect(await check(...both)).toMatchObject(kept)
  expect(await removeMany(...both)).toMatchObject(kept)
  expect(there()).toEqual(['2', 'arm'])
})

test('a batch reads each tag that goes twice and every other once, whatever is pushed meanwhile', async () => {
  const { repository, push, removeMany, there } = inRepository()
  const going = Array.from({ length: 40 }, (_, at) => {
    const names = [`t${at}`, `also-t${at}`]
    const digest = push(`image ${at}`, names)
    return names.map((tag) => ({ tag, digest }))
  }).flat()
  const staying = Array.from({ length: 30 }, (_, at) => `s${at}`)
  for (const tag of staying) push(tag, [tag])
  const pushed = Array.from({ length: 10 }, (_, at) => `new-${at}`)
  const { tags } = memory.registry
  let lists = 0
  memory.registry.tags = async (access, name, options) => {
    if (name === repository && ++lists === 2) for (const tag of pushed) push(tag, [tag])
    return tags(access, name, options)
  }
  const { manifests, digests, removed } = structuredClone(memory.asked)
  const done = await removeMany(...going)
  memory.registry.tags = tags
  expect(done.filter((one) => !one.done)).toEqual([])
  // new tags are read once after each list that has them, not for each deletion
  expect(memory.asked.manifests - manifests).toBe(going.length + staying.length + (lists - 1) * pushed.length)
  expect(memory.asked.digests - digests).toBe(going.length)
  expect(memory.asked.removed.length - removed.length).toBe(going.length / 2)
  expect(there()).toEqual([...pushed, ...staying].sort())
})

test('sixteen images of a batch are deleted at once, and sixteen tags of an image read', async () => {
  const { push, removeMany, there } = inRepository()
  const tags = Array.from({ length: 20 }, (_, at) => `t${at}`)
  /** Each call waits until sixteen of them have begun. */
  const together = <Args extends unknown[], R>(call: (...args: Args) => Promise<R>) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let begun = 0
    return async (...args: Args): Promise<R> => {
      if (++begun === 16) resolve()
      await promise
      return call(...args)
    }
  }
  const { remove, digest } = memory.registry
  memory.registry.remove = together(remove)
  await removeMany(...tags.map((tag) => ({ tag, digest: push(tag, [tag]) })))
  memory.registry.remove = remove
  expect(there()).toEqual([])
  memory.registry.digest = together(digest)
  const one = push('one', tags)
  await removeMany(...tags.map((tag) => ({ tag, digest: one })))
  memory.registry.digest = digest
  expect(there()).toEqual([])
})

test('a dry run says what would be deleted or kept and why, and deletes nothing', async () => {
  const { image, push, check, there } = inRepository()
  const one = push('one', ['1', 'one'])
  const two = push('two', ['2'])
  const three = push('three', ['3'])
  await runs(app, team.id, { web: { image: `${image}:2`, digest: two } })
  const found = await check(
    { tag: '1', digest: one },
    { tag: '2', digest: two },
    { tag: '3', digest: three },
    { tag: 'none', digest: one },
  )
  expect(found).toMatchObject([
    { tag: '1', done: false, goes: ['1', 'one'], problem: { key: 'images-tag-together' } },
    { tag: '2', done: false, problem: { key: 'images-tag-used' } },
    { tag: '3', done: true, goes: ['3'], problem: null },
    { tag: 'none', done: false, problem: { key: 'images-tag-gone' } },
  ])
  expect(there()).toEqual(['1', '2', '3', 'one'])
})

test('each of many deletions has its own result, and failed ones can be repeated', async () => {
  const { push, removeMany, there } = inRepository()
  const wanted = Array.from({ length: 20 }, (_, at) => ({ tag: `t${at}`, digest: push(`image ${at}`, [`t${at}`]) }))
  const { remove } = memory.registry
  memory.registry.remove = async (access, repository, digest) => {
    if (digest === wanted[7]?.digest) throw new Fault('badGateway', 'registry-error', { host, status: 500 })
    return remove(access, repository, digest)
  }
  const first = await removeMany(...wanted)
  expect(first.filter(({ done }) => !done)).toMatchObject([{ tag: 't7', problem: { key: 'registry-error' } }])
  expect(there()).toEqual(['t7'])
  memory.registry.remove = remove
  const again = first.filter(({ done }) => !done).map(({ tag, digest }) => ({ tag, digest }))
  expect(await removeMany(...again)).toMatchObject([{ tag: 't7', done: true }])
  expect(there()).toEqual([])
})

test('more than a thousand tags, none, and invalid ones are refused', async () => {
  const { removeMany } = inRepository()
  const digest = digestNamed('x')
  const many = Array.from({ length: 1001 }, (_, at) => ({ tag: `t${at}`, digest }))
  for (const tags of [[], many, [{ tag: 'a/../../b', digest }], [{ tag: '1', digest: 'sha256:x' }]])
    await expect(removeMany(...tags)).rejects.toMatchObject({ status: 400 })
})

test('deleting requires its own permission', async () => {
  const { repository, push, there } = inRepository()
  const digest = push('one', ['1'])
  const member = await team.member(['image_registry_view', 'image_registry_delete'])
  const key = { registryId, repository, tag: '1' }
  const params = { repoId: repoIdOf(key), tagId: tagIdOf(key) }
  for (const ask of [
    () => member.call(contents.removeTag, { params, query: { digest } }),
    () => member.call(contents.removeTeamTag, { params: { teamId: team.id, tagId: params.tagId }, query: { digest } }),
    () => member.call(contents.removeTags, { params, body: { tags: [{ tag: '1', digest }] } }),
  ])
    await expect(ask()).rejects.toMatchObject({ status: 403 })
  expect(there()).toEqual(['1'])
  const deleter = await team.member(['image_tag_delete'])
  expect(await deleter.call(contents.removeTag, { params, query: { digest } })).toEqual({ tags: ['1'] })
})
