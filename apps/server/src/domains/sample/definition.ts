import { teamPrefix } from '@gantry/contract/images/registry-token'
import { Definition, type StepInput } from '@gantry/contract/pipelines/definition'
import type { Lang } from '../../kernel/context.ts'
import { say } from '../../kernel/phrase.ts'

/** Names of the sample's objects; a number is appended if the team already has such a name. */
export const names = { group: 'samples', pipeline: 'hello', product: 'hello', stack: 'hello', service: 'hello' }

export const branch = 'main'
export const port = 8080

/** In the simulated registry, which all teams share. */
export const imageOf = (teamId: number): string => `${teamPrefix(teamId)}hello`

/** The first commit is 1.0.0, each later one the next minor version. */
export const versionOf = (commits: number): string => `1.${Math.max(commits - 1, 0)}.0`

export const versionFile = (commits: number): Record<string, string> => ({
  'version.mjs': `export const version = '${versionOf(commits)}'\n`,
})

/** If builds find no Node.js, or an old one, the report says that nothing was tested. */
const test = (lang: Lang): string => `\
if ! node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)' 2> /dev/null
then
  echo '${say(lang, 'sample-no-node')}'
  echo '<testsuite name="hello"><testcase name="server.test.mjs"><skipped/></testcase></testsuite>' > report.xml
  exit 0
fi
node --test --test-reporter=spec --test-reporter-destination=stdout \\
  --test-reporter=junit --test-reporter-destination=report.xml
`

interface Targets {
  lang: Lang
  registryId: number
  image: string
  stackUuid: string
}

/** The sample's pipeline, its stages named in the user's language. */
export function sampleDefinition({ lang, registryId, image, stackUuid }: Targets): Definition {
  const stage = (name: string, steps: StepInput[]) => ({ name, steps })
  const stages: { name: string; steps: StepInput[] }[] = [
    stage(say(lang, 'sample-stage-test'), [
      { type: 'checkout', name: say(lang, 'sample-step-checkout') },
      { type: 'script', name: say(lang, 'sample-step-test'), run: test(lang), timeoutMinutes: 5 },
      { type: 'report', name: say(lang, 'sample-step-report'), files: 'report.xml', always: true },
    ]),
    stage(say(lang, 'sample-stage-package'), [
      {
        type: 'image',
        name: say(lang, 'sample-step-image'),
        registryId,
        repository: image,
        copy: [
          { from: 'server.mjs', to: '/app/' },
          { from: 'version.mjs', to: '/app/' },
        ],
        entrypoint: ['node', '/app/server.mjs'],
        workingDirectory: '/app',
        ports: [port],
      },
    ]),
    stage(say(lang, 'sample-stage-ship'), [
      {
        type: 'deploy',
        name: say(lang, 'sample-step-deploy'),
        stackUuid,
        service: names.service,
        // the upgrade waits, so that the user can confirm it or roll back
        confirm: false,
        create: {
          replicas: 2,
          ports: [{ port }],
          resources: { cpu: '0.1', memory: '64Mi', cpuRequest: '0.05', memoryRequest: '32Mi' },
          readiness: { type: 'http', port, path: '/healthz' },
        },
      },
    ]),
  ]
  return Definition.parse({ stages })
}
