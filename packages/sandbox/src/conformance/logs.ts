/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from './trial/client.ts'
import { isOver, isRunning, podCase, status } from './trial/pod-case.ts'
import { eventually, must, podOf, type Case } from './trial/trial.ts'

const talk = (name: string): Json =>
  podOf(name, `${[1, 2, 3, 4, 5].map((n) => `echo line ${n}`).join('; ')}; sleep 3600`)

export const logCases: Case[] = [
  podCase('reads a log completely and in parts', talk, async ({ until, log }) => {
    await until(isRunning)
    await eventually(async () => expect((await log()).text).toBe('line 1\nline 2\nline 3\nline 4\nline 5\n'))
    expect((await log({ tailLines: 2 })).text).toBe('line 4\nline 5\n')
    expect((await log({ tailLines: 0 })).text).toBe('')
    expect((await log({ limitBytes: 8 })).text).toBe('line 1\nl')
    expect((await log({ sinceSeconds: 3600 })).text).toContain('line 1')
    expect((await log({ sinceTime: '2100-01-01T00:00:00Z' })).text).toBe('')
    expect((await log({ timestamps: true, tailLines: 1 })).text).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z line 5\n$/,
    )
    expect((await log()).headers['content-type']).toBe('text/plain')
  }),
  podCase(
    'a followed log ends with its container',
    (name) => podOf(name, 'echo 1; sleep 1; echo 2; sleep 1; echo 3; sleep 1', {}, { restartPolicy: 'Never' }),
    async ({ path, until }, { kube }) => {
      await until((pod) => expect(status(pod).state?.running ?? status(pod).state?.terminated).toBeTruthy())
      const lines: string[] = []
      for await (const line of kube.lines(`${path}/log`, { follow: true })) lines.push(line)
      expect(lines).toEqual(['1', '2', '3'])
      expect((await until(isOver)).status.phase).toBe('Succeeded')
    },
  ),
  podCase('a followed log ends with its pod', talk, async ({ path, until }, { kube }) => {
    await until(isRunning)
    const lines: string[] = []
    for await (const line of kube.lines(`${path}/log`, { follow: true, tailLines: 1 })) {
      lines.push(line)
      await kube.call('DELETE', path, { body: { gracePeriodSeconds: 0 } })
    }
    expect(lines).toEqual(['line 5'])
  }),
  podCase(
    'refuses invalid requests for a log',
    (name) => {
      const pod = podOf(name, 'sleep 3600')
      pod.spec.containers.push({ ...pod.spec.containers[0], name: 'd' })
      return pod
    },
    async ({ name, path, until, log }, { kube, at }) => {
      await until(isRunning)
      const said = async (query: Record<string, string | number | boolean>): Promise<unknown> => {
        const { body } = await log(query)
        return [body?.code, body?.message]
      }
      expect(await said({})).toEqual([400, `a container name must be specified for pod ${name}, choose one of: [c d]`])
      expect(await said({ container: 'x' })).toEqual([400, `container x is not valid for pod ${name}`])
      expect(await said({ container: 'c', previous: true })).toEqual([
        400,
        `previous terminated container "c" in pod "${name}" not found`,
      ])
      expect(await said({ container: 'c', tailLines: -1 })).toEqual([
        422,
        `PodLogOptions "${name}" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0`,
      ])
      expect(await said({ container: 'c', sinceSeconds: 0 })).toEqual([
        422,
        `PodLogOptions "${name}" is invalid: sinceSeconds: Invalid value: 0: must be greater than 0`,
      ])
      must(await kube.call('GET', `${at('v1', 'pods', 'nothing')}/log`), 404)
      must(await kube.call('POST', `${path}/log`), 405)
    },
  ),
]
