import type { AddressInfo } from 'node:net'
import { type IncomingMessage, request } from 'node:http'
import { randomBytes } from 'node:crypto'
import { containers } from '@gantry/contract/stacks/containers/containers'
import { containerFiles } from '@gantry/contract/stacks/containers/files'
import { services } from '@gantry/contract/stacks/services'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labApp } from '../../../../test/lab-app.ts'
import { labCluster, nameByDigest } from '../../../../test/lab.ts'
import { until } from '../../../../test/own-namespace.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const lab = labCluster()
const image = 'localhost/busybox:1'

describe.skipIf(lab === undefined)(
  'files and logs of containers on a real cluster (needs the lab’s kube)',
  async () => {
    const { app, kube: direct, join, runJobs, stack } = await labApp({ config: { debugImage: image } })
    let team: Awaited<ReturnType<typeof app.team>>
    let [envId, podId, podName, namespace, origin] = ['', '', '', '', '']
    let id = 0
    const params = () => ({ teamId: team.id, envId, podId, name: 'files' })

    beforeAll(async () => {
      nameByDigest(lab?.kubeconfig ?? '', image)
      team = await app.team(`files-${randomBytes(3).toString('hex')}`)
      envId = await join(team)
      await runJobs()
      const shop = await stack(team, envId)
      ;({ namespace } = shop)
      id = (
        await team.leader.call(services.create, {
          params: { teamId: team.id, stackId: shop.id, serviceName: 'files' },
          body: {
            image,
            resources: { cpu: '1', memory: '3Gi' },
            command: [
              'sh',
              '-c',
              'mkdir -p /var/log/app; ln -s /etc/passwd /var/log/app/link.log; echo up; sleep 3600',
            ],
          },
        })
      ).id
      const read = () => team.leader.call(services.containers, { params: { teamId: team.id, envId, id } })
      const { items } = await until('the pod runs', async () => {
        const list = await read()
        return list.items[0]?.ready && list
      })
      ;[podId, podName] = [items[0]?.podId ?? '', items[0]?.podName ?? '']
      await app.fastify.listen({ host: '127.0.0.1', port: 0 })
      origin = `http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`
    })
    afterAll(async () => {
      await direct().remove(kinds.namespaces, { name: namespace })
    })

    const run = async (...command: [string, ...string[]]) => {
      const session = await direct().exec({ name: podName, namespace }, { container: 'files', command })
      let text = ''
      for await (const { bytes } of session.output) text += bytes.toString()
      await session.ended
      return text
    }
    const address = (path: string, more = '') =>
      `${origin}/orchestration/api/${team.id}/env/${envId}/pod/${podId}/container/files/files/content?path=${encodeURIComponent(path)}${more}`
    const authorized = () => ({ authorization: `Bearer ${team.leader.token}` })

    /** Sends up to so many megabytes as fast as they are taken; returns the status, the body and the peak of memory. */
    async function upload(path: string, megabytes: number, most = megabytes, pauseMs = 0) {
      const block = Buffer.alloc(1024 * 1024, 'gantry ')
      const sending = request(address(path, '&overwrite=true'), {
        method: 'POST',
        headers: {
          ...authorized(),
          'content-type': 'application/octet-stream',
          'content-length': megabytes * block.length,
        },
      })
      const sent = { gone: false }
      let wake = (): void => undefined
      sending.on('drain', () => wake())
      // The server may answer before everything was sent and then close the connection: the answer counts.
      const answered = new Promise<{ status: number; text: string }>((resolve) => {
        sending.once(
          'response',
          (response) => void textOf(response).then((text) => resolve({ status: response.statusCode ?? 0, text })),
        )
        sending.on('error', () => undefined)
        sending.once('close', () => {
          sent.gone = true
          wake()
          setTimeout(() => resolve({ status: 0, text: '' }), 500)
        })
      })
      let peak = 0
      for (let n = 0; n < most && !sent.gone; n++) {
        if (!sending.write(block))
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        peak = Math.max(peak, process.memoryUsage().rss)
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
      if (most < megabytes) sending.destroy()
      else sending.end()
      return { answered, peak }
    }

    async function textOf(response: IncomingMessage) {
      let text = ''
      for await (const chunk of response) text += String(chunk)
      return text
    }

    test('a 500 MB file is uploaded and downloaded unchanged with bounded memory', { timeout: 180_000 }, async () => {
      await upload('/tmp/warm', 20).then(({ answered }) => answered)
      globalThis.gc?.()
      const before = process.memoryUsage().rss
      const begun = Date.now()
      const { answered, peak } = await upload('/tmp/large', 500)
      expect(await answered).toEqual({ status: 200, text: expect.stringContaining('524288000') })
      const up = Date.now() - begun
      expect((await run('stat', '-c', '%s', '/tmp/large')).trim()).toBe(String(500 * 1024 * 1024))
      const answer = await fetch(address('/tmp/large'), { headers: authorized() })
      let [size, most] = [0, peak]
      for await (const chunk of answer.body ?? []) {
        size += (chunk as Uint8Array).length
        most = Math.max(most, process.memoryUsage().rss)
      }
      expect(size).toBe(500 * 1024 * 1024)
      process.stdout.write(
        `500 MB up in ${up} ms, down in ${Date.now() - begun - up} ms, +${Math.round((most - before) / 1024 / 1024)} MB at most\n`,
      )
      expect(most - before).toBeLessThan(150 * 1024 * 1024)
      expect(await run('sh', '-c', 'ls -A /tmp; rm /tmp/large /tmp/warm')).not.toContain('.part')
    })

    test('an interrupted upload leaves nothing behind and does not change an existing file', async () => {
      await run('sh', '-c', 'echo before > /tmp/kept')
      const { answered } = await upload('/tmp/kept', 50, 10)
      await answered
      await expect.poll(() => run('sh', '-c', 'ls -A /tmp')).not.toContain('.part')
      expect(await run('cat', '/tmp/kept')).toBe('before\n')
    })

    test('links are followed; cycles and pipes are refused', async () => {
      await run('sh', '-c', 'cd /tmp; echo there > real; ln -s real link; ln -s b a; ln -s a b; mkfifo pipe; mkdir dir')
      const read = (path: string) => team.leader.call(containerFiles.read, { params: params(), query: { path } })
      expect((await read('/tmp/link')).text).toBe('there\n')
      await expect(read('/tmp/pipe')).rejects.toMatchObject({ key: 'container-path-special' })
      await expect(read('/proc/kmsg')).rejects.toMatchObject({ key: 'container-path-special' })
      await expect(read('/tmp/a')).rejects.toMatchObject({ status: expect.any(Number) })
      const { items } = await team.leader.call(containerFiles.list, { params: params(), query: { path: '/tmp' } })
      expect(items.map(({ name, kind, target }) => [name, kind, target])).toEqual(
        expect.arrayContaining([
          ['dir', 'folder', ''],
          ['link', 'link', 'real'],
          ['pipe', 'other', ''],
          ['real', 'file', ''],
        ]),
      )
    })

    test('the end and the middle of a 1 GB log file are read without the rest', { timeout: 120_000 }, async () => {
      await run(
        'sh',
        '-c',
        'i=0; while [ $i -lt 10000 ]; do echo "line $i of a log"; i=$((i+1)); done > /tmp/part; dd if=/dev/zero of=/var/log/app/big.log bs=1 count=0 seek=1073741824 2>/dev/null; cat /tmp/part >> /var/log/app/big.log; dd if=/tmp/part of=/var/log/app/big.log bs=65536 seek=8192 conv=notrunc 2>/dev/null',
      )
      const read = (query: Record<string, string | number>) =>
        team.leader.call(containers.log, { params: params(), query: { path: '/var/log/app/big.log', ...query } })
      await read({ quantity: 10 })
      const times: number[] = []
      const timed = async (query: Record<string, string | number>) => {
        const begun = performance.now()
        const part = await read(query)
        times.push(Math.round(performance.now() - begun))
        return part
      }
      const end = await timed({ quantity: 500 })
      expect(end.lines).toHaveLength(500)
      expect(end.lines.at(-1)?.text).toBe('line 9999 of a log')
      const middle = await timed({ whence: 'start', offset: 8192 * 65536, quantity: 3 })
      expect(middle.lines.map(({ text }) => text)).toEqual(['line 1 of a log', 'line 2 of a log', 'line 3 of a log'])
      process.stdout.write(`end and middle of a 1 GB log file: ${times.join(' and ')} ms\n`)
      const { files } = await team.leader.call(containers.paths, { params: { teamId: team.id, envId, podId } })
      expect(files.map(({ path }) => path)).toEqual(['/var/log/app/big.log'])
      await expect(read({ path: '/var/log/app/link.log' })).rejects.toMatchObject({ key: 'log-path-refused' })
    })

    test('a debug container is started beside one', async () => {
      const { container } = await team.leader.call(containers.debug, {
        params: { teamId: team.id, envId, id: podId },
      })
      const { items } = await team.leader.call(services.containers, { params: { teamId: team.id, envId, id } })
      expect(items.map(({ name, role }) => [name, role])).toEqual([
        ['files', 'main'],
        [container, 'debug'],
      ])
    })

    test('a pod that is deleted during an upload is reported', async () => {
      const uploading = upload('/tmp/gone', 400, 400, 50)
      await new Promise((resolve) => setTimeout(resolve, 300))
      await direct().remove(kinds.pods, { name: podName, namespace }, { grace: 0 })
      const { answered } = await uploading
      expect(await answered).toEqual({ status: 409, text: expect.stringContaining('container-pod-gone') })
    })
  },
)
