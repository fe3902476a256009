/**
 * Who may import whom. Every rule here is proven by scripts/imports.test.ts, which plants a violation of each.
 */
const deny = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** What the server and the build agent share, one purpose each (decision 83). */
const purposes = 'addresses|agent-protocol|masking|oci|tunnel'

const tests = '\\.(test|cluster\\.test|services\\.test|e2e)\\.tsx?$'

module.exports = {
  forbidden: [
    deny(
      'contract-is-pure',
      'The contract knows zod and itself.',
      { path: '^packages/contract/src/', pathNot: tests },
      { pathNot: ['^packages/contract/src/', '(^|/)node_modules/zod/', '^zod'] },
    ),
    deny(
      'phrases-know-nothing',
      'Phrases are texts; they import nothing but themselves.',
      { path: '^packages/phrases/src/', pathNot: tests },
      { pathNot: '^packages/phrases/src/' },
    ),
    deny(
      'domain-private',
      'Another domain is reached by its public.ts and public.read.ts (server) or public.tsx (console) alone.',
      { path: '^apps/(server|console)/src/domains/([^/]+)/', pathNot: tests },
      { path: '^apps/$1/src/domains/', pathNot: ['^apps/$1/src/domains/$2/', '/public(\\.read)?\\.tsx?$'] },
    ),
    deny(
      'public-reads-are-leaves',
      'What other domains join knows the tables and nothing else.',
      { path: '/public\\.read\\.ts$' },
      { path: '^(apps|packages)/', pathNot: '^(apps/server/src/db|packages/contract/src)/' },
    ),
    deny(
      'clusters-are-below-stacks',
      'Stacks know the clusters that they run in. Clusters hear no topics of theirs, and of their rows know what these give.',
      { path: '^apps/server/src/domains/clusters/', pathNot: tests },
      {
        path: '^(apps/server/src/domains|packages/contract/src)/stacks/',
        pathNot: '/stacks/(public\\.read|spec-storage)\\.ts$',
      },
    ),
    deny(
      'domain-knows-no-web',
      'A server domain uses the kernel, the routes interface and the types of adapters, never the web framework.',
      { path: '^apps/server/src/domains/', pathNot: tests },
      { path: '(^|/)node_modules/(fastify|@fastify|ws|undici|pino)/', dependencyTypesNot: ['type-only'] },
    ),
    deny(
      'domain-uses-ports',
      'A server domain reaches the outside world through ctx.ports; of adapters it imports types and pure vocabulary (decision 10).',
      { path: '^apps/server/src/domains/', pathNot: tests },
      {
        path: '^apps/server/src/adapters/',
        pathNot: [
          '^apps/server/src/adapters/kube/(gateway|objects|parse-object|resources|errors|faults|labels|waits|transport/kubeconfig|rows/[\\w-]+)\\.ts$',
          '^apps/server/src/adapters/(blobs/blobs|ldap/(dn|filter)|openstack/identity-url|registry/image-ref)\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    ),
    deny(
      'store-is-bottom',
      'A store or read model knows the query builder, the database types and the contract.',
      { path: '^apps/server/src/domains/.*\\.(store|read)\\.ts$' },
      { path: '\\.(service|module|jobs)\\.ts$|^apps/server/src/(http|adapters)/' },
    ),
    deny(
      'service-knows-no-web',
      'Rules do not know how they are called.',
      { path: '^apps/server/src/domains/.*\\.service\\.ts$' },
      { path: '^apps/server/src/http/' },
    ),
    deny(
      'manifest-is-a-root',
      'What a room declares is found by folder; nobody imports it.',
      { path: '^apps/server/src/', pathNot: tests },
      { path: '\\.module\\.ts$' },
    ),
    deny(
      'frame-knows-no-domain',
      'http, kernel, identity, db and adapters import no domain: rooms are found by folder.',
      { path: '^apps/server/src/(http|kernel|identity|db|adapters)/', pathNot: tests },
      { path: '^apps/server/src/domains/' },
    ),
    deny(
      'kernel-knows-no-web',
      'The kernel and what tells who calls are below http.',
      { path: '^apps/server/src/(kernel|identity)/', pathNot: tests },
      { path: '^apps/server/src/http/|(^|/)node_modules/(fastify|@fastify)/' },
    ),
    deny(
      'kernel-knows-no-identity',
      'The kernel serves accounts and sessions; it knows none.',
      { path: '^apps/server/src/kernel/', pathNot: tests },
      { path: '^apps/server/src/identity/' },
    ),
    deny(
      'sdk-only-in-adapters',
      "An outside system's SDK stays in its adapter.",
      { path: '^apps/server/src/(domains|kernel)/', pathNot: tests },
      { path: '(^|/)node_modules/@(kubernetes|aws-sdk|smithy)/', dependencyTypesNot: ['type-only'] },
    ),
    deny(
      'kit-knows-no-domain',
      'The component kit and the typed calls know neither domains nor the shell.',
      { path: '^apps/console/src/(ui|api)/', pathNot: tests },
      { path: '^apps/console/src/(domains|shell)/' },
    ),
    deny(
      'agent-and-sandbox-alone',
      'The agent and the sandbox know the contract, packages of one purpose, and themselves.',
      { path: '^(apps/agent|packages/sandbox)/src/', pathNot: tests },
      {
        path: '^(apps|packages)/',
        pathNot: [
          '^apps/agent/(src/|package.json$)',
          '^packages/(sandbox|contract)/src/',
          `^packages/(${purposes}|waiting)/src/`,
        ],
      },
    ),
    deny(
      'purposes-for-server-and-agent',
      'What the server and the build agent share is for these two: the console talks to the server by the contract alone, and the sandbox checks what it is told by itself.',
      { path: '^(apps|packages)/', pathNot: ['^apps/(server|agent)/', `^packages/(${purposes})/`, tests] },
      { path: `^packages/(${purposes})/` },
    ),
    deny(
      'purposes-know-themselves',
      'A package of one purpose knows no other of our sources.',
      { path: `^packages/(${purposes}|postgres|waiting)/src/`, pathNot: tests },
      { path: '^(apps|packages)/', pathNot: '^packages/$1/src/' },
    ),
    deny(
      'waiting-is-for-tests',
      'The product waits for events; looking again and again until something is so is for tests.',
      {
        path: '^(apps|packages)/[^/]+/src/',
        pathNot: ['^packages/waiting/', '^packages/sandbox/src/.*conformance', tests],
      },
      { path: '^packages/waiting/' },
    ),
    deny(
      'templates-know-the-contract',
      'What a template says is one model for the server and the console; it knows the contract, and nobody else knows it.',
      { path: '^packages/tosca/src/', pathNot: tests },
      { path: '^(apps|packages)/', pathNot: '^packages/(tosca|contract)/src/' },
    ),
    deny(
      'agent-is-not-sandbox',
      'Neither imports the other.',
      { path: '^(apps/agent|packages/sandbox)/src/', pathNot: tests },
      { path: '^(apps/agent|packages/sandbox)/src/', pathNot: '^$1/src/' },
    ),
    deny(
      'apps-are-apart',
      "No app imports another app's source.",
      { path: '^apps/([^/]+)/src/', pathNot: tests },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    deny('no-cycles', 'Imports form no cycles.', { path: '^(apps|packages)/' }, { circular: true }),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^(apps|packages)/[^/]+/dist/', tests] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
}
