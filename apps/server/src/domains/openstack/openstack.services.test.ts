import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clusters } from '@gantry/contract/clusters/clusters'
import { openstack } from '@gantry/contract/openstack/openstack'
import { zones } from '@gantry/contract/openstack/zones'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labService } from '../../../test/lab.ts'
import { startSandbox } from '../../../test/sandbox.ts'
import { testApp } from '../../../test/test-app.ts'
import { parseKubeconfig } from '../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../adapters/kube/transport/pool.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import { createOpenStack } from '../../adapters/openstack/openstack.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { accountConf, zoneConf } from './kuryr.ts'

const lab = labService('openstack')

/** Parses files with oslo.config, which Kuryr uses: each option's value by section. */
const reader = `
import json, sys
from oslo_config import cfg
conf = cfg.ConfigOpts()
asked = json.loads(sys.argv[1])
for group, options in asked.items():
    for option in options:
        conf.register_opt(cfg.ListOpt(option) if option == 'pod_security_groups' else cfg.StrOpt(option), group)
conf(args=[], default_config_files=sys.argv[2:])
print(json.dumps({group: {option: conf[group][option] for option in options} for group, options in asked.items()}))
`

function readByOslo(options: Record<string, string[]>, ...texts: string[]): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-kuryr-'))
  try {
    const files = texts.map((text, at) => {
      const file = join(folder, `${at}.conf`)
      writeFileSync(file, text)
      return file
    })
    const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', reader, JSON.stringify(options), ...files], {
      encoding: 'utf8',
    })
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const zoneOptions = {
  neutron_defaults: ['project', 'pod_security_groups', 'pod_subnet', 'service_subnet'],
  kubernetes: ['pod_vif_driver'],
  binding: ['driver', 'link_iface'],
  pod_vif_nested: ['worker_nodes_subnet'],
}

describe.skipIf(lab === undefined)(`a real OpenStack${lab ? '' : ' (skipped: there is no lab)'}`, async () => {
  const sandbox = await startSandbox()
  const kubeconfig = readFileSync(sandbox.kubeconfig, 'utf8')
  const kube = openKube({ admit: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }] }) })
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const app = await testApp({ ports: { kube, outbound, openstack: createOpenStack(outbound) } })
  const direct = kube.cluster('direct', parseKubeconfig(kubeconfig)).kube
  afterAll(async () => {
    await outbound.close()
    await kube.close()
    await sandbox.stop()
  })

  const authUrl = lab?.['OS_AUTH_URL'] ?? ''
  const demo = { authUrl, username: 'demo', password: 'demo-secret', projectName: 'demo' }
  const admin = { authUrl, username: 'admin', password: lab?.['OS_PASSWORD'] ?? '', projectName: 'admin' }
  let env = ''
  beforeAll(async () => {
    ;({ uuid: env } = await app.admin.call(clusters.create, { body: { name: 'cluster', kubeconfig } }))
  })
  const connect = (name: string, keystone: typeof demo & { projectDomainName?: string }) =>
    app.admin.call(openstack.create, { params: { env }, body: { name, keystone } })

  test('each refusal by Keystone has its own message', async () => {
    for (const [more, key] of [
      [{ password: 'not-the-password' }, 'openstack-password-refused'],
      [{ username: 'nobody' }, 'openstack-password-refused'],
      [{ projectName: 'admin' }, 'openstack-project-refused'],
      [{ projectName: 'no-such-project' }, 'openstack-project-refused'],
      [{ projectDomainName: 'NoSuchDomain' }, 'openstack-domain-refused'],
      [{ authUrl: lab?.['NEUTRON_URL'] ?? '' }, 'openstack-not-keystone'],
    ] as const)
      await expect(connect('never', { ...demo, ...more })).rejects.toMatchObject({ key })
    expect((await app.admin.call(openstack.list, { params: { env } })).items).toEqual([])
  })

  test('a member chooses in its project, an administrator in every project', async () => {
    const member = await connect('member', demo)
    const params = { env, uuid: member.uuid }
    const own = await app.admin.call(openstack.choices, { params })
    expect(own.projects.map(({ name }) => name)).toEqual(['demo'])
    expect(own.subnets.map(({ name, cidr }) => [name, cidr]).toSorted()).toEqual([
      ['hosts-subnet', '192.168.40.0/24'],
      ['pods-subnet', '10.20.0.0/16'],
      ['services-subnet', '10.21.0.0/16'],
    ])
    expect(own.subnets.find(({ name }) => name === 'pods-subnet')?.pools).toEqual([
      { start: '10.20.0.2', end: '10.20.255.254' },
    ])
    expect(own.securityGroups.map(({ name }) => name)).toEqual(expect.arrayContaining(['pods-open', 'pods-closed']))

    const operator = await connect('operator', admin)
    const all = await app.admin.call(openstack.choices, { params: { env, uuid: operator.uuid } })
    const found = all.projects.find(({ name }) => name === 'demo')
    expect(found?.id).toBe(own.project)
    expect(all.subnets).toEqual([])
    const query = { project: own.project }
    const theirs = await app.admin.call(openstack.choices, { params: { env, uuid: operator.uuid }, query })
    expect(theirs.subnets).toEqual(own.subnets)
  })

  test('oslo.config parses a nested zone, and the zone is deleted with its connection', async () => {
    const { uuid } = await connect('nesting', demo)
    const choices = await app.admin.call(openstack.choices, { params: { env, uuid } })
    const subnet = (name: string) => choices.subnets.find((one) => one.name === name)?.id ?? ''
    const groups = choices.securityGroups.map(({ id }) => id)
    const neutronDefaults = {
      project: choices.project,
      podSecurityGroups: groups,
      podSubnet: subnet('pods-subnet'),
      serviceSubnet: subnet('services-subnet'),
      reservedIp: [{ start: '10.20.0.10', end: '10.20.0.20' }],
    }
    const podVifNested = { workerNodesSubnet: subnet('hosts-subnet') }
    await app.admin.call(zones.create, {
      params: { env },
      body: { type: 'nested', name: 'red', openStackUuid: uuid, neutronDefaults, podVifNested },
    })
    const ref = { namespace: 'kuryr-system', name: 'kuryr-zone-red' }
    const map = await direct.get(kinds.configMaps, ref)
    const secret = await direct.get(kinds.secrets, ref)
    const account = Buffer.from(secret.data?.['kuryr.conf'] ?? '', 'base64').toString()
    const options = { ...zoneOptions, neutron: ['auth_type', 'username', 'password', 'project_domain_name'] }
    expect(readByOslo(options, map.data?.['kuryr.conf'] ?? '', account)).toEqual({
      neutron_defaults: {
        project: choices.project,
        pod_security_groups: groups,
        pod_subnet: neutronDefaults.podSubnet,
        service_subnet: neutronDefaults.serviceSubnet,
      },
      kubernetes: { pod_vif_driver: 'nested_vlan' },
      binding: { driver: 'kuryr.lib.binding.drivers.vlan', link_iface: 'eth0' },
      pod_vif_nested: { worker_nodes_subnet: podVifNested.workerNodesSubnet },
      neutron: { auth_type: 'password', username: 'demo', password: 'demo-secret', project_domain_name: 'Default' },
    })
    await expect(
      app.admin.call(zones.create, {
        params: { env },
        body: {
          type: 'normal',
          name: 'unfit',
          openStackUuid: uuid,
          neutronDefaults: { ...neutronDefaults, reservedIp: [{ start: '10.21.0.1', end: '10.21.0.2' }] },
        },
      }),
    ).rejects.toMatchObject({ problems: [{ key: 'zones-reserved-outside' }] })
    await app.admin.call(openstack.remove, { params: { env, uuid } })
    expect(await direct.find(kinds.configMaps, ref)).toBeUndefined()
    expect(await direct.find(kinds.secrets, ref)).toBeUndefined()
  })

  test('Kuryr gets names and passwords of any kind unchanged', () => {
    const odd = [
      'pa$$word',
      '$HOME',
      String.raw`a\$b\\$`,
      '${x}',
      '"quoted"',
      `'single'`,
      '"',
      ' edges ',
      '#no comment',
      '; nor this',
      '[neutron]',
      'a = b : c',
      '%(x)s',
      '密码',
      'a\\',
    ]
    for (const text of odd) {
      const account = {
        authUrl,
        username: text,
        password: text,
        projectName: text,
        projectDomainName: text,
        userDomainName: text,
      }
      const options = ['username', 'password', 'project_name', 'project_domain_name', 'user_domain_name', 'auth_url']
      expect(readByOslo({ neutron: options }, accountConf(account))).toEqual({
        neutron: {
          username: text,
          password: text,
          project_name: text,
          project_domain_name: text,
          user_domain_name: text,
          auth_url: `${authUrl}/`,
        },
      })
    }
    const fields = {
      neutronDefaults: {
        project: 'p',
        podSecurityGroups: ['a', 'b'],
        podSubnet: 's',
        serviceSubnet: 't',
        reservedIp: [],
      },
      k8s: { podVifDriver: '' },
      binding: { driver: '', linkIface: '' },
      podVifNested: { workerNodesSubnet: '' },
    }
    expect(readByOslo(zoneOptions, zoneConf({ uuid: 'u', name: 'n', fields }))).toMatchObject({
      neutron_defaults: { project: 'p', pod_security_groups: ['a', 'b'] },
      binding: { driver: null },
    })
  })
})
