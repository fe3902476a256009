import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownNamespace } from '../../../../test/own-namespace.ts'
import type { OwnNamespace } from '../../../../test/own-namespace.ts'
import { labCluster } from '../../../../test/lab.ts'
import type { LogLine } from './logs.ts'
import * as kinds from '../resources.ts'

const lab = labCluster()
const image = 'localhost/busybox:1'

describe.skipIf(lab === undefined)('containers of a real cluster (needs the lab’s kube)', () => {
  let place: OwnNamespace
  beforeAll(async () => {
    place = await ownNamespace(lab?.kubeconfig ?? '')
  })
  afterAll(() => place.close())

  test('pod rows equal the output of kubectl', async () => {
    const { kube, namespace } = place
    const never = { imagePullPolicy: 'Never', image: 'localhost/none:1' }
    const init = (script: string, more: object = {}) => ({
      initContainers: [{ name: 'i', image, imagePullPolicy: 'Never', command: ['sh', '-c', script], ...more }],
    })
    const pods = [
      place.podOf('runs', 'sleep 1000'),
      place.podOf('done', 'true', {}, { restartPolicy: 'Never' }),
      place.podOf('fails', 'exit 3', {}, { restartPolicy: 'Never' }),
      place.podOf('crashes', 'exit 1'),
      place.podOf('no-image', 'true', never),
      place.podOf('init-waits', 'true', {}, init('sleep 1000')),
      place.podOf('init-fails', 'true', {}, init('exit 1')),
      place.podOf('sidecar', 'sleep 1000', {}, init('sleep 1000', { restartPolicy: 'Always' })),
      place.podOf('nowhere', 'true', {}, { nodeSelector: { no: 'such' } }),
      place.podOf('unready', 'sleep 1000', { readinessProbe: { exec: { command: ['false'] } } }),
    ]
    for (const pod of pods) await kube.apply(kinds.pods, pod)
    const kubectl = () =>
      execFileSync(
        join(lab?.bin ?? '', 'kubectl'),
        [
          'get',
          'pods',
          '-n',
          namespace,
          '-l',
          place.selection.labels,
          '--no-headers',
          '--kubeconfig',
          lab?.kubeconfig ?? '',
        ],
        { encoding: 'utf8' },
      )
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/).slice(0, 4).join(' '))
        .sort()
    const ours = async () => {
      const { rows } = await place.cluster.rows('pods', namespace)
      return rows
        .map(({ name, ready, total, status, restarts }) => `${name} ${ready}/${total} ${status} ${restarts}`)
        .sort()
    }
    await expect
      .poll(
        async () => (await ours()).filter((row) => /Running|Completed|Error|Err|CrashLoop|Init:0\/1/.test(row)).length,
      )
      .toBeGreaterThanOrEqual(9)
    // pods change between the two reads, so they are compared until both are of one moment
    await expect
      .poll(async () => {
        const before = kubectl()
        const rows = await ours()
        return JSON.stringify(before) === JSON.stringify(rows) ? 'same' : { before, rows }
      })
      .toBe('same')
    const { rows } = await place.cluster.rows('pods', namespace)
    const byName = new Map(rows.map((row) => [row.name, row]))
    expect(byName.get('nowhere')?.message).toMatch(/node/)
    expect(byName.get('runs')).toMatchObject({
      serving: true,
      node: expect.stringMatching(/./),
      ip: expect.stringMatching(/\./),
    })
    expect(byName.get('runs')?.containers[0]?.id).toMatch(/^[0-9a-f]{64}$/)
    await kube.removeAll(kinds.pods, place.selection, { grace: 0 })
  })

  test('logs: whole, tail, since, previous, followed to the end', async () => {
    const { kube, namespace } = place
    const script = 'for i in $(seq 1000); do echo line $i; done; test -e /d/again && sleep 1000; touch /d/again; exit 1'
    const volumes = { volumes: [{ name: 'd', emptyDir: {} }] }
    await kube.apply(
      kinds.pods,
      place.podOf('logs', script, { volumeMounts: [{ name: 'd', mountPath: '/d' }] }, volumes),
    )
    const pod = { namespace, name: 'logs' }
    const collect = async (options: object = {}) => {
      const lines: LogLine[] = []
      for await (const line of kube.log(pod, { container: 'c', ...options })) lines.push(line)
      return lines
    }
    await expect
      .poll(async () => (await kube.get(kinds.pods, pod)).status?.containerStatuses?.[0]?.restartCount)
      .toBe(1)
    await place.running('logs')
    expect((await collect()).map(({ text }) => text)).toEqual(Array.from({ length: 1000 }, (_, i) => `line ${i + 1}`))
    expect((await collect({ previous: true, tail: 2 })).map(({ text }) => text)).toEqual(['line 999', 'line 1000'])
    const [stamped] = await collect({ tail: 1, timestamps: true })
    expect(stamped).toEqual({ text: 'line 1000', at: expect.stringMatching(/^\d{4}-.*Z$/) })
    expect((await collect({ since: stamped?.at })).at(-1)?.text).toBe('line 1000')
    await expect(collect({ container: 'none' })).rejects.toMatchObject({ kind: 'invalid' })

    await kube.apply(
      kinds.pods,
      place.podOf('follow', 'for i in 1 2 3; do echo $i; sleep 1; done', {}, { restartPolicy: 'Never' }),
    )
    await place.running('follow')
    const followed: string[] = []
    for await (const { text } of kube.log({ namespace, name: 'follow' }, { container: 'c', follow: true }))
      followed.push(text)
    expect(followed).toEqual(['1', '2', '3'])
  })

  test('programs: input to its end, exit codes, a terminal, much output, a missing program', async () => {
    const { kube, namespace } = place
    await kube.apply(kinds.pods, place.podOf('exec', 'sleep 1000'))
    const pod = await place.running('exec')
    const output = async (command: [string, ...string[]], input?: string) => {
      const session = await kube.exec(pod, { container: 'c', command, stdin: input !== undefined })
      if (input !== undefined) {
        await session.write(input)
        session.endInput()
      }
      const out: Record<string, Buffer[]> = { out: [], err: [] }
      for await (const { from, bytes } of session.output) out[from]?.push(bytes)
      const text = (from: string) => Buffer.concat(out[from] ?? []).toString()
      return { out: text('out'), err: text('err'), ...(await session.ended) }
    }
    expect(await output(['sh', '-c', 'cat; echo oops >&2; exit 7'], 'héllo')).toEqual({
      out: 'héllo',
      err: 'oops\n',
      code: 7,
      message: expect.stringContaining('exit code 7'),
    })
    expect((await output(['echo', '$HOME; ls'])).out).toBe('$HOME; ls\n')
    expect((await output(['no-such-program'])).message).toMatch(/not found/)
    expect((await output(['sh', '-c', 'head -c 20000000 /dev/zero'])).out).toHaveLength(20_000_000)
    const typed = Array.from({ length: 200_000 }, (_, n) => `${n}\n`).join('')
    expect((await output(['cat'], typed)).out).toBe(typed)
    expect((await output(['dd', 'if=/dev/zero', 'bs=1', 'count=20000'])).out).toHaveLength(20_000)

    const terminal = await kube.exec(pod, { container: 'c', command: ['sh'], tty: true, stdin: true })
    await terminal.resize(77, 33)
    let screen = ''
    let entered = false
    for await (const { bytes } of terminal.output) {
      screen += bytes.toString()
      if (!entered && screen.includes('# ')) {
        entered = true
        await terminal.write('stty size; exit 5\n')
      }
    }
    expect(screen).toContain('33 77')
    expect((await terminal.ended).code).toBe(5)
    await expect(kube.exec({ namespace, name: 'none' }, { container: 'c', command: ['sh'] })).rejects.toMatchObject({
      kind: 'missing',
    })
    await expect(kube.exec(pod, { container: 'none', command: ['sh'] })).rejects.toMatchObject({ kind: 'invalid' })
  })

  test('a user has only their team’s rights', async () => {
    const { kube, namespace } = place
    const group = `gantry:team:${namespace}`
    const user = kube.as({ user: 'gantry:user:1', groups: [group, 'system:authenticated'] })
    await kube.apply(kinds.roles, {
      metadata: { name: 'team', namespace },
      rules: [
        { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list'] },
        { apiGroups: [''], resources: ['pods/exec'], verbs: ['get', 'create'] },
      ],
    })
    await kube.apply(kinds.roleBindings, {
      metadata: { name: 'team', namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'team' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group }],
    })
    await expect
      .poll(() =>
        user.can([
          { verb: 'list', resource: kinds.pods, namespace },
          { verb: 'create', resource: kinds.pods, subresource: 'exec', namespace },
          { verb: 'delete', resource: kinds.pods, namespace },
          { verb: 'list', resource: kinds.pods, namespace: 'kube-system' },
        ]),
      )
      .toEqual([true, true, false, false])
    await kube.apply(kinds.pods, place.podOf('mine', 'echo hi; sleep 1000'))
    const pod = await place.running('mine')
    const session = await user.exec(pod, { container: 'c', command: ['true'] })
    expect((await session.ended).code).toBe(0)
    expect((await user.log(pod, { container: 'c' }).next()).value?.text).toBe('hi')
    await expect(user.remove(kinds.pods, pod)).rejects.toMatchObject({ kind: 'forbidden', impersonated: true })
    const stranger = kube.as({ user: 'gantry:user:2', groups: ['gantry:team:other'] })
    await expect(stranger.exec(pod, { container: 'c', command: ['sh'] })).rejects.toMatchObject({ kind: 'forbidden' })
    await expect(stranger.log(pod, { container: 'c' }).next()).rejects.toMatchObject({ kind: 'forbidden' })
  })
})
