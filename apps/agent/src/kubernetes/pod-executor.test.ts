import { spawn, type ChildProcess } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { soon, work } from '../../test/works.ts'
import type { Command, Executor } from '../executors/executor.ts'
import type { Work } from '../protocol.ts'
import { spoolOf, type Workspace } from '../workspace/workspace.ts'
import { podExecutor } from './pod-executor.ts'
import { runner } from './runner-script.ts'

const busybox = '/bin/busybox'
const why = process.getuid?.() !== 0 ? 'needs root' : existsSync(busybox) ? '' : 'needs busybox-static'

/** Imitates a container of a pod: its own root and processes, and the job's files at a pod's paths. */
function container(root: string, room: string, control: string): ChildProcess {
  for (const folder of ['bin', 'proc', 'dev', 'tmp', 'gantry/work', 'gantry/home', 'gantry/steps', 'gantry/control'])
    mkdirSync(join(root, folder), { recursive: true })
  copyFileSync(busybox, join(root, 'bin/busybox'))
  for (const applet of ['sh', 'cat', 'sleep', 'seq', 'echo', 'kill', 'ps', 'ls', 'touch', 'head'])
    symlinkSync('busybox', join(root, 'bin', applet))
  const binds = [
    ['/dev', 'dev', false],
    [join(room, 'fs/work'), 'gantry/work', false],
    [join(room, 'fs/home'), 'gantry/home', false],
    [join(room, 'fs/steps'), 'gantry/steps', true],
    [control, 'gantry/control', true],
  ] as const
  const mounts = binds.flatMap(([from, to, readOnly]) => [
    `mount --bind '${from}' '${root}/${to}'`,
    ...(readOnly ? [`mount -o remount,bind,ro '${root}/${to}'`] : []),
  ])
  const text = [...mounts, `mount -t proc proc '${root}/proc'`, `cd '${root}'`, 'exec chroot . /bin/sh -c "$0"']
  const inside = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private']
  const apart = `cd /gantry/work\n${runner}`
  return spawn('unshare', [...inside, '/bin/sh', '-e', '-c', text.join('\n'), apart], {
    env: { PATH: '/bin:/usr/bin:/sbin:/usr/sbin' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

describe.skipIf(why !== '')(`the containers of a pod (${why || 'as namespaces of this machine'})`, () => {
  let dir: string
  let executor: Executor
  let room: Workspace
  let beside: ChildProcess[]
  let step = 0
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'gantry-pod-'))
    const [roomDir, controlRoot] = [join(dir, 'room'), join(dir, 'control')]
    executor = podExecutor({ roomDir, controlRoot, limits: { memory: 1024 ** 3, disk: 1024 ** 4 } })
    room = await executor.prepare(work([]) as Work, { index: 0 })
    beside = ['steps', 'tools'].map((name) => container(join(dir, name), roomDir, join(controlRoot, name)))
  })
  afterAll(async () => {
    await executor.cleanup(room)
    await Promise.all(
      beside.map((one) => {
        const ended = one.signalCode === null ? new Promise((done) => one.once('exit', done)) : undefined
        one.kill('SIGKILL')
        return ended
      }),
    )
    rmSync(dir, { recursive: true, force: true })
  })

  const image = { container: { image: 'any', services: [] } }
  const start = (script: string, more: Partial<Command> = image) =>
    executor.start(room, { step: ++step, shell: 'sh', script, environment: [], ...more })
  async function run(script: string, more: Partial<Command> = image) {
    const ended = await executor.wait(await start(script, more))
    return { ended, log: readFileSync(spoolOf(room, step), 'utf8') }
  }

  test('run a script with its values, and return its exit code and its whole output, in order', async () => {
    const environment = [{ name: 'ODD', value: `it's "$(id)" \`x\` \\ 你好` }]
    const { ended, log } = await run('echo "$ODD"; seq 1 30000; echo no >&2; exit 3', { ...image, environment })
    expect(ended).toEqual({ how: 'exit', code: 3 })
    expect(log).toBe(
      [`it's "$(id)" \`x\` \\ 你好`, ...Array.from({ length: 30_000 }, (_, i) => i + 1), 'no', ''].join('\n'),
    )
    expect(existsSync(join(room.dir, 'fs/steps', String(step), 'environment'))).toBe(false)
  })

  test('share the files of the job and nothing else, and a step cannot change its own input', async () => {
    await run('echo kept > file; echo too > "$HOME/file"; touch /gone')
    expect(await run('cat file "$HOME/file"; ls /gone 2> /dev/null || echo gone', {})).toMatchObject({
      log: 'kept\ntoo\ngone\n',
    })
    const { log } = await run('for path in steps control; do touch "/gantry/$path/x" 2> /dev/null || echo no; done')
    expect(log).toBe('no\nno\n')
  })

  test('leave no process of a step behind', async () => {
    expect((await run('(sleep 1000 &) ; echo begun')).log).toBe('begun\n')
    expect((await run('ps | grep "sleep 100[0]" || echo none')).log).toBe('none\n')
  })

  test('ask a step to end, and end it', async () => {
    const running = await start(`trap 'echo asked; exit 7' TERM; echo begun; while true; do sleep 0.1; done`)
    const ends = executor.wait(running)
    await expect.poll(() => readFileSync(spoolOf(room, step), 'utf8'), soon).toBe('begun\n')
    await executor.signal(running, 'TERM')
    expect(await ends).toEqual({ how: 'exit', code: 7 })
    const deaf = await start(`trap '' TERM; echo begun; while true; do sleep 0.1; done`)
    const killed = executor.wait(deaf)
    await expect.poll(() => readFileSync(spoolOf(room, step), 'utf8'), soon).toBe('begun\n')
    await executor.signal(deaf, 'TERM')
    await executor.signal(deaf, 'KILL')
    expect(await killed).toEqual({ how: 'exit', code: 137 })
    expect(await run('echo next')).toEqual({ ended: { how: 'exit', code: 0 }, log: 'next\n' })
  })

  test('report a shell that the image lacks', async () => {
    await expect(run('echo no', { ...image, shell: 'bash' })).rejects.toMatchObject({
      reason: { key: 'agents-container-failed', vars: { why: 'the image has no bash' } },
    })
    await expect(run('echo no', { container: { image: null, services: [] } })).rejects.toMatchObject({
      reason: { key: 'agents-image-missing' },
    })
  })

  test('report that the memory was exceeded if a container was killed', async () => {
    const running = executor.wait(await start('echo begun; sleep 1000'))
    await expect.poll(() => readFileSync(spoolOf(room, step), 'utf8'), soon).toBe('begun\n')
    beside[0]?.kill('SIGKILL')
    expect(await running).toMatchObject({ how: 'limit', limit: 'memory' })
  })
})
