import type { ReleaseState as State } from '@gantry/contract/helm/releases'
import { t } from '../../../api/language.ts'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'

export const ReleaseState = ({ state }: { state: State }) => (
  <StateBadge state={state} text={t(`helm-ui-release-state-${state}`)} />
)
