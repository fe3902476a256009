import { Definition, type ExecutorName, type StageInput, type StepInput } from '@gantry/contract/pipelines/definition'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { Finding } from './finding.ts'

/** What the team has that steps of a proposal may use. */
export interface TeamMeans {
  /** A name in the caller's language. */
  say: (key: PhraseKey) => string
  /** The build image and executor for its scripts. */
  runsIn: { image: number; executor: ExecutorName } | undefined
  /** The destination of an image that is built from a Dockerfile. */
  pushesTo: { registryId: number; repository: string } | undefined
}

/** The pipeline for a finding, made of ordinary stages and steps. */
export function definitionOf(finding: Finding, { say, runsIn, pushesTo }: TeamMeans): Definition {
  const { folder, install, test, build, reports, coverage, artifacts, dockerfile } = finding
  const below = (pattern: string) => (folder === '' ? pattern : `${folder}/${pattern}`)
  const checkout: StepInput = { type: 'checkout', name: say('pipelines-proposal-checkout') }
  const script = (name: PhraseKey, run: string | undefined): StepInput[] =>
    run === undefined
      ? []
      : [{ type: 'script', name: say(name), run: `set -eu\n${folder === '' ? '' : `cd ${folder}\n`}${run}\n` }]
  const work: StepInput[] = [
    ...script('pipelines-proposal-install', install),
    ...script('pipelines-proposal-test', test),
    ...(reports === undefined
      ? []
      : [{ type: 'report' as const, name: say('pipelines-proposal-report'), files: below(reports), always: true }]),
    ...(coverage === undefined
      ? []
      : [{ type: 'coverage' as const, name: say('pipelines-proposal-coverage'), files: below(coverage) }]),
    ...script('pipelines-proposal-build', build),
    ...(artifacts === undefined
      ? []
      : [{ type: 'artifact' as const, name: say('pipelines-proposal-artifact'), files: below(artifacts) }]),
  ]
  const image: StepInput[] =
    dockerfile === undefined || !pushesTo
      ? []
      : [
          {
            type: 'image',
            name: say('pipelines-proposal-image'),
            method: 'dockerfile',
            ...pushesTo,
            dockerfile: { path: below(dockerfile) },
            context: folder === '' ? '.' : folder,
          },
        ]
  const own: StageInput[] = []
  if (work.length > 0) {
    const name = say(test === undefined ? 'pipelines-proposal-build-stage' : 'pipelines-proposal-test-stage')
    const steps = [checkout, ...work]
    own.push(runsIn ? { name, jobs: [{ name, ...runsIn, steps }] } : { name, steps })
  }
  if (image.length > 0) {
    // stages with steps share a workspace, which is empty in the first stage and after jobs
    const isEmpty = work.length === 0 || runsIn !== undefined
    own.push({ name: say('pipelines-proposal-image-stage'), steps: [...(isEmpty ? [checkout] : []), ...image] })
  }
  // a Dockerfile without a registry: at least list the files
  if (own.length === 0)
    own.push({
      name: say('pipelines-proposal-build-stage'),
      steps: [checkout, ...script('pipelines-proposal-build', 'ls -l')],
    })
  return Definition.parse({ stages: own })
}
