import { Definition } from '@gantry/contract/pipelines/definition'
import { CallError } from '../../../api/failure.ts'
import { t } from '../../../api/language.ts'
import { wordsOfIssue } from '../../../ui/form/problems.ts'
import { type Draft, type StepList, placesOf, stagesOfDraft, stepsAt } from './draft.ts'

/** The path of the stage or job of a list of steps. */
export const pathOf = ({ stage, job }: StepList): string => `stages.${stage}${job === undefined ? '' : `.jobs.${job}`}`

/** The problems of a draft, by the path in the definition: `stages.0.steps.1.run`. The first of each path is kept. */
export function problemsOfDraft(draft: Draft): ReadonlyMap<string, string> {
  const stages = stagesOfDraft(draft)
  const problems = new Map<string, string>()
  const tell = (path: string, words: string) => {
    if (!problems.has(path)) problems.set(path, words)
  }
  for (const issue of Definition.safeParse({ stages }).error?.issues ?? []) {
    const given = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], {
      stages,
    })
    const blank = given === undefined || given === ''
    // An empty select field is a missing value, not an invalid id.
    const words = blank && issue.message === 'id-invalid' ? t('field-required') : wordsOfIssue(issue, blank)
    tell(issue.path.join('.'), words)
  }
  for (const place of placesOf(draft))
    for (const [row, { step }] of stepsAt(draft, place).entries())
      for (const field of ['registryId', 'fromRegistryId'] as const)
        if (field in step && Number((step as Record<string, unknown>)[field]) < 1)
          tell(`${pathOf(place)}.steps.${row}.${field}`, t('field-required'))
  return problems
}

/** The problems in a server's answer, by the same paths. */
export const problemsOfError = (error: unknown): ReadonlyMap<string, string> =>
  new Map(error instanceof CallError ? error.problems.map(({ path, text }) => [path.replace(/^body\./, ''), text]) : [])

/** The keys of the stages, jobs and steps of these paths, which have to be open to show their fields. */
export function keysAt(draft: Draft, paths: Iterable<string>): string[] {
  const keys = [...paths].flatMap((path) => {
    const [, at, list, row, inner, own] = path.split('.')
    const stage = draft[Number(at)]
    if (list === 'steps') return row === undefined ? [] : [stage?.steps[Number(row)]?.key]
    if (list !== 'jobs') return list === 'name' ? [] : [stage?.key]
    const job = stage?.jobs[Number(row)]
    return [
      inner === 'steps' && own !== undefined ? job?.steps[Number(own)]?.key : row === undefined ? undefined : job?.key,
    ]
  })
  return keys.filter((key) => key !== undefined)
}

/** Whether there is a problem at this path, or below it. */
export const isWrong = (problems: ReadonlyMap<string, string>, path: string): boolean =>
  [...problems.keys()].some((each) => each === path || each.startsWith(`${path}.`))
