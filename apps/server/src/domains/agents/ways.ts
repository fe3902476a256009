import { clusterRules, managedByAgent } from '@gantry/agent-protocol/cluster-role'
import { stringify } from 'yaml'
import { agents } from '@gantry/contract/agents/agents'

export interface InstallOptions {
  name: string
  capacity: number
  osType: string
  token: string
  /** URL at which the agent reaches the server. */
  server: string
  /** An image with node and git. */
  image: string
  /** PEM of the authority that signed the server's certificate, unless it is a public one. */
  ca: string | undefined
}

const file = 'gantry-agent.mjs'
const folder = '/var/lib/gantry-agent'

/** The ways to start an agent, each complete by itself. Names, tokens and addresses need no quotes by their rules. */
export const waysToStart = (way: InstallOptions) => ({
  file: way.osType === 'windows' ? byPowerShell(way) : byShell(way),
  container: way.osType === 'linux' ? byContainer(way) : null,
  kubernetes: way.osType === 'linux' ? byKubernetes(way) : null,
})

const environmentOf = ({ server, token, capacity }: InstallOptions): [name: string, value: string][] => [
  ['GANTRY_SERVER_URL', server],
  ['GANTRY_AGENT_TOKEN', token],
  ['GANTRY_AGENT_CAPACITY', String(capacity)],
]

const program = ({ server }: InstallOptions): string => `${server}${agents.program.path}`

const byShell = (way: InstallOptions): string =>
  [
    `curl -fsSo ${file} ${program(way)}`,
    `${environmentOf(way)
      .map(([name, value]) => `${name}=${value} `)
      .join('')}node ${file}`,
    '',
  ].join('\n')

const byPowerShell = (way: InstallOptions): string =>
  [
    `Invoke-WebRequest ${program(way)} -OutFile ${file}`,
    ...environmentOf(way).map(([name, value]) => `$env:${name} = '${value}'`),
    `node ${file}`,
    '',
  ].join('\n')

/** Downloads the program anew at every start, so that an agent is as new as the server that it starts with. */
const start = (way: InstallOptions): string => `curl -fsSo /tmp/${file} ${program(way)} && exec node /tmp/${file}`

/** Isolated steps need namespaces of their own, which a container makes only when it is privileged. */
const byContainer = (way: InstallOptions): string =>
  [
    `docker run -d --name gantry-agent-${way.name} --restart unless-stopped --privileged`,
    `-v gantry-agent-${way.name}:${folder}`,
    ...environmentOf(way).map(([name, value]) => `-e ${name}=${value}`),
    `${way.image} sh -c '${start(way)}'`,
  ].join(' \\\n  ') + '\n'

const authority = '/etc/gantry/ca.crt'

/** A valid Kubernetes name: an agent's name may have capital letters, `_` and dots. */
const objectName = ({ name }: InstallOptions): string =>
  `gantry-agent-${name.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-')}`.slice(0, 52).replace(/-+$/, '')

function byKubernetes(way: InstallOptions): string {
  const { token, ca, image } = way
  const name = objectName(way)
  const labels = { 'app.kubernetes.io/name': name }
  const metadata = { name, labels }
  const secret = { token, ...(ca === undefined ? {} : { 'ca.crt': ca }) }
  const env = environmentOf(way).map(([variable, value]) =>
    variable === 'GANTRY_AGENT_TOKEN'
      ? { name: variable, valueFrom: { secretKeyRef: { name, key: 'token' } } }
      : { name: variable, value },
  )
  const trusted = ca === undefined ? [] : ['GANTRY_CA_FILE', 'NODE_EXTRA_CA_CERTS', 'CURL_CA_BUNDLE']
  const settings = [
    { name: 'GANTRY_AGENT_EXECUTOR', value: 'kubernetes' },
    { name: 'GANTRY_AGENT_IMAGE', value: image },
    { name: 'GANTRY_AGENT_DIR', value: folder },
  ]
  const rbac = 'rbac.authorization.k8s.io'
  const objects = [
    { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', stringData: secret },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    { apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules: clusterRules },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: rbac, kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name }],
    },
    {
      // where the cluster enforces policies, nobody reaches a port that a job opens
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata,
      spec: { podSelector: { matchLabels: managedByAgent }, policyTypes: ['Ingress'] },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata,
      spec: {
        serviceName: name,
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: name,
            nodeSelector: { 'kubernetes.io/os': 'linux' },
            securityContext: {
              runAsNonRoot: true,
              runAsUser: 65_534,
              fsGroup: 65_534,
              seccompProfile: { type: 'RuntimeDefault' },
            },
            containers: [
              {
                name: 'agent',
                image,
                command: ['sh', '-c', start(way)],
                env: [...env, ...settings, ...trusted.map((variable) => ({ name: variable, value: authority }))],
                resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { cpu: '500m', memory: '256Mi' } },
                securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
                volumeMounts: [
                  { name: 'data', mountPath: folder },
                  ...(ca === undefined ? [] : [{ name: 'token', mountPath: '/etc/gantry', readOnly: true }]),
                ],
              },
            ],
            ...(ca === undefined ? {} : { volumes: [{ name: 'token', secret: { secretName: name } }] }),
          },
        },
        // keeps the agent's credential, so that a restarted pod is the same agent
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
  ]
  return objects.map((object) => stringify(object, { lineWidth: 0 })).join('---\n')
}
