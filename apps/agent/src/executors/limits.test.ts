import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, someModes, type AgentProcess } from '../../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { script, soon, work } from '../../test/works.ts'
import { openCgroups } from './cgroups.ts'

const isolates = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status === 0

const mb = 1024 ** 2
const limits = {
  GANTRY_AGENT_BUILD_MEMORY_MB: '128',
  GANTRY_AGENT_BUILD_PROCESSES: '100',
  GANTRY_AGENT_BUILD_DISK_MB: '32',
}

describe.skipIf(!isolates).each(someModes)('a build, isolated as $mode (needs unshare)', ({ mode, ...as }) => {
  let server: FakeServer
  let agent: AgentProcess
  let grouped: boolean
  beforeAll(async () => {
    server = await fakeServer()
    agent = await agentProcess(server.url, limits, tmpdir(), as)
    expect(agent.log()).toContain(`"mode":"${mode}"`)
    grouped = agent.log().includes('"kept":"cgroups')
  })
  afterAll(async () => {
    await agent.close()
    await server.close()
  })

  /** Runs a step while a second build runs, which must not be affected. */
  async function run(text: string) {
    const neighbour = server.give(work([script('for i in $(seq 1 20); do sleep 0.05; /bin/true || exit 1; done')]))
    const build = server.give(work([script(text), script('echo after', { always: true })]))
    const ended = await build.ended
    expect(await neighbour.ended).toMatchObject({ state: 'success' })
    expect(build.log(1)).toBe('after\n')
    return { ended, log: build.log(0) }
  }

  test('states once in its log the limits of a build, and how they are enforced', () => {
    expect(agent.log().match(/what a build may have of this machine/g)).toHaveLength(1)
    expect(agent.log()).toMatch(/"kept":"(cgroups, version [12]|ulimit.*)"/)
  })

  test('that takes too much memory is ended, and the cause is reported if cgroups tell it', async () => {
    const { ended, log } = await run('tail /dev/zero; echo never')
    expect(ended.state).toBe('failed')
    if (grouped) expect(ended.reason).toMatchObject({ key: 'agents-limit-memory', vars: { limit: '134 MB' } })
    if (grouped) expect(log).toMatch(/This step was ended: the build met its limit of memory: 134 MB\.\n$/)
    expect(log).not.toContain('never')
  })

  test('that fills /dev/shm is limited too', async () => {
    const { ended } = await run('head -c 200000000 /dev/zero > /dev/shm/all')
    expect(ended.state).toBe('failed')
  })

  test('that starts too many processes is ended if cgroups tell, and starts no more in any case', async () => {
    const bomb = 'bomb() { bomb | bomb & }; bomb; sleep 60; echo never'
    const few = 'for i in $(seq 1 300); do sleep 5 & done; echo never; exit 0'
    const { ended, log } = await run(grouped ? bomb : few)
    expect(ended.state).toBe('failed')
    if (grouped) expect(ended.reason).toMatchObject({ key: 'agents-limit-processes', vars: { limit: '100' } })
    expect(log).not.toContain('never')
  })

  test.each([
    ['one file', 'head -c 60000000 /dev/zero > file'],
    ['many files', 'for i in $(seq 1 60); do head -c 1000000 /dev/zero > $i; done; sleep 60'],
    ['its home', 'for i in $(seq 1 60); do head -c 1000000 /dev/zero > $HOME/$i; done; sleep 60'],
    ['its /tmp', 'for i in $(seq 1 60); do head -c 1000000 /dev/zero > /tmp/$i; done; sleep 60'],
  ])('that fills the disk with %s is ended', async (_, text) => {
    const { ended, log } = await run(`${text}; echo never`)
    expect(ended).toMatchObject({ state: 'failed', reason: { key: 'agents-limit-disk', vars: { limit: '34 MB' } } })
    expect(log).toMatch(/This step was ended: the build met its limit of disk: 34 MB\.\n$/)
    expect(log).not.toContain('never')
  })

  test('that has filled the disk still runs its last steps, which may write only as much as a report needs', async () => {
    const fill = 'for i in $(seq 1 60); do head -c 1000000 /dev/zero > $i; done; sleep 60'
    const report = 'sleep 1; head -c 1000000 /dev/zero > report; sleep 1; echo done'
    const again = 'for i in $(seq 100 160); do head -c 1000000 /dev/zero > $i; sleep 0.02; done; sleep 60'
    const build = server.give(work([script(fill), script(report, { always: true }), script(again, { always: true })]))
    expect(await build.ended).toMatchObject({ state: 'failed', reason: { key: 'agents-limit-disk' } })
    expect(build.log(1)).toBe('done\n')
    expect(build.log(2)).toMatch(/met its limit of disk/)
  })

  test('opens no more files than allowed, and has a lower weight than its agent', async () => {
    const { log } = await run('ulimit -Hn; cat /proc/self/stat | cut -d" " -f19; cat /proc/self/cgroup')
    const [files = '', nice, ...groups] = log.trim().split('\n')
    expect(Number(files)).toBeLessThanOrEqual(65_536)
    if (grouped) expect(groups.join('\n')).toMatch(/memory.*gantry-[0-9a-f]{12}\/\d+-1-0|0::.*gantry/)
    else expect(Number(nice)).toBeGreaterThan(getPriority())
  })

  test('leaves no group behind', async () => {
    await run('true')
    await expect.poll(() => readdirSync(join(agent.dir, 'builds')), soon).toEqual([])
    const base = /gantry-[0-9a-f]{12}/.exec((await run('cat /proc/self/cgroup')).log)?.[0]
    await expect.poll(() => readdirSync(join(agent.dir, 'builds')), soon).toEqual([])
    const at = ['memory', 'pids', 'cpu', ''].map((controller) => join('/sys/fs/cgroup', controller, base ?? 'none'))
    const left = at.filter((path) => existsSync(path)).flatMap((path) => readdirSync(path, { withFileTypes: true }))
    expect(left.filter((entry) => entry.isDirectory()).map(({ name }) => name)).toEqual([])
  })
})

describe('cgroups of version 2, imitated in a folder', () => {
  const bounded = { memory: 64 * mb, processes: 77 }
  let root: string
  const file = (...names: string[]): string => join(root, ...names)
  const make = (group: string, controllers: string): void => {
    mkdirSync(file(group), { recursive: true })
    writeFileSync(file(group, 'cgroup.controllers'), controllers)
    writeFileSync(file(group, 'cgroup.subtree_control'), '')
  }
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'gantry-cgroups-'))
    make('', 'cpuset cpu io memory pids\n')
    make('user/session', 'cpu memory pids\n')
    writeFileSync(file('self'), '1:name=systemd:/x\n0::/user/session\n')
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  test.each([
    ['root', true, ''],
    ['an ordinary user, where the own group is delegated', false, 'user/session'],
  ])('as %s', (_, all, parent) => {
    make(join(parent, 'gantry-x'), 'cpu memory pids\n')
    writeFileSync(file(parent, 'gantry-x', 'cpu.weight'), '100\n')
    const groups = openCgroups('gantry-x', all, bounded, root, file('self'))
    expect(groups?.version).toBe(2)
    mkdirSync(file(parent, 'gantry-x/7-1-0'))
    writeFileSync(file(parent, 'gantry-x/7-1-0/memory.swap.max'), 'max\n')
    expect(groups?.make('7-1-0')).toEqual([file(parent, 'gantry-x/7-1-0/cgroup.procs')])
    const text = (...names: string[]): string => readFileSync(file(parent, ...names), 'utf8').trim()
    expect(text('cgroup.subtree_control')).toBe('+memory +pids +cpu')
    expect(text('gantry-x/cgroup.subtree_control')).toBe('+memory +pids +cpu')
    expect(text('gantry-x/cpu.weight')).toBe('20')
    expect(text('gantry-x/7-1-0/memory.max')).toBe(String(64 * mb))
    expect(text('gantry-x/7-1-0/memory.swap.max')).toBe('0')
    expect(text('gantry-x/7-1-0/pids.max')).toBe('77')

    expect(groups?.reached('7-1-0')).toBeUndefined()
    writeFileSync(file(parent, 'gantry-x/7-1-0/pids.events'), 'max 3\n')
    expect(groups?.reached('7-1-0')).toBe('processes')
    writeFileSync(file(parent, 'gantry-x/7-1-0/memory.events'), 'low 0\nhigh 0\nmax 12\noom 2\noom_kill 1\n')
    expect(groups?.reached('7-1-0')).toBe('memory')
    expect(groups?.reached('8-1-0')).toBeUndefined()
  })

  test('without delegated cgroups there are none', () => {
    make('user/bare', 'cpuset\n')
    writeFileSync(file('bare'), '0::/user/bare\n')
    expect(openCgroups('gantry-x', false, bounded, root, file('bare'))).toBeUndefined()
  })
})
