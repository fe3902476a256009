import type { ZoneFields } from '@gantry/contract/openstack/zones'
import { identityUrl } from '../../adapters/openstack/identity-url.ts'
import type { Account } from '../../adapters/openstack/openstack.ts'
import { ini } from './ini.ts'

export interface WrittenZone {
  uuid: string
  name: string
  fields: ZoneFields
}

/** Omits empty values, so that Kuryr's own default applies. */
const emptyToUndefined = (value: string): string | undefined => value || undefined

/**
 * The sections of kuryr.conf for a zone's fields. Kuryr has no option for addresses that pods must not get: they are in
 * a section of ours, which oslo.config ignores, for whoever configures the subnet's allocation pools.
 */
export const zoneConf = ({ uuid, name, fields }: WrittenZone): string =>
  ini({
    neutron_defaults: {
      project: fields.neutronDefaults.project,
      pod_security_groups: fields.neutronDefaults.podSecurityGroups.join(','),
      pod_subnet: fields.neutronDefaults.podSubnet,
      service_subnet: fields.neutronDefaults.serviceSubnet,
    },
    kubernetes: { pod_vif_driver: emptyToUndefined(fields.k8s.podVifDriver) },
    binding: {
      driver: emptyToUndefined(fields.binding.driver),
      link_iface: emptyToUndefined(fields.binding.linkIface),
    },
    pod_vif_nested: { worker_nodes_subnet: emptyToUndefined(fields.podVifNested.workerNodesSubnet) },
    gantry: {
      zone: uuid,
      zone_name: name,
      reserved_ip: emptyToUndefined(
        fields.neutronDefaults.reservedIp.map(({ start, end }) => `${start}-${end}`).join(','),
      ),
    },
  })

/** How Kuryr logs in; the only secret part. */
export const accountConf = (account: Account): string =>
  ini({
    neutron: {
      auth_type: 'password',
      auth_url: identityUrl(account.authUrl).href,
      username: account.username,
      password: account.password,
      user_domain_name: account.userDomainName,
      project_name: account.projectName,
      project_domain_name: account.projectDomainName,
    },
  })
