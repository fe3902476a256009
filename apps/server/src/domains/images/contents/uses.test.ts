import { expect, test } from 'vitest'
import type { UseRow } from './uses.read.ts'
import { imageHost, names, pathsOf, refersTo } from './uses.ts'

const digest = `sha256:${'a'.repeat(64)}`
const other = `sha256:${'b'.repeat(64)}`
const registry = (url: string, more: object = {}) => ({
  id: 7,
  teamId: 1,
  name: 'r',
  url,
  username: '',
  password: null,
  sandbox: false,
  harborId: null,
  createdAt: '',
  ...more,
})
const use = (image: string, more: Partial<UseRow> = {}): UseRow => ({
  kind: 'runs',
  serviceId: 1,
  serviceName: 'web',
  type: 'business',
  stackId: 1,
  stackUuid: '',
  stackName: 'shop',
  envId: '',
  teamId: 1,
  revision: 1,
  registryId: null,
  image,
  refs: [image],
  digests: [],
  pins: [],
  pinned: false,
  ...more,
})
const wanted = (repository: string, tags: string[] = ['1']) => ({
  repository,
  digests: new Set([digest]),
  tags: new Set(tags),
})

test.each([
  ['its tag, while no digest is known', use('r.test/shop/web:1'), true],
  ['another tag', use('r.test/shop/web:2'), false],
  ['its digest under a tag that moved on', use('r.test/shop/web:2', { digests: [digest], pinned: true }), true],
  [
    'its tag, but another digest by which pods are bound',
    use('r.test/shop/web:1', { digests: [other], pinned: true }),
    false,
  ],
  ['its tag and another digest by which pods are not bound', use('r.test/shop/web:1', { digests: [other] }), true],
  ['its digest in the name', use(`r.test/shop/web@${digest}`), true],
  ['another digest in the name, with its tag', use(`r.test/shop/web:1@${other}`), false],
  ['a host in capitals', use('R.TEST/shop/web:1'), true],
  ['another host', use('s.test/shop/web:1'), false],
  ['another port', use('r.test:5000/shop/web:1'), false],
  ['the usual port', use('r.test:443/shop/web:1'), true],
  ['a longer name', use('r.test/shop/web/x:1'), false],
  ['no tag, which is latest', use('r.test/shop/web'), false],
  [
    'another container, pinned under a tag that moved on',
    use('x.test/y:1', { refs: ['x.test/y:1', 'r.test/shop/web:2'], pins: [digest] }),
    true,
  ],
  [
    'another container, whose digest is not known',
    use('x.test/y:1', { refs: ['x.test/y:1', 'r.test/shop/web:1'], digests: [other], pinned: true }),
    true,
  ],
])('a service uses an image: %s', (_case, row, yes) => {
  expect(refersTo(row, registry('https://r.test'), wanted('shop/web'))).toBe(yes)
})

test('an image of Docker Hub is found under each of its names', () => {
  for (const url of ['https://registry-1.docker.io', 'https://docker.io', 'https://index.docker.io']) {
    const hub = registry(url)
    expect(imageHost(hub)).toBe('docker.io')
    expect(pathsOf(hub, 'library/nginx')).toEqual(['library/nginx', 'nginx'])
    for (const image of ['nginx:1', 'docker.io/nginx:1', 'index.docker.io/library/nginx:1'])
      expect(refersTo(use(image), hub, wanted('library/nginx'))).toBe(true)
  }
})

test('the simulated registry is recognized by its port under every name of this machine, and by its number', () => {
  const sandbox = registry('http://127.0.0.1:5000', { sandbox: true, teamId: null })
  for (const row of [
    use('localhost:5000/team-1/app:1'),
    use('127.0.0.2:5000/team-1/app:1'),
    use('127.0.0.1:4000/team-1/app:1', { registryId: 7 }),
  ])
    expect(names(row, sandbox, 'team-1/app')).toBe(true)
  expect(names(use('127.0.0.1:4000/team-1/app:1'), sandbox, 'team-1/app')).toBe(false)
})
