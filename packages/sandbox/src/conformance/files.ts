/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from './trial/client.ts'
import { isRunning, podCase, sleeper } from './trial/pod-case.ts'
import { must, podOf, type Case } from './trial/trial.ts'

const row = (kind: string, name: string): RegExp =>
  new RegExp(
    `^${kind}[rwxst-]{9}\\s+\\d+\\s+0\\s+0\\s+\\S.*\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\+0000 ${name}$`,
    'm',
  )

/** What the file screens do in a container: programs with arguments, without a shell. */
export const fileCases: Case[] = [
  podCase(
    'files: written, read in parts, listed, replaced and removed',
    sleeper,
    async ({ path, until, exec }, { kube }) => {
      await until(isRunning)
      const run = async (command: string[], input?: string) =>
        kube.exec(
          `${path}/exec`,
          exec(command, input === undefined ? {} : { stdin: true }),
          input === undefined
            ? {}
            : {
                input: async (send, echoed) => {
                  send(0, input)
                  await echoed(input)
                  send(255, '\u0000')
                },
              },
        )
      const out = async (...command: string[]): Promise<string> => (await run(command)).stdout
      const text = '0123456789'.repeat(1000)
      const sent = await run(['tee', '/tmp/.a.part'], text)
      expect([sent.stdout, sent.status.status]).toEqual([text, 'Success'])
      expect(await out('stat', '-c', '%s %a', '--', '/tmp/.a.part')).toBe('10000 644\n')
      expect((await run(['chmod', '600', '/tmp/.a.part'])).status.status).toBe('Success')
      expect((await run(['mv', '-f', '--', '/tmp/.a.part', '/tmp/a'])).status.status).toBe('Success')
      expect(await out('stat', '-c', '%f %s %a', '--', '/tmp/a')).toBe('8180 10000 600\n')
      expect(await out('dd', 'if=/tmp/a', 'bs=1000', 'skip=9', 'count=5')).toBe('0123456789'.repeat(100))
      expect(await out('readlink', '-f', '--', '/tmp/a')).toBe('/tmp/a\n')
      const listed = await out('ls', '-lnA', '--full-time', '--', '/tmp/')
      expect(listed).toMatch(/^total \d+$/m)
      expect(listed).toMatch(row('-', 'a'))
      expect(await out('ls', '-lnA', '--full-time', '--', '/')).toMatch(row('d', 'tmp'))
      expect(await out('ls', '-lnA', '--full-time', '--', '/dev/')).toMatch(/^crw.*\d+,\s*\d+ .* null$/m)
      expect((await run(['rm', '-f', '--', '/tmp/a'])).status.status).toBe('Success')
      expect(await out('ls', '-lnA', '--full-time', '--', '/tmp/')).not.toMatch(row('-', 'a'))
    },
  ),
  podCase('files: refusals', sleeper, async ({ path, until, exec }, { kube }) => {
    await until(isRunning)
    const fails = async (...command: string[]): Promise<string> => {
      const done = await kube.exec(`${path}/exec`, exec(command))
      expect(done.status.status).toBe('Failure')
      return done.stderr
    }
    expect(await fails('stat', '-c', '%s', '--', '/none')).toContain('No such file or directory')
    expect(await fails('ls', '-lnA', '--full-time', '--', '/none/')).toContain('No such file or directory')
    expect(await fails('ls', '-lnA', '--full-time', '--', '/etc/passwd/')).toContain('Not a directory')
    expect(await fails('tee', '/none/a')).toContain('No such file or directory')
    expect(await fails('tee', '/tmp')).toContain('Is a directory')
  }),
  podCase('files: nested folders, and an archive of them', sleeper, async ({ path, until, exec }, { kube }) => {
    await until(isRunning)
    const out = async (...command: string[]): Promise<string> => (await kube.exec(`${path}/exec`, exec(command))).stdout
    await out('touch', '/tmp/b.log')
    const listed = await out('ls', '-lnAR', '--full-time', '--', '/none', '/tmp')
    expect(listed).toMatch(/^\/tmp:$/m)
    expect(listed).toMatch(row('-', 'b.log'))
    const archive = await out('tar', '-cf', '-', '-C', '/tmp', '.')
    expect(archive).toContain('./b.log')
    expect(archive).toContain('ustar')
  }),
  podCase(
    'files: a read-only root',
    (name) => podOf(name, 'sleep 3600', { securityContext: { readOnlyRootFilesystem: true } }),
    async ({ path, until, exec }, { kube }) => {
      await until(isRunning)
      const done = await kube.exec(`${path}/exec`, exec(['tee', '/tmp/a']))
      expect(done.stderr).toContain('Read-only file system')
    },
  ),
]

const debug = (name: string, more: object = {}): Json => ({
  name,
  image: 'localhost/busybox:1',
  imagePullPolicy: 'Never',
  command: ['sleep', '3600'],
  ...more,
})

/** Containers that are added to a running pod. */
export const ephemeralCases: Case[] = [
  podCase('an ephemeral container', sleeper, async ({ path, until, read, exec }, { kube }) => {
    await until(isRunning)
    const add = (list: Json[], version?: string) =>
      kube.call('PATCH', `${path}/ephemeralcontainers`, {
        type: 'application/merge-patch+json',
        body: {
          ...(version === undefined ? {} : { metadata: { resourceVersion: version } }),
          spec: { ephemeralContainers: list },
        },
      })
    must(await add([debug('d', { targetContainerName: 'c' })]), 200)
    const pod = await until(({ status }) => expect(status.ephemeralContainerStatuses?.[0]?.state?.running).toBeTruthy())
    expect(pod.spec.ephemeralContainers[0]).toMatchObject({ name: 'd', targetContainerName: 'c' })
    expect((await kube.exec(`${path}/exec`, exec(['true'], { container: 'd' }))).status.status).toBe('Success')
    expect((await add([])).code).toBe(422)
    expect((await add([debug('d', { targetContainerName: 'c', image: 'other' })])).code).toBe(422)
    expect((await add([debug('d', { targetContainerName: 'c' }), debug('e')], '1')).code).toBe(409)
    const { metadata } = await read()
    must(await add([...pod.spec.ephemeralContainers, debug('c')], metadata.resourceVersion), 422)
    expect((await read()).status.phase).toBe('Running')
  }),
]
