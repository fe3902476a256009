import type { Zone } from '@gantry/contract/openstack/zones'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'

/** Whether the cluster has a zone as it should. */
export const ZoneState = ({ zone: { state } }: { zone: Zone }) => <StateBadge state={state} />
