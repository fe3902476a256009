import type { FieldProblem } from '@gantry/contract/envelope'
import type { ZoneFields, ZoneInput } from '@gantry/contract/openstack/zones'
import { cidrContains } from '@gantry/contract/validators'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { Found, Wanted } from '../../adapters/openstack/openstack.ts'
import type { Lang } from '../../kernel/context.ts'
import { Fault, type Vars } from '../../kernel/fault.ts'
import { say } from '../../kernel/phrase.ts'

/** As stored: a normal zone has empty texts for the fields of a nested one. */
export const fieldsOf = (input: ZoneInput): ZoneFields => ({
  neutronDefaults: input.neutronDefaults,
  k8s: input.type === 'nested' ? input.k8s : { podVifDriver: '' },
  binding: input.type === 'nested' ? input.binding : { driver: '', linkIface: '' },
  podVifNested: input.type === 'nested' ? input.podVifNested : { workerNodesSubnet: '' },
})

/** The OpenStack objects that a zone names. */
export const wantedBy = ({ neutronDefaults: of, podVifNested }: ZoneFields): Wanted => ({
  project: of.project,
  subnets: [of.podSubnet, of.serviceSubnet, podVifNested.workerNodesSubnet].filter((id) => id !== ''),
  securityGroups: of.podSecurityGroups,
})

type Checked = { names: Record<string, string>; problems: FieldProblem[] }

/** Looks up the names of a zone's objects in OpenStack; each problem names its field. */
function lookUp(lang: Lang, fields: ZoneFields, there: Found): Checked {
  const names: Record<string, string> = {}
  const problems: FieldProblem[] = []
  const wrong = (path: string, key: PhraseKey, vars: Vars = {}) =>
    problems.push({ path, key, text: say(lang, key, vars) })
  const { project, podSecurityGroups, podSubnet, serviceSubnet, reservedIp } = fields.neutronDefaults

  if (there.project) names[project] = there.project.name
  else wrong('neutronDefaults.project', 'zones-project-unknown')

  const subnet = (path: string, id: string) => {
    const found = there.subnets.find((one) => one.id === id)
    if (found) names[id] = `${found.name} (${found.cidr})`
    else wrong(path, 'zones-subnet-unknown')
    return found
  }
  const pods = subnet('neutronDefaults.podSubnet', podSubnet)
  subnet('neutronDefaults.serviceSubnet', serviceSubnet)
  const { workerNodesSubnet } = fields.podVifNested
  if (workerNodesSubnet !== '') subnet('podVifNested.workerNodesSubnet', workerNodesSubnet)

  for (const id of podSecurityGroups) {
    const found = there.securityGroups.find((one) => one.id === id)
    if (found) names[id] = found.name
    else wrong('neutronDefaults.podSecurityGroups', 'zones-security-group-unknown', { id })
  }
  for (const [at, { start, end }] of reservedIp.entries()) {
    if (pods === undefined || [start, end].every((address) => cidrContains(pods.cidr, `${address}/32`))) continue
    wrong(`neutronDefaults.reservedIp.${at}.start`, 'zones-reserved-outside', { start, end, cidr: pods.cidr })
  }
  return { names, problems }
}

/** The names of a zone's objects in OpenStack; refuses a zone with an unknown one. */
export function mustFit(lang: Lang, fields: ZoneFields, there: Found): Record<string, string> {
  const { names, problems } = lookUp(lang, fields, there)
  const [first] = problems
  if (first) throw new Fault('invalid', 'zones-check-failed', { problem: first.text }, problems)
  return names
}
