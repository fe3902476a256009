/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import { isRunning, podCase, sleeper } from './trial/pod-case.ts'
import { podOf, type Case } from './trial/trial.ts'

export const execCases: Case[] = [
  podCase('runs a command and answers its output and exit code', sleeper, async ({ path, until, exec }, { kube }) => {
    await until(isRunning)
    const script = 'echo out; echo err >&2; exit 3'
    for (const protocol of ['v4.channel.k8s.io', 'v5.channel.k8s.io']) {
      const done = await kube.exec(`${path}/exec`, exec(['sh', '-c', script]), { protocol })
      expect(done).toEqual({
        protocol,
        stdout: 'out\n',
        stderr: 'err\n',
        status: {
          metadata: {},
          status: 'Failure',
          message: `command terminated with non-zero exit code: ${protocol.startsWith('v4') ? `error executing command [sh -c ${script}], exit code 3` : 'command terminated with exit code 3'}`,
          reason: 'NonZeroExitCode',
          details: { causes: [{ reason: 'ExitCode', message: '3' }] },
        },
      })
    }
    const well = await kube.exec(`${path}/exec`, exec(['true']))
    expect(well.status).toEqual({ metadata: {}, status: 'Success' })
  }),
  podCase('passes a command’s input on to its end', sleeper, async ({ path, until, exec }, { kube }) => {
    await until(isRunning)
    const done = await kube.exec(`${path}/exec`, exec(['cat'], { stdin: true }), {
      input: async (send, echoed) => {
        send(0, 'one\ntwo')
        await echoed('one\ntwo')
        send(255, '\u0000')
      },
    })
    expect([done.stdout, done.status.status]).toEqual(['one\ntwo', 'Success'])
  }),
  podCase('a terminal', sleeper, async ({ path, until, exec }, { kube }) => {
    await until(isRunning)
    const done = await kube.exec(
      `${path}/exec`,
      { ...exec(['sh'], { stdin: true, tty: true }), stderr: false },
      {
        input: (send) => {
          send(4, JSON.stringify({ Width: 100, Height: 30 }))
          send(0, 'echo a"b"c\r')
          send(0, 'nope\r')
          send(0, 'exit 4\r')
        },
      },
    )
    expect(done.stdout).toContain('# ')
    expect(done.stdout).toContain('\r\nabc\r\n')
    expect(done.stdout).toContain('sh: nope: not found\r\n')
    expect(done.status.details.causes).toEqual([{ reason: 'ExitCode', message: '4' }])
  }),
  podCase('a terminal whose script replaces itself with a shell', sleeper, async ({ path, until, exec }, { kube }) => {
    await until(isRunning)
    const script = 'A=kept; export A; command -v bash >/dev/null 2>&1 && exec bash; exec sh'
    const done = await kube.exec(
      `${path}/exec`,
      { ...exec(['/bin/sh', '-c', script], { stdin: true, tty: true }), stderr: false },
      {
        input: (send) => {
          send(0, 'echo "<$A>"\r')
          send(0, 'exit 4\r')
        },
      },
    )
    expect(done.stdout).toContain('# ')
    expect(done.stdout).toContain('\r\n<kept>\r\n')
    expect(done.status.details.causes).toEqual([{ reason: 'ExitCode', message: '4' }])
  }),
  podCase(
    'shows the files of a container',
    (name) => podOf(name, 'sleep 3600', { env: [{ name: 'A', value: 'x y' }], workingDir: '/tmp' }),
    async ({ name, path, until, exec }, { kube }) => {
      await until(isRunning)
      const run = async (script: string): Promise<string> =>
        (await kube.exec(`${path}/exec`, exec(['sh', '-c', script]))).stdout
      expect(await run('cat /etc/hostname; pwd; echo "$A"')).toBe(`${name}\n/tmp\nx y\n`)
      expect(await run('touch /tmp/f; cd / && ls tmp')).toBe('f\n')
      expect(await run('cat f && echo there; cat g 2>/dev/null || echo none')).toBe('there\nnone\n')
      expect(await run('cat /none 2>&1')).toBe("cat: can't open '/none': No such file or directory\n")
    },
  ),
  podCase('reports a missing command', sleeper, async ({ path, until, exec }, { kube }) => {
    await until(isRunning)
    const { status: said } = await kube.exec(`${path}/exec`, exec(['nope']))
    expect(said).toMatchObject({ status: 'Failure', reason: 'InternalError', code: 500 })
    expect(said.message).toContain('exec: "nope": executable file not found in $PATH')
  }),
  podCase(
    'refuses containers in which nothing can run',
    (name) => podOf(name, 'true', {}, { nodeSelector: { 'contract/none': 'none' } }),
    async ({ path, exec }, { kube, at }) => {
      await expect(kube.exec(`${path}/exec`, exec(['true']))).rejects.toMatchObject({ code: 400 })
      await expect(kube.exec(`${at('v1', 'pods', 'nothing')}/exec`, exec(['true']))).rejects.toMatchObject({
        code: 404,
      })
      await expect(kube.exec(`${path}/exec`, exec(['true'], { container: 'x' }))).rejects.toMatchObject({ code: 400 })
    },
  ),
]
