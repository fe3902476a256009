import { createHash } from 'node:crypto'
import { Document, Scalar, visit } from 'yaml'
import { annotations, labels, madeFor } from '../../../adapters/kube/labels.ts'
import { roleRules } from '../clusters/rights.ts'

/** Namespace of the agent in its cluster, and the name of its objects. */
export const namespace = 'gantry-system'
export const name = 'gantry-agent'

export interface ManifestInput {
  environment: string
  cluster: string
  /** The address that the agent dials. */
  server: string
  /** The token that it authenticates with. */
  token: string
  /** PEM of the CA of the server's certificate, if it is not a public one. */
  ca: string | undefined
  image: string
  /** The program of the agent. */
  program: string
}

/** The user `nobody` in most images. */
const uid = 65_534

type KubeYaml = Record<string, unknown>

/** The agent's own role and binding, so that a complete delete leaves neither. They grant only access to themselves. */
const ownEnd = {
  apiGroups: ['rbac.authorization.k8s.io'],
  resources: ['clusterroles', 'clusterrolebindings'],
  resourceNames: [name],
  verbs: ['get', 'patch', 'delete'],
}

/** All objects in the cluster; a complete delete finds them by their labels. */
export function manifestObjects({ environment, server, token, ca, image, program }: ManifestInput): KubeYaml[] {
  const own = { ...madeFor(environment), [labels.name]: name }
  const named = { name, namespace, labels: own }
  const secret = { token, ...(ca === undefined ? {} : { 'ca.crt': ca }) }
  const digest = createHash('sha256')
    .update(JSON.stringify([secret, program]))
    .digest('hex')
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: namespace,
        labels: { ...madeFor(environment), 'pod-security.kubernetes.io/enforce': 'restricted' },
      },
    },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: named },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name, labels: own },
      rules: [...roleRules(), ownEnd],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name, labels: own },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
    { apiVersion: 'v1', kind: 'Secret', metadata: named, type: 'Opaque', stringData: secret },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: named,
      spec: {
        replicas: 1,
        selector: { matchLabels: { [labels.name]: name } },
        template: {
          // another token or program is another pod
          metadata: { labels: own, annotations: { [annotations.content]: digest } },
          spec: {
            serviceAccountName: name,
            nodeSelector: { 'kubernetes.io/os': 'linux' },
            securityContext: {
              runAsNonRoot: true,
              runAsUser: uid,
              runAsGroup: uid,
              fsGroup: uid,
              seccompProfile: { type: 'RuntimeDefault' },
            },
            containers: [
              {
                name: 'agent',
                image,
                command: ['node', '--max-old-space-size=128', '/opt/gantry/agent.mjs'],
                env: [
                  { name: 'GANTRY_SERVER_URL', value: server },
                  { name: 'GANTRY_AGENT_TOKEN_FILE', value: '/etc/gantry/token' },
                  ...(ca === undefined ? [] : [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/gantry/ca.crt' }]),
                ],
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ['ALL'] },
                },
                resources: { requests: { cpu: '20m', memory: '64Mi' }, limits: { cpu: '1', memory: '256Mi' } },
                volumeMounts: [
                  { name: 'program', mountPath: '/opt/gantry', readOnly: true },
                  { name: 'token', mountPath: '/etc/gantry', readOnly: true },
                ],
              },
            ],
            volumes: [
              { name: 'program', configMap: { name } },
              { name: 'token', secret: { secretName: name, defaultMode: 0o440 } },
            ],
          },
        },
      },
    },
    // last, because it is long: everything that a reader checks comes first
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: named, data: { 'agent.mjs': program } },
  ]
}

/** Every string is quoted, so that none is read as another type; multi-line texts stay readable for reviewers. */
function document(object: KubeYaml): string {
  const written = new Document(object)
  visit(written, {
    Scalar: (key, node) => {
      if (key !== 'key' && typeof node.value === 'string')
        node.type = node.value.includes('\n') ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE
    },
  })
  return written.toString({ lineWidth: 0 })
}

const comment = (text: string): string => `# ${text.replaceAll(/[^\x20-\x7e]/g, '?')}\n`

/** The YAML to apply in the cluster. It contains the token. */
export const manifestOf = (input: ManifestInput): string =>
  comment(
    `The agent of ${input.cluster}: kubectl apply -f agent.yaml. It dials out to ${input.server}; whoever has this file can speak for the cluster.`,
  ) + manifestObjects(input).map(document).join('---\n')
