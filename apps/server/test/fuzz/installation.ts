import { agents } from '@gantry/contract/agents/agents'
import { protocol } from '@gantry/contract/agents/protocol'
import { policy } from '@gantry/contract/auth/policy'
import { session } from '@gantry/contract/auth/session'
import { certificates } from '@gantry/contract/certificates/certificates'
import { domains } from '@gantry/contract/certificates/domains'
import { clusters } from '@gantry/contract/clusters/clusters'
import { hosts } from '@gantry/contract/clusters/hosts'
import { storage } from '@gantry/contract/clusters/storage'
import { dockerfiles } from '@gantry/contract/dockerfiles/dockerfiles'
import { platformRegistries } from '@gantry/contract/images/platform-registries'
import { registries } from '@gantry/contract/images/registries'
import { products } from '@gantry/contract/products/products'
import { ldap } from '@gantry/contract/ldap/ldap'
import { monitoring } from '@gantry/contract/monitoring/metrics'
import { oauth } from '@gantry/contract/oauth/oauth'
import { oauthProvider } from '@gantry/contract/oauth/provider'
import { openstack } from '@gantry/contract/openstack/openstack'
import { zones } from '@gantry/contract/openstack/zones'
import { notificationRules } from '@gantry/contract/notifications/rules'
import { credentials } from '@gantry/contract/pipelines/credentials'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { sampleRepository } from '@gantry/contract/sample/repository'
import { sample } from '@gantry/contract/sample/sample'
import { host } from '@gantry/contract/settings/host'
import { mail } from '@gantry/contract/settings/mail'
import { systemRoles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { tokens } from '@gantry/contract/tokens/tokens'
import { users } from '@gantry/contract/users/users'
import { helmRepositories } from '@gantry/contract/helm/repositories'
import { webhooks } from '@gantry/contract/webhooks/webhooks'
import { certificates as pairs } from '../certificates.ts'
import { until } from '../own-namespace.ts'
import { watch } from './alarms.ts'
import { editInBatch } from './batches.ts'
import { offer } from './catalog.ts'
import { configure } from './config-centre.ts'
import { backUp, connect } from './platform.ts'
import { oauthSettings } from '../oauth-browser.ts'
import { neutronDefaults } from '../openstack-app.ts'
import { releasedVolume } from '../left-volume.ts'
import type { Thing } from './pool.ts'
import type { Role } from './roles.ts'
import { lookInside, upgrade } from './services.ts'
import { build, furnish, gather, joinClusters, sampleOf, type Set, type Place } from './story.ts'
import { release } from './products.ts'
import { useHarbor } from './harbor.ts'
import { lookIntoRegistry } from './registries.ts'
import { trigger } from './triggers.ts'
import { nowhere } from './values.ts'
import { openWay } from './ways.ts'

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A user with two sessions ends the older one. */
async function endSession({ run }: Set, role: Role): Promise<void> {
  await role.renew?.()
  const older = (await run.make(role, session.sessions)).find(({ current }) => !current)
  await run.make(role, session.endSession, { params: { family: older?.family ?? '' } })
}

/** A user logs in by the provider, and the provider logs them out. */
async function signInByOauth({ run, world, roles }: Set, teamId: number): Promise<void> {
  const { oidc } = world.outside
  const settings = oauthSettings(
    { issuer: oidc.issuer, clientId: oidc.clientId, clientSecret: oidc.clientSecret },
    { mappings: [{ group: 'everybody', teamId, roleId: null }] },
  )
  oidc.user['groups'] = ['everybody']
  await run.make(roles.admin, oauthProvider.test, { body: settings })
  await run.make(roles.admin, oauthProvider.set, { body: settings })
  const departure = await run.ask(roles.visitor, oauth.login, {}, undefined, true)
  const cookie = [departure.headers['set-cookie']].flat().map((one) => one?.split(';')[0] ?? '')
  const back = oidc.agree(String(departure.headers['location']))
  const query = { code: '', ...Object.fromEntries(back.searchParams) }
  await run.make(roles.visitor, oauth.afterAuth, { query, headers: [['cookie', cookie.join('; ')]] })
  const told = new URLSearchParams({ logout_token: await oidc.logoutToken({ sub: 'u01', sid: 's1' }) })
  await run.make(roles.visitor, oauth.backchannelLogout, {
    upload: Buffer.from(told.toString()),
    headers: [['content-type', 'application/x-www-form-urlencoded']],
  })
}

async function settings(set: Set, elsewhere: number): Promise<void> {
  const { run, world, roles } = set
  const { admin, visitor } = roles
  const directory = {
    mappings: [],
    name: run.fresh('nobodys'),
    url: `ldap://${nowhere}`,
    baseDn: 'dc=test',
    enabled: false,
    bindPassword: run.secret(),
  }
  const given = { ...directory, bindDn: 'cn=reader,dc=test' }
  const { id: ldapId } = await run.make(admin, ldap.create, { body: given })
  await run.make(
    admin,
    ldap.update,
    { params: { id: ldapId }, body: given },
    { side: 'nobodys', values: { ldap: ldapId } },
  )
  const mails = {
    enabled: true,
    host: '127.0.0.1',
    port: world.outside.mailPort,
    security: 'none' as const,
    userName: 'bot',
    password: run.secret(),
    from: 'gantry@g.test',
  }
  await run.make(admin, mail.set, { body: mails })
  await run.make(admin, mail.test, { query: { mail: 'somebody@g.test' }, body: mails })
  await run.make(admin, policy.set, { body: await run.make(admin, policy.get) })
  await run.make(admin, host.set, { body: { notice: run.fresh('nobodys') } })
  await run.make(admin, host.checkUrl, { body: { url: world.outside.registryUrl } })
  const password = run.secret()
  const newcomer = run.fresh('nobodys')
  await run.make(visitor, session.register, {
    body: { userName: newcomer, nickname: newcomer, email: `${newcomer}@g.test`, password, rePassword: password },
  })
  const imported = run.fresh('nobodys')
  await run.make(admin, users.importUsers, {
    query: { check: 'true' },
    upload: Buffer.from(`userName,nickname,email\n${imported},${imported},${imported}@g.test\n`),
  })
  const spare = await spareUser(set, elsewhere)
  run.pool.add({ side: 'nobodys', values: { user: spare.id } })
  await run.make(visitor, session.login, { body: { username: spare.userName, password: spare.initialPassword } })
  const { id } = await run.make(admin, systemRoles.create, { body: { name: run.fresh('nobodys'), permissions: [] } })
  run.pool.add({ side: 'nobodys', values: { systemRole: id } })
  await signInByOauth(set, elsewhere)
}

/** What a team needs for builds, their agents, and their notifications: two of each, so that one may be deleted. */
async function forBuilds({ run, world, roles }: Set, { team }: Place): Promise<void> {
  const { admin, leader } = roles
  const within: Thing = { side: 'ours', values: { team } }
  const params = { teamId: team }
  for (let at = 0; at < 2; at++) {
    const kept = { name: run.fresh('ours'), content: 'FROM alpine:3\n' }
    const { id, revision } = await run.make(leader, dockerfiles.create, { params, body: kept }, within)
    await run.make(leader, dockerfiles.update, { params, body: { ...kept, id, revision } }, within)
    const access = { kind: 'token' as const, host: 'git.test', username: 'bot', secret: run.secret() }
    const rule = {
      name: run.fresh('ours'),
      events: ['build.failed' as const],
      channels: ['bell' as const],
      triggerer: true,
    }
    const { id: ruleId, revision: told } = await run.make(
      leader,
      notificationRules.create,
      { params, body: rule },
      within,
    )
    const ofRule = { params: { ...params, ruleId }, query: { revision: told }, body: rule }
    await run.make(leader, notificationRules.update, ofRule, { side: 'ours', values: { team, rule: ruleId } })
    const alias = run.fresh('ours')
    const { id: token } = await run.make(leader, tokens.create, { params: { ...params, alias }, body: {} }, within)
    await run.make(leader, tokens.remove, { params: { id: token } }, { side: 'ours', values: { team, token } })
    await run.make(leader, credentials.create, { params, body: { name: run.fresh('ours'), ...access } }, within)
    await run.make(admin, agents.create, { body: { name: run.fresh('nobodys') } })
    const shared = {
      name: run.fresh('nobodys'),
      url: world.outside.registryUrl,
      username: 'bot',
      password: run.secret(),
    }
    const { id: platformRegistry } = await run.make(admin, platformRegistries.create, { body: shared })
    await run.make(admin, platformRegistries.update, { params: { id: platformRegistry }, body: shared })
    for (const call of [platformRegistries.assign, platformRegistries.withdraw, platformRegistries.assign])
      await run.make(admin, call, { params: { id: platformRegistry, teamId: team } })
    run.pool.add({ side: 'ours', values: { team, platformRegistry } })
    const name = run.fresh('ours')
    const { id: product } = await run.make(leader, products.create, { params: { team }, body: { name } }, within)
    await run.make(leader, products.remove, { params: { team, id: product }, query: { confirm: name } }, within)
    const helmName = run.fresh('nobodys')
    const { id: helmId } = await run.make(admin, helmRepositories.create, {
      body: { name: helmName, url: world.outside.chartsUrl },
    })
    await run.make(admin, helmRepositories.update, {
      body: { id: helmId, name: helmName, url: world.outside.chartsUrl },
    })
    await run.make(admin, helmRepositories.assign, { params: { helmId }, body: { teams: [team] } }, within)
    const known = { helmRepository: helmId, helmRepositoryName: helmName, chart: 'hello', chartVersion: '0.1.0' }
    run.pool.add({ side: 'ours', values: { team, ...known } })
    const webhook = {
      name: run.fresh('nobodys'),
      url: world.outside.registryUrl,
      secret: run.secret(),
      events: ['build.success' as const, 'build.failed' as const, 'build.aborted' as const],
    }
    const made = await run.make(admin, webhooks.create, { body: webhook })
    await run.make(admin, webhooks.update, { params: { id: made.id }, body: { ...webhook, revision: made.revision } })
    await certify({ run, roles }, team)
    await offer({ run, roles }, team)
  }
}

/** A certificate of the platform that our team uses, with a domain. */
async function certify({ run, roles: { admin, leader } }: Pick<Set, 'run' | 'roles'>, team: number): Promise<void> {
  const [{ certificate, key: privateKey }] = pairs
  const body = { name: run.fresh('nobodys'), certificate, privateKey }
  const { id: certificateId } = await run.make(admin, certificates.create, { body })
  const of = { params: { certificateId } }
  await run.make(admin, certificates.renew, { ...of, body })
  for (const call of [certificates.allocate, certificates.withdraw, certificates.allocate])
    await run.make(admin, call, { params: { certificateId, teamId: team } })
  const within: Thing = { side: 'ours', values: { team, certificate: certificateId } }
  for (const teamId of [team, null]) {
    const domain = `${run.fresh('ours')}.example.com`
    await run.make(admin, domains.check, { body: { domain } })
    const made = await run.make(admin, domains.create, { ...of, body: { domain, teamId } }, within)
    if (teamId === null) await run.make(admin, domains.give, { params: { teamId: team }, body: { domain } }, within)
    else await run.make(admin, domains.remove, { params: { id: made.id } }, within)
  }
  await run.make(leader, certificates.ofTeam, { params: { teamId: team } }, within)
}

/** Creates a user that a call may delete. */
function spareUser({ run, roles }: Set, teamId: number) {
  const name = run.fresh('nobodys')
  return run.make(roles.admin, users.create, {
    body: { userName: name, nickname: name, email: `${name}@g.test`, teamId },
  })
}

/** Our team's own cluster: storage, networks, sources of metrics. */
async function equip({ run, world, roles }: Set, env: string): Promise<void> {
  const { leader, admin } = roles
  const within: Thing = { side: 'ours', values: { env } }
  const params = { env }
  for (let at = 0; at < 2; at++) {
    await run.make(
      leader,
      storage.createVolume,
      {
        params,
        body: {
          name: run.fresh('ours'),
          capacity: 1,
          accessModes: ['ReadWriteOnce'],
          source: { type: 'nfs', server: '10.0.0.1', path: '/x' },
        },
      },
      within,
    )
    await run.make(
      leader,
      storage.createDriver,
      { params, body: { name: run.fresh('ours'), provisioner: 'example.test/nfs' } },
      within,
    )
    const { uuid: openStackUuid } = await run.make(
      leader,
      openstack.create,
      { params, body: { name: run.fresh('ours'), keystone: world.outside.openstack.account } },
      within,
    )
    await run.make(
      leader,
      zones.create,
      { params, body: { type: 'normal', name: run.fresh('ours'), openStackUuid, neutronDefaults } },
      { side: 'ours', values: { env, openstack: openStackUuid } },
    )
  }
  for (const call of [storage.activate, storage.reclaim]) {
    const name = `${run.fresh('ours')}-left`
    await releasedVolume(world.direct, name, 'default')
    await until('the released volume', async () => {
      const { items } = await run.make(admin, storage.volumes, { params, query: { state: 'Released' } }, within)
      return items.some((volume) => volume.name === name) || undefined
    })
    await run.make(admin, call, { params: { env, name } }, { side: 'nobodys', values: { env, volume: name } })
  }
  const { uuid } = await run.make(
    leader,
    openstack.create,
    { params, body: { name: run.fresh('ours'), keystone: world.outside.openstack.account } },
    within,
  )
  await run.make(
    leader,
    openstack.remove,
    { params: { env, uuid } },
    { side: 'ours', values: { env, openstack: uuid } },
  )
  await run.make(admin, monitoring.setSource, { params, body: { kind: 'sampled' } }, within)
  await run.make(admin, clusters.script, { body: { envUuid: env } }, within)
  await run.make(admin, clusters.recheck, { params: { uuid: env } }, within)
}

/** Changes of a host, and their reversal. */
async function changeHost({ run, roles }: Set, env: string, own: string[]): Promise<void> {
  const { leader } = roles
  // the first runs the control plane
  const [host = '', gone = ''] = own.slice(1)
  const within: Thing = { side: 'ours', values: { env, host } }
  const named = { host, key: 'fuzz.test/key' }
  await run.make(leader, hosts.setLabel, { params: { env }, body: { ...named, value: 'x' } }, within)
  await run.make(leader, hosts.removeLabel, { params: { env }, query: named }, within)
  await run.make(leader, hosts.setAnnotation, { params: { env }, body: { ...named, value: 'x' } }, within)
  await run.make(leader, hosts.removeAnnotation, { params: { env }, query: named }, within)
  for (const call of [hosts.cordon, hosts.maintenance, hosts.ingress])
    for (const enable of [true, false])
      await run.make(leader, call, { params: { env, host }, body: { enable } }, within)
  await run.make(leader, hosts.maintenance, { params: { env, host: gone }, body: { enable: true } }, within)
  await run.make(leader, hosts.remove, { params: { env, host: gone } }, { side: 'ours', values: { env, host: gone } })
}

/** Git reads the sample's repository with the password of its build. */
async function cloneSample(set: Set, place: Place): Promise<void> {
  const { run, roles } = set
  const { repository: access, jobId, attempt } = await sampleOf(set, place)
  if (!access) throw new Error('the sample has no repository')
  const { url, branch, username, password } = access
  const { leader, team, side, values } = place
  const within: Thing = { side, values }
  const basic = Buffer.from(`${username}:${password}`).toString('base64')
  const headers: [string, string][] = [['authorization', `Basic ${basic}`]]
  const params = { teamId: team }
  await run.make(roles.visitor, sampleRepository.head, { params, headers }, within)
  await run.make(roles.visitor, sampleRepository.refs, { params, headers }, within)
  const packs = { params: { ...params, folder: 'info', name: 'packs' }, headers }
  await run.make(roles.visitor, sampleRepository.object, packs, within)
  await run.make(
    leader,
    pipelines.checkRepository,
    { params, body: { repository: { url, branch, username, password } } },
    within,
  )
  await run.make(roles.agent, protocol.events, {
    params: { jobId },
    body: { attempt, first: 1, events: [{ type: 'end', state: 'success', logs: [] }] },
  })
  await run.make(leader, sample.change, { params }, within)
  await run.make(leader, sample.remove, { params }, within)
}

/** Creates the initial state of a run. */
export async function settle(set: Set): Promise<void> {
  const { run, world, roles } = set
  const { ours, theirs, elsewhere } = await gather(set)
  const { shared, alone, hosts: named } = await joinClusters(set, ours, theirs)
  await forBuilds(set, ours)
  for (const place of [theirs, ours]) {
    const { inStack, service, spec, made, registry } = await furnish(set, place, shared)
    await build(set, place, made, registry.id)
    await lookIntoRegistry(set, place, registry.id)
    await useHarbor(set, place)
    if (place.side === 'ours') await trigger(set, place, made)
    if (place.side === 'ours') await editInBatch(set, place, made)
    const within: Thing = {
      side: place.side,
      values: {
        ...inStack.values,
        service: service.id,
        serviceName: service.name,
        serviceAndType: `${service.id}_business`,
      },
    }
    if (place.side === 'ours') await upgrade(set, place, within, spec)
    if (place.side === 'ours') await openWay(set, place, within)
    if (place.side === 'ours') await release(set, place, shared, picture)
    await configure(set, place, inStack)
    await watch(set, place, within)
    await lookInside(set, place, within, service.id)
  }
  await run.make(roles.leader, registries.verify, {
    body: { url: world.outside.registryUrl, username: 'bot', password: run.secret() },
  })
  await settings(set, elsewhere)
  await connect(set)
  await backUp(set)
  await endSession(set, roles.leader)
  await equip(set, alone)
  await changeHost(set, alone, named)
  await run.make(roles.leader, session.refresh, { query: { tenantId: ours.team } })
  await cloneSample(set, ours)
  const newcomer = await spareUser(set, elsewhere)
  await run.make(
    roles.leader,
    teams.addMembers,
    { params: { id: ours.team }, body: [newcomer.id] },
    { side: 'ours', values: ours.values },
  )
  const userId = newcomer.id
  await run.make(
    roles.leader,
    teams.removeMember,
    { params: { id: ours.team, userId } },
    { side: 'ours', values: { ...ours.values, user: userId } },
  )
  const own = { params: { id: ours.user } }
  await run.make(roles.leader, users.setAvatar, { ...own, upload: picture })
  await run.make(roles.leader, users.avatar, own)
  await run.make(roles.leader, users.removeAvatar, own)
}
