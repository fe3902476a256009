import { readFileSync } from 'node:fs'
import { request as askPlain } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import type { FakeBuild } from '../../test/fake-build.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { imageRegistry, type TestRegistry } from '../../test/image-registry.ts'
import { script, work } from '../../test/works.ts'
import { tagOf } from './image.ts'

let server: FakeServer
let agent: AgentProcess
let registry: TestRegistry

beforeAll(async () => {
  server = await fakeServer()
  agent = await agentProcess(server.url)
  registry = await imageRegistry()
  await image({ repository: 'base/os', tag: '1', copy: [{ from: 'etc', to: '/etc' }], ...asBase })
})
afterAll(async () => {
  await agent.close()
  await registry.close()
  await server.close()
})
beforeEach(() => {
  registry.sign = 'none'
  registry.realm = `${registry.url}/token`
  registry.answer = () => false
  server.on.registryToken = () => ({ token: 'granted', seconds: 60 })
  registry.requests.length = registry.tokens.length = 0
})

const asBase = {
  entrypoint: ['/bin/base'],
  command: ['base-command'],
  environment: [
    { name: 'PATH', value: '/bin' },
    { name: 'BASE', value: 'yes' },
  ],
  user: '1000',
  workingDirectory: '/srv',
  ports: [80],
}

type Image = Extract<Parameters<typeof work>[0][number], { type: 'image' }>

async function image(
  step: Partial<Image>,
  access: { username?: string; password?: string; url?: string; tokens?: boolean; ca?: string } = {},
): Promise<{ build: FakeBuild; reason: unknown }> {
  const build = server.give(
    work(
      [
        script('mkdir -p etc dist; echo base > etc/os; echo "$CONTENT" > dist/app.js; chmod +x dist/app.js'),
        {
          name: 'image',
          type: 'image',
          registryId: 5,
          repository: 'team/app',
          copy: [{ from: 'dist', to: '/app' }],
          ...step,
        },
      ],
      {
        environment: [{ name: 'CONTENT', value: 'one' }],
        repository: { url: 'http://x/', branch: 'feature/X y', commit: 'c0ffee', username: '', password: '' },
        registries: [{ id: 5, url: registry.url, username: '', password: '', insecure: false, ...access }],
      },
    ),
  )
  const { reason } = await build.ended
  return { build, reason }
}

const pushed = (build: FakeBuild) => build.events.find((event) => event.type === 'image')

describe('an image by layers', () => {
  test('from nothing: with files, entrypoint and all settings, and its digest is reported', async () => {
    const { build, reason } = await image({
      tag: '${branch}-${number}',
      entrypoint: ['/app/app.js'],
      command: ['--port', '8080'],
      environment: [{ name: 'A', value: 'b=c' }],
      ports: [8080],
      workingDirectory: '/app',
      user: '1000:1000',
    })
    expect(reason).toBeUndefined()
    const tag = `feature-X-y-${build.work.number}`
    const opened = await registry.open('team/app', tag)
    expect(pushed(build)).toMatchObject({
      image: `${registry.host}/team/app`,
      tag,
      digest: opened.digest,
      registryId: 5,
      step: 1,
    })
    expect(opened.files.map(({ name, text }) => [name, text])).toEqual([
      ['app/', ''],
      ['app/app.js', 'one\n'],
    ])
    expect(opened.config).toMatchObject({
      os: 'linux',
      config: {
        Entrypoint: ['/app/app.js'],
        Cmd: ['--port', '8080'],
        Env: ['A=b=c'],
        ExposedPorts: { '8080/tcp': {} },
        WorkingDir: '/app',
        User: '1000:1000',
      },
    })
  })

  test('on a base of the same registry: mounts its layers there, and keeps or replaces its settings', async () => {
    const { build, reason } = await image({
      base: 'base/os:1',
      tag: 'on-base',
      entrypoint: ['/app/app.js'],
      environment: [{ name: 'BASE', value: 'no' }],
      ports: [8080],
    })
    expect(reason).toBeUndefined()
    const opened = await registry.open('team/app', 'on-base')
    expect(opened.files.map(({ name }) => name)).toEqual(['etc/', 'etc/os', 'app/app.js'])
    expect(opened.config.rootfs.diff_ids).toHaveLength(2)
    expect(opened.config.config).toEqual({
      Entrypoint: ['/app/app.js'],
      Env: ['PATH=/bin', 'BASE=no'],
      ExposedPorts: { '80/tcp': {}, '8080/tcp': {} },
      User: '1000',
      WorkingDir: '/srv',
    })
    expect(registry.requests.some((line) => /^POST .*mount=sha256.*from=base%2Fos/.test(line))).toBe(true)
    expect(pushed(build)).toMatchObject({
      size: opened.manifest.layers.reduce((sum, l) => sum + l.size, 0) + configSize(opened.config),
    })
  })

  test('through the agent, if the registry cannot mount layers from other repositories', async () => {
    registry.answer = (request, response) => {
      if (!request.url?.includes('mount=')) return false
      request.url = request.url.replace(/\?.*/, '')
      void response
      return false
    }
    const { reason } = await image({ repository: 'team/copied', base: 'base/os:1', tag: 't' })
    expect(reason).toBeUndefined()
    expect((await registry.open('team/copied', 't')).files.map(({ name }) => name)).toEqual([
      'etc/',
      'etc/os',
      'app/app.js',
    ])
  })

  test('by digest and without own files: the base under another name', async () => {
    const { digest } = await registry.open('base/os', '1')
    const { reason } = await image({ base: `base/os@${digest}`, tag: 'same', copy: [] })
    expect(reason).toBeUndefined()
    expect((await registry.open('team/app', 'same')).config.config).toMatchObject({
      Entrypoint: ['/bin/base'],
      Cmd: ['base-command'],
    })
  })

  test('with the same files again: only the manifest is sent, and the digest is the same', async () => {
    const first = pushed((await image({ tag: 'a' })).build)
    registry.requests.length = 0
    const second = pushed((await image({ tag: 'b' })).build)
    expect(second).toMatchObject({ digest: (first as { digest: string }).digest })
    expect(registry.requests.filter((line) => !line.startsWith('HEAD'))).toEqual(['PUT /v2/team/app/manifests/b'])
  })

  test.each(['basic', 'bearer'] as const)('logged in by %s', async (sign) => {
    registry.sign = sign
    const { reason } = await image({ base: 'base/os:1', tag: `by-${sign}` }, { username: 'robin', password: 'push it' })
    expect(reason).toBeUndefined()
    if (sign === 'bearer')
      expect(registry.tokens[0]).toMatchObject({
        service: 'the registry',
        scopes: ['repository:team/app:pull,push', 'repository:base/os:pull'],
      })
  })

  test('logged in by the server: with a token for this step, and with another one before that expires', async () => {
    registry.sign = 'bearer'
    let given = 0
    const give = (seconds: number) => {
      server.on.registryToken = () => {
        given++
        return { token: 'granted', seconds }
      }
      return image({ tag: 'by-server' }, { tokens: true })
    }
    expect((await give(60)).reason).toBeUndefined()
    expect([given, registry.tokens]).toEqual([1, []])
    const before = registry.requests.length
    expect((await give(0)).reason).toBeUndefined()
    expect(given - 1).toBe(registry.requests.length - before)
  })

  test.each([
    ['a wrong password', 'basic', {}, { username: 'robin', password: 'no' }, 'agents-registry-wrong-password'],
    [
      'a wrong password for a token',
      'bearer',
      {},
      { username: 'robin', password: 'no' },
      'agents-registry-wrong-password',
    ],
    ['no password', 'basic', {}, {}, 'agents-registry-wrong-password'],
    ['a base that does not exist', 'none', { base: 'base/nope:1' }, {}, 'agents-base-missing'],
    ['a base that is no name', 'none', { base: 'Base Image' }, {}, 'agents-base-missing'],
    ['files that do not exist', 'none', { copy: [{ from: 'nope', to: '/' }] }, {}, 'agents-no-files'],
    ['nobody there', 'none', {}, { url: 'http://127.0.0.1:1' }, 'agents-registry-unreachable'],
    ['a registry that is gone from the settings', 'none', { registryId: 6 }, {}, 'agents-registry-unknown'],
    ['a tag that comes out wrong', 'none', { tag: '-${number}' }, {}, 'agents-tag-invalid'],
  ] satisfies [string, TestRegistry['sign'], Partial<Image>, Parameters<typeof image>[1], string][])(
    '%s',
    async (_, sign, step, access, key) => {
      registry.sign = sign
      const { build, reason } = await image(step, access)
      expect(reason).toMatchObject({ key })
      expect(pushed(build)).toBeUndefined()
    },
  )

  test('a registry that the server logs in to, but that refuses its token', async () => {
    registry.sign = 'bearer'
    server.on.registryToken = () => ({ token: 'stale', seconds: 60 })
    const { reason } = await image({}, { tokens: true })
    expect(reason).toMatchObject({ key: 'agents-registry-wrong-password' })
  })

  test('a token service that issues no token is reported apart from the registry, in its own words', async () => {
    registry.sign = 'bearer'
    registry.answer = (request, response) => {
      if (!request.url?.startsWith('/token')) return false
      response.writeHead(503).end('{"errors":[{"code":"UNAVAILABLE","message":"try later"}]}')
      return true
    }
    const { host } = registry
    const { reason } = await image({}, { username: 'robin', password: 'push it' })
    expect(reason).toEqual({
      key: 'agents-registry-token',
      vars: { host, service: host, text: '503 UNAVAILABLE: try later' },
    })
  })

  test('a registry that refuses every push', async () => {
    registry.answer = (request, response) => {
      if (request.method !== 'POST') return false
      response.writeHead(403).end('{"errors":[{"code":"DENIED","message":"requested access is denied"}]}')
      return true
    }
    const { reason } = await image({ repository: 'other/app' })
    expect(reason).toEqual({
      key: 'agents-registry-denied',
      vars: { host: registry.host, action: 'push', repository: 'other/app' },
    })
  })

  test('a base whose bytes do not match the digests', async () => {
    const other = await (await registry.get('/v2/base/os/manifests/1')).text()
    registry.answer = (request, response) => {
      if (!request.url?.startsWith('/v2/base/os/manifests/sha256:')) return false
      response.writeHead(200).end(other)
      return true
    }
    const { build, reason } = await image({ base: `base/os@sha256:${'0'.repeat(64)}` })
    expect(reason).toMatchObject({ key: 'agents-base-unusable' })
    expect(pushed(build)).toBeUndefined()
  })

  test('a registry that is full', async () => {
    registry.answer = (request, response) => {
      if (request.method !== 'PUT' || !request.url?.includes('/manifests/')) return false
      request.resume()
      response.writeHead(507).end('{"errors":[{"code":"QUOTA","message":"no space left"}]}')
      return true
    }
    const { reason } = await image({ tag: 'never' })
    expect(reason).toMatchObject({ key: 'agents-registry-refused', vars: { text: '507 QUOTA: no space left' } })
    expect((await registry.get('/v2/team/app/manifests/never')).status).toBe(404)
  })

  test('a registry with a token service at a plain address elsewhere does not get the password', async () => {
    registry.sign = 'bearer'
    registry.realm = 'http://evil.example/token'
    const { reason } = await image({}, { username: 'robin', password: 'push it' })
    expect(reason).toMatchObject({ key: 'agents-registry-realm', vars: { realm: 'evil.example' } })
  })

  test('a registry that redirects uploads to another host is not followed', async () => {
    registry.answer = (request, response) => {
      if (request.method !== 'POST') return false
      response.writeHead(202, { location: 'http://evil.example/upload' }).end()
      return true
    }
    const { reason } = await image({ repository: 'fresh/app' })
    expect(reason).toMatchObject({ key: 'agents-registry-not-one' })
  })
})

const configSize = (config: object): number => Buffer.byteLength(JSON.stringify(config))

test.each([
  ['${number}', '7'],
  ['v${number}-${commit}', 'v7-c0ffee'],
  ['${branch}', 'a-b'],
])('the tag %s', (template, expected) => {
  expect(tagOf(template, { number: '7', commit: 'c0ffee', branch: 'a/b' })).toBe(expected)
})

test('a registry with its own certificate authority is pushed to with that authority, but not without', async () => {
  const pem = (name: string) =>
    readFileSync(join(import.meta.dirname, '../../../server/test/certificates', name), 'utf8')
  const secure = createServer({ cert: pem('server.pem'), key: pem('server-key.pem') }, (request, response) => {
    const { method, headers, url } = request
    const inner = askPlain(new URL(url ?? '/', registry.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      pipeline(answer, response, () => {})
    })
    pipeline(request, inner, () => {})
  })
  await new Promise<void>((listening) => secure.listen(0, '127.0.0.1', listening))
  const url = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`
  const step = { repository: 'team/secure', tag: '1', base: 'scratch', copy: [{ from: 'dist', to: '/app' }] }
  try {
    const refused = await image(step, { url })
    expect(refused.reason).toBeTruthy()
    expect(pushed(refused.build)).toBeUndefined()
    const { build } = await image(step, { url, ca: pem('ca.pem') })
    expect(pushed(build)).toMatchObject({ image: `${new URL(url).host}/team/secure`, tag: '1' })
    expect((await registry.get('/v2/team/secure/manifests/1')).status).toBe(200)
  } finally {
    secure.closeAllConnections()
    secure.close()
  }
})
