import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { plenty, script, soon, work } from '../../test/works.ts'
import type { Network } from '../network/network.ts'
import { jobContainers } from './containers.ts'
import { findProgram, openEngine } from './engine.ts'

/**
 * A container engine that only records its calls, and runs a step's script as a process of the machine. A container is
 * a file with its process, and a file with how it ended.
 */
const fakeEngine = (kind: string, dir: string): string => `#!/bin/sh
dir=${dir}
[ "$1" = --cgroup-manager ] && shift 2
echo "$@" >> "$dir/asked"
case $1 in
  --version) echo '${kind} version 9' ;;
  ps) for file in "$dir"/*.name; do [ -f "$file" ] && basename "$file" .name; done; exit 0 ;;
  image) echo sha256:1 ;;
  pull) case $3 in *missing*) echo 'manifest unknown' >&2; exit 125 ;; esac ;;
  exec) kill -TERM "-$(cat "$dir/$2.name")" ;;
  inspect) for last; do :; done; [ -f "$dir/$last.ended" ] || exit 125; cat "$dir/$last.ended" ;;
  rm)
    for name; do
      [ -f "$dir/$name.name" ] && kill -KILL "-$(cat "$dir/$name.name")" 2> /dev/null
      rm -f "$dir/$name.name" "$dir/$name.ended"
    done; exit 0 ;;
  run)
    name=$3
    for word; do
      case $word in */fs/steps:*) steps=\${word%%:*} ;; */fs/work:*) work=\${word%%:*} ;; /gantry/steps/*/script) script=$word ;; esac
    done
    cd "$work"
    setsid sh -e "$steps\${script#/gantry/steps}" & echo $! > "$dir/$name.name"
    wait $!
    code=$?
    [ $code = 137 ] && oom=true || oom=false
    [ $code = 127 ] && at=0001-01-01 || at=2026-01-01
    echo "$oom $at" > "$dir/$name.ended"
    exit $code ;;
esac
`

const root = process.getuid?.() === 0

describe.skipIf(!root).each(['podman', 'docker'])('jobs in containers of %s (needs root)', (kind) => {
  let dir: string
  let server: FakeServer
  let agent: AgentProcess
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'gantry-engine-'))
    writeFileSync(join(dir, 'engine'), fakeEngine(kind, dir), { mode: 0o755 })
    server = await fakeServer()
    agent = await agentProcess(server.url, {
      GANTRY_AGENT_CONTAINER_ENGINE: join(dir, 'engine'),
      ...(kind === 'docker' && { GANTRY_AGENT_NETWORK: 'host' }),
    })
  })
  afterAll(async () => {
    await agent?.close()
    await server?.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const calls = (word: string): string[] =>
    readFileSync(join(dir, 'asked'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith(`${word} `))
  const job = (run: string, given: Parameters<typeof work>[1] = {}) =>
    server.give(work([script(run)], { executor: 'container', image: 'shop/tools:1', ...given }))

  test('a step is a container of the image, limited, without rights, and removed afterwards', async () => {
    const build = job('echo hello; exit 3', { environment: [{ name: 'TOKEN', value: 'hunter2' }], masked: ['hunter2'] })
    expect(await build.ended).toMatchObject({ reason: { key: 'agents-script-failed', vars: { code: 3 } } })
    expect(build.log(0)).toBe('Pulling shop/tools:1\nhello\n')
    expect(server.claims.at(-1)?.executors).toEqual(['process', 'container'])
    const run = calls('run').at(-1) ?? ''
    expect(run).toContain('--pull never --stop-timeout 0')
    expect(run).toContain('--security-opt no-new-privileges')
    expect(run).toMatch(/--cgroup-parent \/\S+|--memory \d+ --memory-swap \d+ --pids-limit 1024/)
    expect(run).toMatch(/--workdir \/gantry\/work --user 0:0 --entrypoint sh shop\/tools:1 -e -c/)
    expect(run).not.toContain('hunter2')
    if (kind === 'podman') expect(run).toMatch(/--network host.* --uidmap 0:\d+:1 --uidmap 1:\d+:65535/)
    else expect(run).not.toMatch(/--network|--uidmap/)
    const name = / --name (\S+)|^run --name (\S+)/.exec(run)?.[2] ?? ''
    expect(calls('rm')).toContain(`rm --force --volumes ${name}`)
  })

  test('ends that are not the script’s exit code are reported as what they are', async () => {
    const ends = [
      [job('exit 137'), 'agents-limit-memory'],
      [job('exit 127'), 'agents-container-failed'],
      [job('true', { image: null }), 'agents-image-missing'],
    ] as const
    for (const [build, key] of ends) expect(await build.ended).toMatchObject({ state: 'failed', reason: { key } })
  })

  test('a stopped build is asked to end, then removed', async () => {
    const build = job(`trap '' TERM; echo begun; while :; do sleep 1; done`)
    await expect.poll(() => build.log(0), soon).toContain('begun')
    build.cancelled = true
    expect(await build.ended).toMatchObject({ state: 'aborted' })
    expect(calls('exec').at(-1)).toMatch(/ \/bin\/sh -c kill -TERM -1$/)
    await expect.poll(() => calls('ps').length, soon).toBeGreaterThan(1)
  })
})

test.each(['podman', 'docker'] as const)('a shell in a container of %s has the network of its job', async (kind) => {
  const dir = mkdtempSync(join(tmpdir(), 'gantry-engine-'))
  const program = join(dir, 'engine')
  writeFileSync(program, '#!/bin/sh\necho true\n', { mode: 0o755 })
  const engine = { kind, program, version: '9', environment: {} }
  const shellIn = (enter: string[]) =>
    jobContainers(engine, { dir, limits: plenty }).shellFor(
      { room: { jobId: 1, attempt: 1, dir, slot: { index: 0 } }, step: 2 },
      { id: 'some-id', note: '' },
      { enter: async () => enter } as unknown as Network,
    )
  const script = (await shellIn(['nsenter', '--net=/slot'])) ?? ''
  expect(script).toMatch(/nsenter\S+ \S+--net=\/slot\S+ \S+engine\S+ \S+exec/)
  expect(script).toContain('/gantry/steps/2/environment')
  writeFileSync(program, '#!/bin/sh\necho false\n')
  expect(await shellIn([])).toBeUndefined()
  rmSync(dir, { recursive: true })
})

test('uses the engine that was named, else podman, else docker; any other program is refused', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gantry-engine-'))
  const program = (name: string): string => join(dir, name)
  for (const name of ['docker', 'other']) writeFileSync(program(name), '#!/bin/sh\necho something\n', { mode: 0o755 })
  expect(findProgram(undefined, dir)).toBe(program('docker'))
  writeFileSync(program('podman'), fakeEngine('podman', dir), { mode: 0o755 })
  expect(findProgram(undefined, dir)).toBe(program('podman'))
  expect([findProgram('none', dir), findProgram('gone', dir), findProgram('other', dir)]).toEqual([
    undefined,
    undefined,
    program('other'),
  ])
  const open = (name: string) =>
    openEngine({ program: program(name), environment: { PATH: process.env['PATH'] ?? '' } })
  expect(await open('podman')).toMatchObject({ kind: 'podman', version: 'podman version 9' })
  expect(await open('other')).toContain('is neither podman nor docker')
  rmSync(dir, { recursive: true })
})
