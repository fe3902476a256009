import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clusters } from '@gantry/contract/clusters/clusters'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { openLog } from '../../../kernel/log.ts'
import { gatewayTo } from '../../../../test/gateway.ts'
import { admitLocal, certificate } from '../../../../test/kube-api.ts'
import { startSandbox } from '../../../../test/sandbox.ts'
import { testApp } from '../../../../test/test-app.ts'
import { joinScript, shellQuoted } from './join-script.ts'

const sandbox = await startSandbox()
const kubeconfig = readFileSync(sandbox.kubeconfig, 'utf8')
const { server } = parseKubeconfig(kubeconfig)
const gateway = await gatewayTo(server)
/** The kubeconfig of a further cluster with the sandbox's objects. */
const another = () => kubeconfig.replace(server, gateway.cluster())
const kube = openKube({ admit: admitLocal })
const lines: string[] = []
/** A cluster with an agent is this one too. */
const cluster: typeof kube.cluster = (environment, address) =>
  kube.cluster(environment, address.auth.kind === 'agent' ? parseKubeconfig(kubeconfig) : address)
const app = await testApp({ ports: { kube: { ...kube, cluster } }, log: openLog('trace', (line) => lines.push(line)) })
const folder = mkdtempSync(join(tmpdir(), 'gantry-join-'))
afterAll(async () => {
  await kube.close()
  await gateway.close()
  await sandbox.stop()
  rmSync(folder, { recursive: true, force: true })
})
const direct = kube.cluster('direct', parseKubeconfig(kubeconfig)).kube

/** A PATH with a kubeadm that stores its arguments and an `id` that says root. */
beforeAll(() => {
  const program = (name: string, text: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  program('kubeadm', `printf '%s\\n' "$*" >"${folder}/arguments"; cp "$3" "${folder}/configuration"`)
  program('id', 'echo 0')
  for (const name of ['reboot', 'canary']) program(name, `touch "${folder}/ran"`)
})

function run(script: string): { said: string; arguments: string; configuration: unknown } {
  const said = execFileSync('/bin/sh', ['-s'], {
    input: script,
    encoding: 'utf8',
    env: { PATH: `${folder}:/usr/bin:/bin`, TMPDIR: folder },
  })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  return { said, arguments: read('arguments'), configuration: JSON.parse(read('configuration')) }
}

const authority = `apiVersion: v1
kind: Config
clusters:
- name: ''
  cluster:
    server: https://10.1.2.3:6443
    certificate-authority-data: ${Buffer.from(certificate('ca')).toString('base64')}
`

const hostile = ['$(reboot)', '`reboot`', `'; reboot; '`, '"$(canary)" \\', `-n 'x' && canary #`, 'a\nreboot\n']

test.each(hostile)('a cluster named %s joins hosts, and its name is not executed', async (name) => {
  await direct.apply(kinds.configMaps, {
    metadata: { namespace: 'kube-public', name: 'cluster-info' },
    data: { kubeconfig: authority },
  })
  // no form accepts such a name, but an older release or the database might contain one
  const { uuid } = await app.admin.call(clusters.create, {
    body: { name: `c-${hostile.indexOf(name)}`, kubeconfig: another(), teamIds: [] },
  })
  await app.db.updateTable('environment').set({ name }).where('uuid', '=', uuid).execute()

  const { script, expiresAt } = await app.admin.call(clusters.script, { body: { envUuid: uuid } })
  const ran = run(script)
  expect(existsSync(join(folder, 'ran'))).toBe(false)
  // control characters are replaced
  expect(ran.said).toContain(name.replaceAll('\n', ' '))
  expect(ran.configuration).toMatchObject({
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'JoinConfiguration',
    discovery: {
      bootstrapToken: {
        apiServerEndpoint: '10.1.2.3:6443',
        token: expect.stringMatching(/^[a-z0-9]{6}\.[a-z0-9]{16}$/),
        caCertHashes: [expect.stringMatching(/^sha256:[0-9a-f]{64}$/)],
      },
    },
  })
  const token = /[a-z0-9]{6}\.[a-z0-9]{16}/.exec(script)?.[0] ?? ''
  expect(ran.arguments).not.toContain(token)
  const hour = new Date(expiresAt).getTime() - Date.now()
  expect(hour).toBeGreaterThan(3_500_000)
  expect(hour).toBeLessThanOrEqual(3_600_000)
})

test('the token belongs to this script, lasts an hour, and is in no log and no audit row', async () => {
  const { uuid } = await app.admin.call(clusters.create, {
    body: { name: 'plain', kubeconfig: another(), teamIds: [] },
  })
  const make = async () => {
    const { script } = await app.admin.call(clusters.script, { body: { envUuid: uuid } })
    return /([a-z0-9]{6})\.([a-z0-9]{16})/.exec(script) ?? []
  }
  const [first, second] = [await make(), await make()]
  expect(first[0]).not.toBe(second[0])
  const [, id, secret = ''] = first
  const kept = await direct.get(kinds.secrets, { namespace: 'kube-system', name: `bootstrap-token-${id}` })
  expect(kept.type).toBe('bootstrap.kubernetes.io/token')
  const data = Object.fromEntries(
    Object.entries(kept.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  )
  expect(data).toMatchObject({
    'token-id': id,
    'token-secret': secret,
    'usage-bootstrap-authentication': 'true',
    'usage-bootstrap-signing': 'true',
    expiration: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  })
  const trail = app.db.selectFrom('audit_log').selectAll().where('action', '=', 'environment.script')
  const rows = await trail.orderBy('id').execute()
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.at(-1)).toMatchObject({ object: 'plain', url: clusters.script.path })
  expect(JSON.stringify(rows)).not.toContain(secret)
  expect(lines.join('\n')).not.toContain(secret)
})

test.each([
  ['nothing', undefined, 'hosts-script-other-maker'],
  ['no YAML', '{', 'hosts-script-no-authority'],
  [
    'no authority',
    'clusters: [{cluster: {server: https://10.1.2.3:6443, certificate-authority-data: ""}}]',
    'hosts-script-no-authority',
  ],
])('a cluster that publishes %s is refused as such, whatever its connection method', async (_, published, key) => {
  const ref = { namespace: 'kube-public', name: 'cluster-info' }
  await direct.remove(kinds.configMaps, ref)
  if (published !== undefined) await direct.apply(kinds.configMaps, { metadata: ref, data: { kubeconfig: published } })
  const { uuid } = await app.admin.call(clusters.create, {
    body: { name: `untold-${published?.length ?? 0}`, kubeconfig: another(), teamIds: [] },
  })
  const refused = { status: 409, key }
  await expect(app.admin.call(clusters.script, { body: { envUuid: uuid } })).rejects.toMatchObject(refused)
  await app.db.updateTable('environment').set({ reach: 'agent', address: '' }).where('uuid', '=', uuid).execute()
  await expect(app.admin.call(clusters.script, { body: { envUuid: uuid } })).rejects.toMatchObject(refused)
})

test('Windows is refused explicitly, and only administrators add hosts', async () => {
  const { uuid } = await app.admin.call(clusters.create, {
    body: { name: 'refusals', kubeconfig: another(), teamIds: [] },
  })
  const windows = app.admin.call(clusters.script, { body: { envUuid: uuid, os: 'windows' } })
  await expect(windows).rejects.toMatchObject({ status: 400, message: expect.stringContaining('Windows') })
  const team = await app.team()
  const member = team.leader.call(clusters.script, { body: { envUuid: uuid } })
  await expect(member).rejects.toMatchObject({ status: 403, key: 'admin-only' })
})

test('shellQuoted passes any value to the shell unchanged', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((value) => !value.includes('\0'))
  fc.assert(
    fc.property(text, (value) => {
      const said = execFileSync('/bin/sh', ['-c', `printf '%s' ${shellQuoted(value)}`])
      expect(said.toString('utf8')).toBe(value)
    }),
    { numRuns: 40, examples: [["'"], ['$(reboot)'], ['a\nb'], ["'\\''"], ['"`!*']] },
  )
})

test('texts in the script contain no control characters', () => {
  const texts = { needsRoot: 'a', needsKubeadm: 'b', joining: 'to \u001b[2J\u0007x\ny', joined: 'd' }
  const script = joinScript({ endpoint: 'a:1', token: 'x', caHash: 'sha256:0', minor: 30, texts })
  expect(script).toContain("'to  [2J x y'")
  expect(script).toContain('v1beta3')
})
