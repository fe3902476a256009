import { containers } from '@gantry/contract/stacks/containers/containers'
import { containerFiles } from '@gantry/contract/stacks/containers/files'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { runningContainer } from '../../../../test/running-container.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { linesIn } from './log-files.service.ts'

const place = await sandboxApp()
let of: Awaited<ReturnType<typeof runningContainer>>
let name = ''
const params = () => ({ teamId: of.team.id, envId: of.envId, podId: of.podId, name })
const put = (path: string, text: string) =>
  of.team.leader.call(containerFiles.write, { params: params(), query: { path }, body: { text, revision: '' } })
const read = (query: Record<string, string | number>, who = of.team.leader) =>
  who.call(containers.log, { params: params(), query })

beforeAll(async () => {
  of = await runningContainer(place, {
    volumes: [{ name: 'data', type: 'empty', path: '/data' }],
    environment: [{ name: 'SANDBOX_LOG', value: Array.from({ length: 20 }, (_, n) => `out ${n}`).join('\n') }],
  })
  name = (await of.containers())[0]?.name ?? ''
  await put('/var/log/app.log', Array.from({ length: 1000 }, (_, n) => `line ${n}\n`).join(''))
  await put('/data/web.log', 'a\nb\n')
  await put('/data/secrets.txt', 'a\n')
})

describe('log files in a container', () => {
  test('are listed: those in /var/log, and logs in writable volumes', async () => {
    const { teamId, envId, podId } = params()
    const { files, unread } = await of.team.leader.call(containers.paths, { params: { teamId, envId, podId } })
    expect(unread).toEqual([])
    expect(files).toMatchObject([
      { container: name, path: '/data/web.log', size: 4 },
      { container: name, path: '/var/log/app.log' },
    ])
  })

  test('are read backward from their end, and from any offset', async () => {
    const end = await read({ path: '/var/log/app.log', quantity: 2 })
    expect(end.lines.map(({ text }) => text)).toEqual(['line 998', 'line 999'])
    expect(end.truncated).toBe(true)
    const { from = 0, size = 0 } = end.file ?? {}
    const before = await read({ path: '/var/log/app.log', offset: size - from, quantity: 2 })
    expect(before.lines.map(({ text }) => text)).toEqual(['line 996', 'line 997'])
    const start = await read({ path: '/var/log/app.log', whence: 'start', quantity: 2 })
    expect([start.lines.map(({ text }) => text), start.truncated]).toEqual([['line 0', 'line 1'], false])
    const next = await read({ path: '/var/log/app.log', whence: 'start', offset: start.file?.to ?? 0, quantity: 1 })
    expect(next.lines.map(({ text }) => text)).toEqual(['line 2'])
    // an offset within a line reads from the next line
    expect((await read({ path: '/var/log/app.log', whence: 'start', offset: 3, quantity: 1 })).lines[0]?.text).toBe(
      'line 1',
    )
  })

  test.for([
    '../../etc/shadow',
    '/var/log/../../etc/shadow',
    '/proc/self/environ',
    '/var/log/a;id/../x',
    '-n',
    '/etc/passwd',
    '/data/secrets.txt',
    '/var/log/',
    '/var/log/a\nb',
  ])('the path %j is refused', async (path) => {
    await expect(read({ path })).rejects.toMatchObject({ status: 400, key: 'log-path-refused' })
  })

  test.for([
    { offset: -1 },
    { quantity: 1e12 },
    { encoding: 'nonsense' },
    { whence: 'there' },
    { direction: 'up' },
    { offsetFrom: 1 },
    { offsetFrom: 2, offsetTo: 1 },
    { referenceTimestamp: 'once' },
  ])('%j is refused', async (query) => {
    await expect(read({ path: '/var/log/app.log', ...query })).rejects.toMatchObject({ status: 400 })
  })

  test('need the permission to see containers, and are limited to pods of the own team', async () => {
    const other = await place.app.team()
    const { teamId: _, envId, podId } = params()
    await expect(
      other.leader.call(containers.paths, { params: { teamId: other.id, envId, podId } }),
    ).rejects.toMatchObject({ status: 404 })
    await expect(read({}, await of.team.member(['stack_file_view']))).rejects.toMatchObject({ status: 403 })
  })
})

describe('a container’s log', () => {
  const texts = async (query: Record<string, string | number>) =>
    (await read(query)).lines.map(({ text }) => text).filter((text) => text.startsWith('out'))
  test('is read from its beginning, or around a line', async () => {
    expect((await texts({ whence: 'start', quantity: 3 })).slice(0, 2)).toEqual(['out 0', 'out 1'])
    expect(await texts({ whence: 'start', offset: 2, quantity: 1 })).toEqual(['out 1'])
    expect(await texts({ referenceTimestamp: 'oldest', referenceLineNum: 5, offsetFrom: -1, offsetTo: 2 })).toEqual([
      'out 3',
      'out 4',
      'out 5',
    ])
    const [first] = (await read({ whence: 'start', offset: 1, quantity: 1 })).lines
    expect(
      await texts({ referenceTimestamp: first?.at ?? '', referenceLineNum: 2, offsetFrom: 0, offsetTo: 1 }),
    ).toEqual(['out 2'])
  })
})

test('pages of any file are whole lines without a gap', () => {
  const file = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\r'), maxLength: 8 }), { maxLength: 40 })
  fc.assert(
    fc.property(file, fc.integer({ min: 1, max: 5 }), fc.boolean(), (lines, quantity, ended) => {
      const all = Buffer.from(lines.join('\n') + (ended ? '\n' : ''))
      const seen: string[] = []
      for (let at = 0; at < all.length;) {
        const from = Math.max(0, at - 1)
        const page = linesIn(all.subarray(from), { from, begin: at, size: all.length, direction: 'forward', quantity })
        expect(page.from).toBe(at)
        expect(page.to).toBeGreaterThan(at)
        seen.push(...page.parts.map(String))
        at = page.to
      }
      const wanted = all.toString().replace(/\n$/, '')
      expect(seen.join('\n')).toBe(wanted)
    }),
  )
})
