import type { Proposal } from '@gantry/contract/pipelines/editing/proposals'
import { t } from '../../../api/language.ts'

/** Why a pipeline is proposed, and what it does. */
export function memoOf({ kind, language, because, folder, tests, buildImage, lacksRegistry }: Proposal): string {
  const files = because.join(', ')
  const reason =
    files === ''
      ? t('pipelines-onboard-because-nothing')
      : folder === ''
        ? t('pipelines-onboard-because', { files })
        : t('pipelines-onboard-because-in', { files, folder })
  const isCode = kind !== 'static' && kind !== 'dockerfile' && files !== ''
  return [
    ...(language === '' ? [] : [language]),
    reason,
    ...(tests !== ''
      ? [t('pipelines-onboard-tests', { command: tests })]
      : isCode
        ? [t('pipelines-onboard-no-tests')]
        : []),
    ...(buildImage === '' ? [] : [t('pipelines-onboard-runs-in', { image: buildImage })]),
    ...(lacksRegistry ? [t('pipelines-onboard-lacks-registry')] : []),
  ].join(' · ')
}
