import type { Delivery } from '@gantry/contract/webhooks/webhooks'
import { t } from '../../api/language.ts'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'

export const DeliveryState = ({ state }: Pick<Delivery, 'state'>) => (
  <StateBadge state={state} text={t(`webhooks-ui-state-${state}`)} />
)
