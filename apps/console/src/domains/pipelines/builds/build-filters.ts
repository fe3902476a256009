import { teamBuilds } from '@gantry/contract/pipelines/builds/team-builds'
import { BuildCause, BuildState } from '@gantry/contract/pipelines/states'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import type { ListState } from '../../../ui/table/list-state.ts'
import type { Filter } from '../../../ui/table/resource-table.tsx'
import { causeOf } from '../definition/words.ts'

/** The initial filters of a list of builds. */
export const buildFilterDefaults = { state: 'all', cause: 'all', branch: '', author: '' }

/** Filters by state, cause, branch and person, for a team or for one of its pipelines. */
export function useBuildFilters(teamId: number, list: ListState, pipelineId?: number): Filter[] {
  const choices = useRead(teamBuilds.choices, {
    params: { teamId },
    query: pipelineId === undefined ? {} : { pipelineId },
  }).data
  const named = (name: 'branch' | 'author', all: string, values: string[] = []): Filter => {
    const now = list.filters[name] ?? ''
    // the value in the address is always an option, however long ago it was built
    const known = now === '' || values.includes(now) ? values : [now, ...values]
    return {
      name,
      label: t(`pipelines-ui-${name}`),
      options: [{ value: '', label: all }, ...known.map((value) => ({ value, label: value }))],
    }
  }
  return [
    {
      name: 'state',
      label: t('pipelines-ui-state'),
      options: [
        { value: 'all', label: t('pipelines-ui-state-all') },
        ...BuildState.options.map((value) => ({ value, label: t(`state-${value}`) })),
      ],
    },
    {
      name: 'cause',
      label: t('pipelines-ui-cause'),
      options: [
        { value: 'all', label: t('pipelines-ui-cause-all') },
        ...BuildCause.options.map((value) => ({ value, label: causeOf({ cause: value, userCause: '' }) })),
      ],
    },
    named('branch', t('pipelines-ui-branch-all'), choices?.branches),
    named('author', t('pipelines-ui-author-all'), choices?.authors),
  ]
}
