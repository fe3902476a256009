import type { StageInput, StepInput } from '@gantry/contract/pipelines/definition'
import { t } from '../../../api/language.ts'

/** The initial stages of a new pipeline; everything can be changed later. */
export type Template = 'test' | 'deploy' | 'empty'

export const templates: readonly Template[] = ['test', 'deploy', 'empty']

export interface TemplateChoices {
  /** False without a repository. */
  checkout: boolean
  registryId?: number | undefined
  /** The image's path in the registry. */
  image?: string | undefined
  stackUuid?: string | undefined
  service?: string | undefined
}

const testScript = `set -eu
mkdir -p reports
# Run the tests here and let them write JUnit XML files into reports/.
cat > reports/example.xml <<'XML'
<testsuite name="example" tests="1"><testcase classname="example" name="passes" time="0.01"/></testsuite>
XML
`

const buildScript = `set -eu
# Build here. The next step lays the files of the workspace on the base image.
ls -l
`

/** The stages of a template. A missing choice omits the step that needs it. */
export function stagesOf(template: Template, choices: TemplateChoices): StageInput[] {
  if (template === 'empty') return []
  const checkout: StepInput[] = choices.checkout
    ? [{ type: 'checkout', name: t('pipelines-ui-template-checkout') }]
    : []
  const test: StageInput = {
    name: t('pipelines-ui-template-test-stage'),
    steps: [
      ...checkout,
      { type: 'script', name: t('pipelines-ui-template-test'), run: testScript },
      { type: 'report', name: t('pipelines-ui-template-report'), files: 'reports/**/*.xml', always: true },
    ],
  }
  if (template === 'test') return [test]
  const { registryId, image, stackUuid, service } = choices
  const name = t('pipelines-ui-template-image')
  const stages: StageInput[] = [
    {
      name: t('pipelines-ui-template-build-stage'),
      steps: [
        ...checkout,
        { type: 'script', name: t('pipelines-ui-template-build'), run: buildScript },
        ...(registryId === undefined || !image
          ? []
          : [
              {
                type: 'image' as const,
                name,
                registryId,
                repository: image,
                copy: [{ from: '**', to: '/app' }],
                workingDirectory: '/app',
              },
            ]),
      ],
    },
  ]
  if (stackUuid === undefined || !service) return stages
  return [
    ...stages,
    {
      name: t('pipelines-ui-template-deploy-stage'),
      // Created if the stack has no service with that name; otherwise that one is upgraded.
      steps: [
        { type: 'deploy', name: t('pipelines-ui-template-deploy'), stackUuid, service, imageFrom: name, create: {} },
      ],
    },
  ]
}
