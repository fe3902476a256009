import { expect, test } from 'vitest'
import { fakeIds } from '../../../test/fake-openstack.ts'
import { accountConf, zoneConf } from './kuryr.ts'
import { fieldsOf } from './zone-check.ts'

const uuid = '99999999-9999-4999-8999-999999999999'
const neutronDefaults = {
  project: fakeIds.project,
  podSecurityGroups: [fakeIds.open, fakeIds.closed],
  podSubnet: fakeIds.pods,
  serviceSubnet: fakeIds.services,
}

test('a normal zone has its subnets and groups, and nothing about nesting', () => {
  const fields = fieldsOf({
    type: 'normal',
    name: 'blue',
    openStackUuid: uuid,
    neutronDefaults: { ...neutronDefaults, reservedIp: [] },
  })
  expect(zoneConf({ uuid, name: 'blue', fields })).toBe(`[neutron_defaults]
project = ${fakeIds.project}
pod_security_groups = ${fakeIds.open},${fakeIds.closed}
pod_subnet = ${fakeIds.pods}
service_subnet = ${fakeIds.services}

[gantry]
zone = ${uuid}
zone_name = blue
`)
})

test('a nested zone has sections for its driver, link and workers, and reserved addresses are in ours', () => {
  const fields = fieldsOf({
    type: 'nested',
    name: 'red',
    openStackUuid: uuid,
    neutronDefaults: {
      ...neutronDefaults,
      reservedIp: [
        { start: '10.20.0.10', end: '10.20.0.20' },
        { start: '10.20.1.1', end: '10.20.1.2' },
      ],
    },
    k8s: { podVifDriver: 'nested_vlan' },
    binding: { driver: 'kuryr.lib.binding.drivers.vlan', linkIface: 'eth0' },
    podVifNested: { workerNodesSubnet: fakeIds.hosts },
  })
  expect(zoneConf({ uuid, name: 'red', fields })).toContain(`
[kubernetes]
pod_vif_driver = nested_vlan

[binding]
driver = kuryr.lib.binding.drivers.vlan
link_iface = eth0

[pod_vif_nested]
worker_nodes_subnet = ${fakeIds.hosts}

[gantry]
zone = ${uuid}
zone_name = red
reserved_ip = 10.20.0.10-10.20.0.20,10.20.1.1-10.20.1.2
`)
})

test('the secret part contains only the account', () => {
  const account = {
    authUrl: 'https://k.example:5000',
    username: 'kuryr',
    password: 'pa$$ word ',
    projectName: 'demo',
    projectDomainName: 'Default',
    userDomainName: 'Heimdall',
  }
  expect(accountConf(account)).toBe(String.raw`[neutron]
auth_type = password
auth_url = https://k.example:5000/v3/
username = kuryr
password = "pa\$\$ word "
user_domain_name = Heimdall
project_name = demo
project_domain_name = Default
`)
})
